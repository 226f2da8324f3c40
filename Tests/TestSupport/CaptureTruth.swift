import CallModel
public import Foundation
import JSONText

/// What a capture file of the shared data really holds: counted by a program that shares no code with this one.
///
/// tshark takes the packets apart; the arithmetic is that of RFC 3550 in a script of its own (`docs/wire.md`).
public struct CaptureTruth: Sendable {
    /// One stream: an SSRC between one pair of addresses and ports.
    public struct Stream: Sendable {
        public var source: String
        public var sourcePort: Int
        public var destination: String
        public var destinationPort: Int
        public var ssrc: UInt32
        /// All packets, duplicates included.
        public var packets: Int
        public var unique: Int
        public var lost: Int
        public var duplicates: Int
        public var reordered: Int
        /// Runs of numbers that belong together; one more than the sender began anew.
        public var segments: Int
        /// RTP ticks a second, from RFC 3551 or the pace of the whole stream; `nil` while unknown.
        public var clock: Int?
        /// With the exclusions of `docs/wire.md`, in ms; `nil` without a clock.
        public var meanJitter: Double?
        /// The largest of that, in ms.
        public var maximumJitter: Double?
        /// Of RFC 3550 A.8 over every packet, the largest, in ms.
        public var maximumPlainJitter: Double?
    }

    /// One dialog of SIP.
    public struct Dialog: Sendable {
        public var callID: String
        /// By method.
        public var requests: [String: Int]
        /// Milliseconds from the first INVITE to the first `100`, `180` (or 183), `200` of an INVITE and the first BYE.
        public var milliseconds: [String: Double]
    }

    /// The file's name.
    public let name: String
    public let streams: [Stream]
    public let dialogs: [Dialog]

    /// The capture itself.
    public var url: URL { Self.capture(name) }

    /// A capture file by its name.
    public static func capture(_ name: String) -> URL {
        SharedData.url("captures/\(name)")
    }

    /// Every capture file there is, so that none can be forgotten; empty without the shared data.
    public static let names: [String] = {
        let all = try? FileManager.default.contentsOfDirectory(atPath: SharedData.url("captures").path)
        return (all ?? []).filter { $0.hasSuffix(".pcap") || $0.hasSuffix(".pcapng") }.sorted()
    }()

    /// Reads what is known of a capture file.
    public init(_ name: String) throws {
        self.name = name
        let value = try JSONValue(parsing: try SharedData.bytes("captures/truth/\(name).json"), limits: .generous)
        streams = try value.elements("reference").map(Stream.init)
        dialogs = try value.elements("sip_calls").map(Dialog.init)
    }
}

extension CaptureTruth.Stream {
    init(_ value: JSONValue) throws {
        source = try value.word("src")
        sourcePort = try value.count("sport")
        destination = try value.word("dst")
        destinationPort = try value.count("dport")
        ssrc = try value.hexadecimal("ssrc")
        packets = try value.count("packets")
        unique = try value.count("unique")
        lost = try value.count("lost")
        duplicates = try value.count("duplicates")
        reordered = try value.count("reordered")
        segments = try value.count("segments")
        clock = value.members?["clock"]?.wholeNumber.map(Int.init)
        meanJitter = value.members?["jitter_ref"]?.members?["mean_ms"]?.number
        maximumJitter = value.members?["jitter_ref"]?.members?["max_ms"]?.number
        maximumPlainJitter = value.members?["jitter_rfc3550_all"]?.members?["max_ms"]?.number
    }
}

extension CaptureTruth.Dialog {
    init(_ value: JSONValue) throws {
        callID = try value.word("call_id")
        requests = (value.members?["methods"]?.members ?? [:]).compactMapValues { $0.wholeNumber.map(Int.init) }
        let prefix = "ms_invite_to_"
        milliseconds = (value.members ?? [:]).reduce(into: [:]) { times, member in
            guard member.key.hasPrefix(prefix), let number = member.value.number else { return }
            times[String(member.key.dropFirst(prefix.count))] = number
        }
    }
}

/// What the authors of rtpproxy stored beside their captures, in RTP ticks.
public struct ProxyOracle: Sendable {
    public var file: String
    public var ssrc: UInt32
    public var expected: Int
    public var unique: Int
    public var lost: Int
    public var duplicates: Int
    public var meanJitter: Double
    public var maximumJitter: Double

    /// Every row whose capture is in the shared data.
    public static func rows() throws -> [ProxyOracle] {
        let value = try JSONValue(
            parsing: try SharedData.bytes("captures/truth/_rtpproxy_oracle.json"), limits: .generous)
        return try value.elements("rows").compactMap { row in
            guard let file = row.members?["file"]?.text, CaptureTruth.names.contains(file) else { return nil }
            return try ProxyOracle(
                file: file, ssrc: row.hexadecimal("ssrc"), expected: row.count("expected"),
                unique: row.count("received_unique"), lost: row.count("lost"), duplicates: row.count("duplicates"),
                meanJitter: row.figure("jitter_mean_ts"), maximumJitter: row.figure("jitter_max_ts"))
        }
    }
}

// MARK: - Reading

/// A truth file that does not say what it should: the test that reads it fails with this.
public struct UnreadableTruth: Error {
    public let member: String

    public init(member: String) {
        self.member = member
    }
}

extension JSONLimits {
    /// For files of our own.
    fileprivate static var generous: JSONLimits { JSONLimits(maximumValues: 10_000_000) }
}

extension JSONValue {
    fileprivate func elements(_ name: String) throws -> [JSONValue] {
        guard case .array(let elements) = members?[name] else { throw UnreadableTruth(member: name) }
        return elements
    }

    fileprivate func word(_ name: String) throws -> String {
        guard let word = members?[name]?.text else { throw UnreadableTruth(member: name) }
        return word
    }

    fileprivate func count(_ name: String) throws -> Int {
        guard let count = members?[name]?.wholeNumber else { throw UnreadableTruth(member: name) }
        return Int(count)
    }

    fileprivate func figure(_ name: String) throws -> Double {
        guard let figure = members?[name]?.number else { throw UnreadableTruth(member: name) }
        return figure
    }

    fileprivate func hexadecimal(_ name: String) throws -> UInt32 {
        guard let number = UInt32(try word(name).dropFirst(2), radix: 16) else { throw UnreadableTruth(member: name) }
        return number
    }
}
