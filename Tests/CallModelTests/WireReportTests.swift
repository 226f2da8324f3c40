import CallModel
import Foundation
import Testing

@Suite struct WireReportTests {
    private static let time = Timestamp(milliseconds: 1_790_000_005_000)
    private static let received = Timestamp(milliseconds: 1_790_000_005_040)

    /// A stream that has everything.
    private static let full: WireStream = {
        var stream = WireStream(
            id: "4711#2", ssrc: .max, source: "10.77.0.0/24:5004", destination: "2001:db8:1::/48:5006", kind: .video,
            role: .retransmission, payloadType: 127, firstPacketAt: Timestamp(milliseconds: 1_790_000_000_000),
            lastPacketAt: Timestamp(milliseconds: 1_790_000_004_980))
        stream.codec = "video/VP8"
        stream.clockRate = 90_000
        stream.clockOrigin = .inferred
        stream.formatParameters = "apt=96"
        stream.packetMilliseconds = 33.3
        stream.isEncrypted = false
        stream.lastControlAt = Timestamp(milliseconds: 1_790_000_004_000)
        stream.lastOutage = TimeSpan(start: stream.firstPacketAt, end: nil)
        stream.receiverMetrics = [
            ReceiverMetrics(reportedAt: stream.firstPacketAt, reporter: 1, reports: 1), metrics,
        ]
        for (index, figure) in WireFigure.allCases.enumerated() { stream[figure] = Double(index) - 3.25 }
        stream.lossRuns = [1, 0, 2]
        stream.delayBuckets = [9, 8, 7, 6, 5, 4, 3, 2]
        return stream
    }()

    /// A receiver's report in which everything is known.
    private static let metrics: ReceiverMetrics = {
        var metrics = ReceiverMetrics(reportedAt: time, reporter: .max, reports: 7)
        (metrics.lossRate, metrics.discardRate) = (0.0625, 0.03125)
        (metrics.burstDensity, metrics.gapDensity) = (0.5, 1.0 / 256)
        (metrics.burstMilliseconds, metrics.gapMilliseconds, metrics.minimumGap) = (200, 5_000, 16)
        (metrics.roundTripMilliseconds, metrics.endSystemMilliseconds) = (100, 40)
        (metrics.signalLevelDecibels, metrics.noiseLevelDecibels) = (-20, -70)
        metrics.residualEchoReturnLossDecibels = 55
        (metrics.rFactor, metrics.externalRFactor) = (93, 80)
        (metrics.listeningMOS, metrics.conversationalMOS) = (4.2, 4.1)
        (metrics.lossConcealment, metrics.isJitterBufferAdaptive, metrics.jitterBufferRate) = (.enhanced, true, 5)
        (metrics.jitterBufferNominalMilliseconds, metrics.jitterBufferMaximumMilliseconds) = (40, 60)
        metrics.jitterBufferAbsoluteMaximumMilliseconds = 300
        return metrics
    }()

    private static let report = WireReport(
        time: time, receivedAt: received,
        streams: [
            full,
            WireStream(
                id: "1", ssrc: 1, source: "", destination: "", kind: .audio, payloadType: 0, firstPacketAt: time,
                lastPacketAt: time),
        ],
        sensor: SensorHealth(
            packetsDroppedByKernel: 3, packetsDroppedByInterface: 0,
            holes: [TimeSpan(start: time, end: received), TimeSpan(start: time, end: nil)], packetsRecordedTwice: 5,
            packetsCutShort: 1, unseenMedia: .oneDirection, watchedUntil: received),
        audioPacketsSent: 250, isAudioDue: false, audioPacketsUndeliverable: 12)

    private func read(_ members: JSONObject) throws(WireReportError) -> WireReport {
        try WireReport(members: members, time: Self.time, receivedAt: Self.received)
    }

    @Test func `a report reads back from its members, whatever it has`() throws {
        #expect(try read(Self.report.members) == Self.report)
        let empty = WireReport(time: Self.time, receivedAt: Self.received, streams: [])
        #expect(try read(empty.members) == empty)
        #expect(try read(["streams": []]) == empty)
        #expect(try read(["streams": [], "sensor": .null, "audioPacketsSent": .null]) == empty)
    }

    @Test func `the streams stand in order of id, each once`() {
        let streams = Self.report.streams
        #expect(streams.map(\.id) == ["1", "4711#2"])
        let twice = WireReport(time: Self.time, receivedAt: Self.received, streams: streams.reversed() + streams)
        #expect(twice.streams == streams)
    }

    @Test func `a stream and a capture's health are stored and read back`() throws {
        let stream = try JSONEncoder().encode(Self.full)
        #expect(try JSONDecoder().decode(WireStream.self, from: stream) == Self.full)
        let sensor = try JSONEncoder().encode(Self.report.sensor)
        #expect(try JSONDecoder().decode(SensorHealth.self, from: sensor) == Self.report.sensor)
    }

