import CallModel
import Foundation
import TestSupport
import Testing

@testable import CallQuality

/// Which row a codec gets, and whether the documentation shows the table as it is.
@Suite struct CodecTableTests {
    private func chosen(_ mimeType: String, _ parameters: String? = nil, clockRate: Int? = nil) -> CodecTable.Choice? {
        CodecTable.choice(
            for: CodecDescription(mimeType: mimeType, clockRate: clockRate, formatParameters: parameters))
    }

    @Test(
        arguments: [
            ("audio/PCMU", nil, "G.711 with PLC", false), ("audio/pcma", "", "G.711 with PLC", false),
            ("audio/G729", nil, "G.729A with VAD", false), ("audio/G729", "annexb=no", "G.729", false),
            ("audio/G723", "annexa=yes", "G.723.1 6.3 kbit/s", true), ("audio/G722", nil, "G.722 64 kbit/s", false),
            ("audio/AAL2-G726-32", nil, "G.726 32 kbit/s", false),
            ("audio/AMR-WB", "octet-align=1; mode-set=8", "AMR-WB 23.85 kbit/s", false),
            ("audio/AMR-WB", "mode-set=0,2,8", "AMR-WB 12.65 kbit/s", true),
            ("audio/AMR-WB", "mode-set=9", "AMR-WB 12.65 kbit/s", true),
            ("audio/EVS", "br=13.2;bw=swb", "EVS super-wideband 13.2 kbit/s", false),
            ("audio/EVS", "br=9.6-24.4", "EVS super-wideband 24.4 kbit/s", true),
            ("audio/opus", "minptime=10;useinbandfec=1", "Opus super-wideband 32 kbit/s", true),
            ("audio/opus", "maxaveragebitrate=20000", "Opus super-wideband 20 kbit/s", false),
            ("audio/opus", "MaxAverageBitrate=510000", "Opus super-wideband 40 kbit/s", false),
            ("audio/opus", "maxaveragebitrate=-1", "Opus super-wideband 32 kbit/s", true),
            ("audio/opus", "maxplaybackrate=16000", "Opus wideband", true),
            ("audio/opus", "maxplaybackrate=48000; sprop-maxcapturerate=8000", "Opus narrowband", true),
            ("audio/red", "111/111", "Opus super-wideband 32 kbit/s", true),
        ] as [(String, String?, String, Bool)])
    func `a codec gets its row, and whether that was assumed`(
        _ mimeType: String, _ parameters: String?, _ row: String, _ isAssumed: Bool
    ) throws {
        let choice = try #require(chosen(mimeType, parameters))
        #expect((choice.row.name, choice.isAssumed) == (row, isAssumed))
    }

    @Test(arguments: ["audio/CN", "audio/telephone-event", "audio/L16", "video/VP8", "", "/", "audio/opus2"])
    func `what has no figures gets no row`(mimeType: String) {
        #expect(chosen(mimeType) == nil)
    }

    @Test func `Speex has a row at 8 kHz alone`() {
        #expect(chosen("audio/speex", clockRate: 8_000)?.row.name == "Speex narrowband")
        #expect(chosen("audio/speex", clockRate: 16_000) == nil)
    }

    @Test func `a codec that was guessed from its packets is an assumption`() {
        let guess = CodecDescription(mimeType: "audio/PCMA", isGuess: true)
        #expect(CodecTable.choice(for: guess)?.isAssumed == true)
    }

    @Test(
        arguments: [
            (nil, true, true, nil), (nil, false, false, nil), ("useinbandfec=0", true, false, nil),
            ("minptime=10;useinbandfec=1", false, true, false), ("useinbandfec=0;usedtx=1", false, false, true),
        ] as [(String?, Bool, Bool, Bool?)])
    func `a guess is repairable unless its sender is known to send no redundancy, and nothing tells of its pauses`(
        parameters: String?, isGuess: Bool, hasRedundancy: Bool, mayUseDTX: Bool?
    ) {
        let opus = CodecDescription(mimeType: "audio/opus", formatParameters: parameters, isGuess: isGuess)
        #expect(opus.hasRedundancy == hasRedundancy)
        #expect(opus.mayUseDTX == mayUseDTX)
    }

    @Test func `Opus costs less with every bit more, and as much as published where that is published`() {
        var before = CodecTable.opusRow(kilobitsPerSecond: 5)
        for rate in stride(from: 6.0, through: 60, by: 0.5) {
            let row = CodecTable.opusRow(kilobitsPerSecond: rate)
            #expect(row.equipmentImpairment.value <= before.equipmentImpairment.value, "\(rate)")
            before = row
        }
        for (rate, points) in [(6.0, 30.2), (16, 30.2), (25, 20.2), (31, 16.8), (40, 10.7), (510, 10.7)] {
            #expect(CodecTable.opusRow(kilobitsPerSecond: rate).equipmentImpairment.value == points)
        }
    }

    @Test func `look-ahead is 6.5 ms for Opus and nothing for G.711 and what is not known`() {
        func lookAhead(_ mimeType: String?) -> Double {
            mimeType.flatMap { CodecTable.choice(for: CodecDescription(mimeType: $0)) }?.row.lookAheadMilliseconds ?? 0
        }
        #expect([lookAhead("audio/opus"), lookAhead("audio/PCMU"), lookAhead("audio/G729")] == [6.5, 0, 5])
        #expect([lookAhead(nil), lookAhead("audio/L16")] == [0, 0])
    }

    @Test func `every figure lies on the scale of its row`() {
        #expect(Set(CodecTable.all.map(\.name)).count == CodecTable.all.count)
        for row in CodecTable.all {
            #expect((0..<row.band.largestRating).contains(row.equipmentImpairment.value), "\(row.name)")
            #expect((4...40).contains(row.lossRobustness.value), "\(row.name)")
            #expect((5...60).contains(row.packetMilliseconds) && (0...20).contains(row.lookAheadMilliseconds))
        }
    }

    @Test func `the documentation shows every row with every source`() throws {
        let page = try String(contentsOf: SharedData.packageRoot.appending(path: "docs/e-model.md"), encoding: .utf8)
        let shown = Set(page.split(separator: "\n").map(String.init))
        for row in CodecTable.all {
            let isShown = shown.contains(row.documented)
            #expect(isShown, "docs/e-model.md should have\n\(row.documented)")
        }
    }
}

extension CodecRow {
    /// The row in the table of the documentation.
    fileprivate var documented: String {
        let cells = [
            name, band.rawValue, equipmentImpairment.documented, lossRobustness.documented,
            packetMilliseconds.formatted, lookAheadMilliseconds.formatted,
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }
}

extension CodecFigure {
    fileprivate var documented: String {
        switch provenance {
        case .published(let source): "\(value.formatted) P: \(source)"
        case .instrumental(let source): "\(value.formatted) I: \(source)"
        case .estimate(let reason): "\(value.formatted) E: \(reason)"
        }
    }
}

extension Double {
    fileprivate var formatted: String { self == rounded() ? "\(Int(self))" : "\(self)" }
}
