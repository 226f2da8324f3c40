import CallModel

/// A report in the way of `Codable`: of each object what names it and the members that a score of received sound needs; the
/// decoder passes over the rest.
struct Report: Decodable {
    var statistics: [Object]

    struct Object: Decodable {
        var id: String
        var type: String
        var timestamp: Double
        var kind: String?
        var ssrc: Double?
        var transportId: String?
        var codecId: String?
        var mimeType: String?
        var clockRate: Double?
        var packetsReceived: Double?
        var packetsLost: Double?
        var packetsDiscarded: Double?
        var bytesReceived: Double?
        var jitter: Double?
        var jitterBufferDelay: Double?
        var jitterBufferEmittedCount: Double?
        var totalSamplesReceived: Double?
        var concealedSamples: Double?
        var silentConcealedSamples: Double?
        var concealmentEvents: Double?
        var insertedSamplesForDeceleration: Double?
        var removedSamplesForAcceleration: Double?
        var roundTripTime: Double?
    }
}

/// Any JSON in the way of `Codable`: what a decoder is asked that does not know what comes.
enum AnyValue: Decodable {
    case null, bool(Bool), number(Double), string(String)
    case array([AnyValue]), object([String: AnyValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let truth = try? container.decode(Bool.self) {
            self = .bool(truth)
        } else if let members = try? container.decode([String: AnyValue].self) {
            self = .object(members)
        } else {
            self = .array(try container.decode([AnyValue].self))
        }
    }
}
