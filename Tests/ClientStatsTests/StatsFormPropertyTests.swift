import CallModel
import CallQuality
import ClientStats
import Foundation
import JSONText
import TestSupport
import Testing

/// What must not matter to what a call's statistics say: the names of objects, the order of anything, the unit of time.
@Suite struct StatsFormPropertyTests {
    static let calls = [
        "01-clean", "03-loss5", "08-jitter80-reorder", "10-outage5s", "19-pcma-loss5", "24-ice-one-relay",
        "29-mute-hold",
        "30-ip-change", "40-chromium-firefox-clean", "51-chromium90-loss5", "60-chromium-aiortc-loss5",
        "62-chromium-libwebrtc-loss5",
    ]

    @Test(arguments: calls, RecordedCall.End.allCases) func `the ids of objects do not matter`(
        name: String, end: RecordedCall.End
    ) throws {
        try expectSame(name, end) { value in
            Self.mapObjects(value) { object in
                var renamed = object
                for (member, text) in object.compactMapValues(\.text) where member == "id" || member.hasSuffix("Id") {
                    guard !Self.ownNames.contains(member) else { continue }
                    renamed[member] = .string("object <\(text.hashed)>")
                }
                return renamed
            }
        }
    }

    /// Not ids of other objects.
    private static let ownNames: Set<String> = [
        "callId", "peerConnectionId", "remoteCertificateId", "localCertificateId",
    ]

    @Test(arguments: calls, RecordedCall.End.allCases) func `the order of objects and members does not matter`(
        name: String, end: RecordedCall.End
    ) throws {
        try expectSame(name, end, isReversed: true) { $0 }
    }

    @Test(arguments: calls, [1e3, 1e6, 1e-3]) func `the unit of timestamps does not matter`(
        name: String, scale: Double
    ) throws {
        try expectSame(name, .caller) { value in
            Self.mapObjects(value) { object in
                var scaled = object
                if let time = object["timestamp"]?.number {
                    let value = time * scale
                    scaled["timestamp"] = scale < 1 ? .double(value) : .integer(Int64(value.rounded()))
                }
                return scaled
            }
        }
    }

    @Test(arguments: calls) func `whether objects are keyed, paired or listed does not matter`(name: String) throws {
        try expectSame(name, .caller) { value in
            guard var members = value.members, case .array(let objects)? = members["statistics"] else { return value }
            members["statistics"] = .array(objects.map { .array([$0.members?["id"] ?? "", $0]) })
            return .object(members)
        }
        try expectSame(name, .caller) { value in
            guard var members = value.members, case .array(let objects)? = members["statistics"] else { return value }
            let keyed = objects.compactMap { object in object.members?["id"]?.text.map { ($0, object) } }
            members["statistics"] = .object(JSONObject(keyed) { $1 })
            return .object(members)
        }
    }

    // MARK: -

    /// Expects a call to say the same when each of its reports was changed.
    private func expectSame(
        _ name: String, _ end: RecordedCall.End, isReversed: Bool = false, _ change: (JSONValue) -> JSONValue
    ) throws {
        let call = RecordedCall(SharedData.packageRoot.appending(path: "SampleData/\(name)"), end: end)
        let bodies = try call.reportBodies()
        let plain = try Self.summary(bodies)
        let changed = try Self.summary(
            bodies.map { body in
                let value = change(try JSONValue(parsing: body))
                return Array((isReversed ? value.reversedText : value.canonicalText).utf8)
            })
        #expect(changed == plain)
        #expect(plain?.streams.isEmpty == false)
    }

    private static func summary(_ bodies: [[UInt8]]) throws -> CallSummary? {
        var facts: [FactKey: Fact] = [:]
        let context = ParsingContext(
            call: nil, observer: .client, receivedAt: Timestamp(milliseconds: 1_795_300_000_000))
        for body in bodies {
            let parsed = try StatsBody.parse(body, in: context)
            #expect(parsed.refusals == [])
            for item in parsed.submissions.flatMap(\.facts) {
                facts[item.fact.key] = facts[item.fact.key]?.merged(with: item.fact) ?? item.fact
            }
        }
        let key = CallKey(
            identity: CallIdentity(tenant: .default, call: CallID(rawValue: "c")), observer: .client, attempt: 1)
        var session = CallSession(key: key)
        _ = session.fold(facts.values.sorted { $0.key < $1.key })
        var summary = session.summary()
        // They say in which unit the times were.
        summary?.dataQuality.notes = []
        return summary
    }

    private static func mapObjects(
        _ value: JSONValue, _ change: (JSONObject) -> JSONObject
    ) -> JSONValue {
        guard var members = value.members, case .array(let objects)? = members["statistics"] else { return value }
        members["statistics"] = .array(objects.map { .object(change($0.members ?? [:])) })
        return .object(members)
    }
}

extension String {
    /// A name without anything of the old one in it.
    fileprivate var hashed: String {
        String(utf8.reduce(14_695_981_039_346_656_037 as UInt64) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }, radix: 36)
    }
}

extension JSONValue {
    /// The value as JSON with everything in reverse order that has no order.
    fileprivate var reversedText: String {
        switch self {
        case .array(let values): "[" + values.reversed().map(\.reversedText).joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + members.sorted { $0.key > $1.key }
                .map { "\(JSONValue.string($0).canonicalText):\($1.reversedText)" }.joined(separator: " ,\n") + "}"
        default: canonicalText
        }
    }
}
