import CallModel
import Testing

@testable import CallReport

/// What a receiver says of itself, in the reports.
@Suite struct ReceiverMetricsTests {
    private static func stream(_ metrics: [ReceiverMetrics]?) -> WireStream {
        var stream = WireStream(
            id: "1", ssrc: 1, source: "", destination: "", kind: .audio, payloadType: 0, firstPacketAt: Records.at(0),
            lastPacketAt: Records.at(9_000))
        stream.receiverMetrics = metrics
        return stream
    }

    private static let told: ReceiverMetrics = {
        var metrics = ReceiverMetrics(reportedAt: Records.at(5_000), reporter: 7, reports: 2)
        (metrics.lossRate, metrics.discardRate) = (0.0625, 0.03125)
        (metrics.burstDensity, metrics.gapDensity) = (0.5, 0.00390625)
        (metrics.burstMilliseconds, metrics.gapMilliseconds, metrics.minimumGap) = (200, 5_000, 16)
        (metrics.roundTripMilliseconds, metrics.endSystemMilliseconds) = (100, 40)
        (metrics.signalLevelDecibels, metrics.rFactor, metrics.listeningMOS) = (-20, 93, 4.2)
        (metrics.lossConcealment, metrics.isJitterBufferAdaptive, metrics.jitterBufferRate) = (.standard, false, 5)
        (metrics.jitterBufferNominalMilliseconds, metrics.jitterBufferMaximumMilliseconds) = (40, 60)
        metrics.jitterBufferAbsoluteMaximumMilliseconds = 300
        return metrics
    }()

    private static func rows(_ metrics: [ReceiverMetrics]?) -> [[String]] {
        WireRow.control.compactMap { $0.cells(of: [stream(metrics)]) }
    }

    @Test func `the text has what the receiver that reported last lost, buffers and hears`() {
        let other = ReceiverMetrics(reportedAt: Records.at(1_000), reporter: 8, reports: 1)
        #expect(
            Self.rows([other, Self.told]) == [
                ["XR lost / discarded", "6.3 / 3.1 %"], ["XR burst / gap dens.", "50.0 / 0.39 %"],
                ["XR round trip / end", "100 / 40.0 ms"], ["XR buffer nom. / max", "40.0 / 60.0 ms"],
                ["XR signal / noise", "-20.0 / – dBm0"],
            ])
        #expect(Self.rows(nil) == [])
    }

    @Test func `JSON has all of it, and null for what is not known`() {
        let expected: JSONValue = [
            "reportedAt": JSONValue(Records.at(5_000)), "reporter": 7, "reports": 2, "lossRate": 0.0625,
            "discardRate": 0.03125, "burstDensity": 0.5, "gapDensity": 0.00390625, "burstMilliseconds": 200,
            "gapMilliseconds": 5_000, "minimumGap": 16, "roundTripMilliseconds": 100, "endSystemMilliseconds": 40,
            "signalLevelDecibels": -20, "noiseLevelDecibels": .null, "residualEchoReturnLossDecibels": .null,
            "rFactor": 93, "externalRFactor": .null, "listeningMOS": 4.2, "conversationalMOS": .null,
            "lossConcealment": "standard", "isJitterBufferAdaptive": false, "jitterBufferRate": 5,
            "jitterBufferNominalMilliseconds": 40, "jitterBufferMaximumMilliseconds": 60,
            "jitterBufferAbsoluteMaximumMilliseconds": 300,
        ]
        #expect(JSONWireStream(Self.stream([Self.told])).value.members?["receiverMetrics"] == .array([expected]))
        #expect(JSONWireStream(Self.stream(nil)).value.members?["receiverMetrics"] == .array([]))
    }
}
