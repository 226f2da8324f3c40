import CallModel
import Foundation
import TestSupport
import Testing

@testable import Collector

/// The compact form of facts in the temporary file of a capture.
@Suite struct CaptureFactTests {
    private func writtenAndRead(_ fact: Fact) throws -> Fact {
        var writer = FactWriter()
        writer.put(fact)
        var reader = FactReader(writer.bytes, from: 0)
        return try reader.fact()
    }

    private func bytes(_ fact: Fact) -> [UInt8] {
        var writer = FactWriter()
        writer.put(fact)
        return writer.bytes
    }

    @Test(arguments: 0..<300)
    func `every fact is read back as it was written`(seed: Int) throws {
        var facts = HostileFacts(seed: UInt64(seed))
        for fact in [facts.wire(), facts.event(), facts.report()] {
            let read = try writtenAndRead(fact)
            #expect(HostileFacts.exact(read) == HostileFacts.exact(fact))
            #expect(read.key == fact.key)
        }
    }

    @Test func `a member that facts have gained must be written, too`() {
        let time = Timestamp(milliseconds: 0)
        let facts: [(any Hashable, Int)] = [
            (HostileFacts.plainStream, 21), (SensorHealth(), 7), (TimeSpan(start: time, end: nil), 2),
            (WireReport(time: time, receivedAt: time, streams: []), 8),
            (CallEvent(time: time, receivedAt: time, action: "", type: ""), 7),
            (StatsReport(connection: .only, time: time, receivedAt: time, objects: []), 6),
            (StatsObject(id: "", type: .codec, timestamp: nil, members: [:]), 4),
        ]
        for (fact, members) in facts {
            #expect(Mirror(reflecting: fact).children.count == members, "\(type(of: fact))")
        }
    }

    @Test func `every single figure keeps its bits`() throws {
        for figure in WireFigure.allCases {
            for value in HostileFacts.doubles {
                var stream = HostileFacts.plainStream
                stream[figure] = value
                let time = Timestamp(milliseconds: 0)
                let report = WireReport(time: time, receivedAt: time, streams: [stream])
                guard case .wire(let read) = try writtenAndRead(.wire(report)) else { throw FactReader.Damage() }
                #expect(read.streams.count == 1)
                for other in WireFigure.allCases {
                    let bits = read.streams.first?[other]?.bitPattern
                    #expect(bits == (other == figure ? value.bitPattern : nil), "\(figure) \(value)")
                }
            }
        }
    }

    @Test func `a snapshot of one stream takes about 300 bytes`() {
        var stream = HostileFacts.plainStream
        for figure in WireFigure.allCases.prefix(40) {
            stream[figure] = figure.rawValue % 2 == 0 ? Double(figure.rawValue * 250) : 0.0021 * Double(figure.rawValue)
        }
        stream.lossRuns = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        stream.delayBuckets = [5_000, 3, 0, 0, 0, 0, 0, 0]
        let time = Timestamp(milliseconds: 1_795_230_000_000)
        (stream.firstPacketAt, stream.lastPacketAt) = (time.advanced(byMilliseconds: -9_000), time)
        #expect(bytes(.wire(WireReport(time: time, receivedAt: time, streams: [stream]))).count < 350)
    }

    @Test(arguments: 0..<30)
    func `what was cut short or damaged is refused or read as something else, and never crashes`(seed: Int) {
        var facts = HostileFacts(seed: UInt64(seed))
        for fact in [facts.wire(), facts.event(), facts.report()] {
            let whole = bytes(fact)
            for _ in 0..<200 {
                let cut = Int.random(in: 0..<whole.count, using: &facts.random)
                var reader = FactReader(Array(whole.prefix(cut)), from: 0)
                #expect(throws: FactReader.Damage.self) { try reader.fact() }
                var damaged = whole
                damaged[cut] ^= UInt8.random(in: 1...255, using: &facts.random)
                var other = FactReader(damaged, from: 0)
                _ = try? other.fact()
            }
        }
    }

    /// A temporary file on a full disk: the kernel's device for that stands in for it.
    @Test(.enabled(if: FileManager.default.isWritableFile(atPath: "/dev/full")))
    func `a full disk is told of`() throws {
        var file = try SpoolFile(opening: "/dev/full", in: "/tmp")
        var failure: FactSpoolError?
        do {
            try file.append([1, 2, 3])
        } catch {
            failure = error
        }
        #expect(failure == .cannotWrite(folder: "/tmp", reason: "No space left on device"))
    }

    @Test func `a file that ends too early is told of`() throws {
        let folder = FileManager.default.temporaryDirectory.path
        var file = try SpoolFile(in: folder)
        try file.append([1, 2, 3])
        let bytes = try file.bytes(at: 1, count: 2)
        #expect(bytes == [2, 3])
        var failure: FactSpoolError?
        do {
            _ = try file.bytes(at: 1, count: 3)
        } catch {
            failure = error
        }
        #expect(failure == .cannotRead(folder: folder, reason: "it ends too early"))
        file.empty()
        try file.append([4])
        let again = try file.bytes(at: 0, count: 1)
        #expect(again == [4])
    }
}
