import CallModel
import Foundation
import StoreParts
import TestSupport
import Testing

@testable import SQLiteStore

@Suite struct PackedReportTests {
    /// Objects of every kind of value, with names and texts that Swift calls equal though their bytes differ.
    private static let objects: [StatsObject] = [
        StatsObject(
            id: "IT01A", type: .inboundRTP, timestamp: at(1000),
            members: ["packetsReceived": 0, "jitter": 0.021, "kind": "audio", "own": .null, "é": true]),
        StatsObject(
            id: "IT02A", type: .inboundRTP, timestamp: at(999),
            members: ["packetsReceived": 239, "jitter": -0.5, "kind": "vidéo", "own": .null, "e\u{301}": false]),
        StatsObject(
            id: "IT03A", type: .inboundRTP, timestamp: nil,
            members: ["packetsReceived": 240, "jitter": -1, "kind": "", "own": .null, "e\u{301}": false]),
        StatsObject(
            id: "\u{212A}", type: StatsType(rawValue: "K"), timestamp: Timestamp(milliseconds: .min),
            members: ["\u{212A}ind": 1]),
        StatsObject(
            id: "deep", type: .unknown, timestamp: Timestamp(milliseconds: .max),
            members: [
                "largest": .integer(.max), "least": .integer(.min),
                "inner": ["list": [1, [2.5, "x"], [:]], "kind": 7],
                "none": [], "": "empty",
            ]),
        StatsObject(id: "", type: .codec, timestamp: at(0), members: [:]),
    ]

    private func bytes(_ objects: [StatsObject]) throws -> [UInt8] {
        try StoredJSON.bytes(ofPacked: PackedReport.data(of: objects))
    }

    /// Every text of some objects, byte for byte: equal ones may differ in these.
    private func texts(_ objects: [StatsObject]) -> [[UInt8]] {
        objects.flatMap { object in
            [object.type.rawValue, object.id, JSONValue.object(object.members).canonicalText].map { Array($0.utf8) }
        }
    }

    @Test func `objects come back as they were, byte for byte`() throws {
        let read = try PackedReport.objects(of: bytes(Self.objects))
        #expect(read == Self.objects)
        #expect(texts(read) == texts(Self.objects))
    }

    @Test func `every known name has the number of its place`() {
        #expect(PackedNames.all.map(PackedNames.number(of:)) == Array(0..<PackedNames.all.count))
        #expect(PackedNames.number(of: "novel") == nil)
        #expect(PackedNames.number(of: "") == nil)
    }

    /// Databases hold these numbers.
    @Test func `names keep their places`() {
        let places = ["transportId": 0, "ssrc": 2, "inbound-rtp": 42, "trackIds": 174]
        for (name, place) in places { #expect(PackedNames.number(of: name) == place, "\(name)") }
    }

    @Test func `what is cut short or damaged is told, or is other objects, and nothing worse`() throws {
        let whole = try bytes(Self.objects)
        for length in whole.indices {
            #expect(throws: PackedReader.Damage.self) { try PackedReport.objects(of: Array(whole[..<length])) }
        }
        for index in whole.indices {
            for bit in 0..<8 {
                var damaged = whole
                damaged[index] ^= 1 << bit
                _ = try? PackedReport.objects(of: damaged)
            }
        }
    }

    @Test func `values that lie within each other without end are refused`() {
        // One object without type, id and time, with one member without a name.
        let open: [UInt8] = [PackedReport.form, 1, 0, 0, 0, 0, 0, 1, 0, 0]
        let endless = open + Array([[UInt8]](repeating: [PackedTag.array, 1], count: 100_000).joined())
        #expect(throws: PackedReader.Damage.self) { try PackedReport.objects(of: endless) }
    }
}
