import CallModel
import TestSupport
import Testing

/// How much of random loss is heard as concealed: the estimate for clients that do not report concealment.
@Suite(SharedData.required) struct ConcealedShareTests {
    private func share(_ name: String, _ end: RecordedCall.End) throws -> Double {
        let record = try #require(try RecordedCall.shared(name, end).record())
        let audio = try #require(
            record.summary.streams.first { $0.stream.kind == .audio && $0.stream.direction == .inbound })
        return try #require(audio.concealedPercent) / #require(audio.lossPercent)
    }

    @Test(arguments: ["03-loss5", "21-opus-loss15"], RecordedCall.End.allCases)
    func `about a third with Opus and its forward error correction`(name: String, end: RecordedCall.End) throws {
        #expect(abs(try share(name, end) - 0.35) < 0.05)
    }

    @Test(arguments: RecordedCall.End.allCases)
    func `nine tenths with A-law`(end: RecordedCall.End) throws {
        #expect(abs(try share("19-pcma-loss5", end) - 0.9) < 0.1)
    }
}
