import CallModel
import TestSupport
import Testing

@testable import CallQuality

/// What goes into an archive comes out of it.
@Suite struct ArchiveTests {
    @Test func `numbers come out as they went in, whatever they are`() throws {
        var random = RandomSource(seed: 6)
        let special = [0, -0.0, 1, 252, 253, -1, 0.1, .infinity, -.infinity, .leastNonzeroMagnitude, 0x1p53, -0x1p53]
        let doubles = special + (0..<5_000).map { _ in Double(bitPattern: random.next()) }
        let integers = [0, .max, .min, 1, -1, 127, 128] + (0..<5_000).map { _ in Int64(bitPattern: random.next()) }
        let moments = integers.map { Timestamp(milliseconds: $0) }
        let optionals = doubles.map { random.next() % 2 == 0 ? $0 : nil }
        var archive = ArchiveWriter(expectedBytes: 0)
        archive.put(doubles, integers, moments, optionals)
        var reader = ArchiveReader(archive.bytes)
        let read: ([Double], [Int64], [Timestamp], [Double?]) = try reader.get()
        #expect(read.0.map(\.bitPattern) == doubles.map(\.bitPattern))
        #expect(read.1 == integers)
        #expect(read.2 == moments)
        #expect(read.3.map { $0?.bitPattern } == optionals.map { $0?.bitPattern })
        #expect(reader.isAtEnd)
    }

    @Test func `a text is written once, however often it comes`() throws {
        let texts = ["", "audio/opus", "Ünïcode 🎧", "a", "Ünïcode 🎧", "audio/opus", "a"]
        var archive = ArchiveWriter(expectedBytes: 0)
        archive.put(texts)
        #expect(archive.bytes.count < 50)
        var reader = ArchiveReader(archive.bytes)
        #expect(try reader.get() as [String] == texts)
    }

    @Test func `sets and dictionaries come out as they went in`() throws {
        let set: Set<String> = ["x", "y", "packetsLost"]
        let dictionary: [QualityCause: Double] = [.loss: 1.5, .delay: 0]
        var archive = ArchiveWriter(expectedBytes: 0)
        archive.put(set, dictionary)
        var reader = ArchiveReader(archive.bytes)
        let read: (Set<String>, [QualityCause: Double]) = try reader.get()
        #expect(read.0 == set)
        #expect(read.1 == dictionary)
    }

    /// A state that is short of a member would go on as another call.
    @Test func `a state comes out with all its members`() throws {
        var random = RandomSource(seed: 11)
        for seed in 0..<20 {
            let session = Self.session(seed: UInt64(seed), &random)
            let again = try #require(CallSession(archived: session.archived()))
            #expect(Self.description(again) == Self.description(session))
        }
    }

    @Test func `a state that is cut short or damaged is none, and traps nothing`() throws {
        var random = RandomSource(seed: 12)
        let bytes = Self.session(seed: 3, &random).archived()
        for count in bytes.indices { #expect(CallSession(archived: Array(bytes[..<count])) == nil) }
        for _ in 0..<2_000 {
            var damaged = bytes
            for _ in 0...Int(random.next() % 4) {
                damaged[Int(random.next() % UInt64(bytes.count))] ^= 1 << UInt8(random.next() % 8)
            }
            #expect(damaged == bytes || CallSession(archived: damaged) == nil)
        }
        #expect(CallSession(archived: Array("{}".utf8)) == nil)
        #expect(CallSession(archived: []) == nil)
    }
}

extension ArchiveTests {
    /// The state of a call in which some of everything happened.
    private static func session(seed: UInt64, _ random: inout RandomSource) -> CallSession {
        var call = ScriptedCall(90)
        for kind in LevelDetectorTests.cases.shuffled(using: &random).prefix(5) {
            let start = Int.random(in: 0..<80, using: &random)
            for second in start..<start + 10 { kind.change(&call.seconds[second]) }
        }
        let key = CallKey(
            identity: CallIdentity(tenant: .default, call: CallID(rawValue: "call \(seed)")), observer: .client,
            attempt: 1)
        var session = CallSession(key: key)
        _ = session.fold(call.facts(every: 5))
        return session
    }

    /// All members, however deep; sets and dictionaries in a fixed order.
    private static func description(_ value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        guard !mirror.children.isEmpty else { return "\(value)" }
        let parts = mirror.children.map { "\($0.label ?? ""): \(description($0.value))" }
        let isUnordered = mirror.displayStyle == .set || mirror.displayStyle == .dictionary
        return "{\((isUnordered ? parts.sorted() : parts).joined(separator: ", "))}"
    }
}