    @Test func `only drops and holes make loss doubtful`() {
        #expect(!SensorHealth(packetsRecordedTwice: 9, packetsCutShort: 9).isDoubtful)
        #expect(!SensorHealth(packetsDroppedByKernel: 0, packetsDroppedByInterface: 0).isDoubtful)
        #expect(SensorHealth(packetsDroppedByKernel: 1).isDoubtful)
        #expect(SensorHealth(packetsDroppedByInterface: 1).isDoubtful)
        #expect(SensorHealth(holes: [TimeSpan(start: Self.time, end: nil)]).isDoubtful)
    }

    @Test func `of two contents of a moment one stands, and the clash is known`() {
        let other = WireReport(
            time: Self.time, receivedAt: Timestamp(milliseconds: 1), streams: [], audioPacketsSent: 250)
        var left = Self.report
        left.merge(other)
        var right = other
        right.merge(Self.report)
        #expect(left == right)
        #expect(left.isContradicted)
        #expect(left.receivedAt == other.receivedAt)
        #expect([Self.report.members, other.members].contains(left.members))
    }

    private static let minimal: JSONObject = [
        "ssrc": 1, "kind": "audio", "payloadType": 0, "firstPacketAt": 1, "lastPacketAt": 2,
    ]

    private static let faults: [(JSONObject, String)] = [
        ([:], "`streams` is missing, expected an array of streams"),
        (["streams": ["a": 1]], "`streams` is {\"a\":1}, expected an array of streams"),
        (["streams": [5]], "`streams[0]` is 5, expected an object"),
        (["streams": [], "sensor": "x"], "`sensor` is \"x\", expected an object"),
        (
            ["streams": [], "sensor": ["holes": [["end": 1]]]],
            "`sensor.holes[0].start` is missing, expected a whole number"
        ),
        (
            ["streams": [], "sensor": ["packetsCutShort": -1]],
            "`sensor.packetsCutShort` is -1, expected a whole number of 0 to 2147483647"
        ),
        (
            ["streams": [], "sensor": ["unseenMedia": "some"]],
            "`sensor.unseenMedia` is \"some\", expected one of all, oneDirection, otherLeg"
        ),
        (
            ["streams": [], "audioPacketsSent": "many"],
            "`report.audioPacketsSent` is \"many\", expected a whole number of 0 to 9007199254740992"
        ),
        (
            ["streams": [with("ssrc", nil)]],
            "`streams[0].ssrc` is missing, expected a whole number of 0 to 4294967295"
        ),
        (
            ["streams": [.object(minimal), with("ssrc", 4_294_967_296)]],
            "`streams[1].ssrc` is 4294967296, expected a whole number of 0 to 4294967295"
        ),
        (["streams": [with("kind", "smell")]], "`streams[0].kind` is \"smell\", expected one of audio, video"),
        (
            ["streams": [with("role", 1)]],
            "`streams[0].role` is 1, expected one of primary, retransmission, repair, events, data, hop"
        ),
        (
            ["streams": [with("payloadType", 128)]],
            "`streams[0].payloadType` is 128, expected a whole number of 0 to 127"
        ),
        (["streams": [with("firstPacketAt", .null)]], "`streams[0].firstPacketAt` is null, expected a whole number"),
        (["streams": [with("mimeType", [])]], "`streams[0].mimeType` is [], expected text"),
        (["streams": [with("isEncrypted", 2)]], "`streams[0].isEncrypted` is 2, expected true or false"),
        (["streams": [with("jitter", 1e300)]], "`streams[0].jitter` is 1e+300, expected a number"),
        (["streams": [with("jitter", "nan")]], "`streams[0].jitter` is \"nan\", expected a number"),
        (["streams": [with("lastOutage", 7)]], "`streams[0].lastOutage` is 7, expected an object"),
        (
            ["streams": [with("lossRuns", [1, -1])]],
            "`streams[0].lossRuns` is [1,-1], expected an array of at most 10 counts"
        ),
        (
            ["streams": [with("delayBuckets", [1, 2, 3, 4, 5, 6, 7, 8, 9])]],
            "`streams[0].delayBuckets` is [1,2,3,4,5,6,7,8,9], expected an array of at most 8 counts"
        ),
        (
            ["streams": [with("id", .array(Array(repeating: 1, count: 40)))]],
            "`streams[0].id` is [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,…, expected text"
        ),
    ]

    private static func with(_ name: String, _ value: JSONValue?) -> JSONValue {
        var members = minimal
        members[name] = value
        return .object(members)
    }

    @Test(arguments: faults)
    func `what cannot be read is named with its place and what should be there`(
        members: JSONObject, message: String
    ) {
        let error = #expect(throws: WireReportError.self) { try read(members) }
        #expect(error?.description == message)
    }

    @Test(arguments: [
        (0, "inferred", false), (34, "inferred", false), (35, "inferred", true), (111, "signalled", false),
    ])
    func `a codec is a guess where nothing but its clock tells, and not of the table`(
        payloadType: Int, clockOrigin: String, isGuess: Bool
    ) {
        var stream = Self.full
        (stream.payloadType, stream.clockOrigin) = (payloadType, .init(rawValue: clockOrigin))
        #expect(stream.isCodecGuess == isGuess)
    }
}
