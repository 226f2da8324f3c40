import CallModel
import Testing

@Suite struct DerivedContractTests {
    private let key = CallKey.sample("call")

    private func stream(
        _ direction: MediaDirection, _ kind: MediaKind, _ connection: String = "", _ source: String = "1"
    ) -> StreamKey {
        StreamKey(connection: ConnectionID(rawValue: connection), direction: direction, kind: kind, source: source)
    }

    private func interval(_ stream: StreamKey, end: Int64, packets: Int? = nil) -> MediaInterval {
        var interval = MediaInterval(stream: stream, start: at(end - 5000), end: at(end), segment: 0)
        interval.packets = packets
        return interval
    }

    private func score(
        _ series: ScoreInterval.Series, _ start: Int64, _ score: Int?, length: Int64 = 10_000
    ) -> ScoreInterval {
        ScoreInterval(series: series, start: at(start), end: at(start + length), score: score)
    }

    @Test(arguments: StoreUnderTest.all) func `every member of an interval is kept, and absence stays absence`(
        kind: StoreUnderTest
    ) async throws {
        let full = MediaInterval.everyMemberSet
        let empty = interval(stream(.outbound, .video), end: 20_000)
        #expect(Mirror(reflecting: full).children.allSatisfy { "\($0.value)" != "nil" }, "a new member is not tested")
        try await kind.run { [key] store in
            try await store.commit([.sample(.sample(key), derived: .append([full, empty], []))])
            #expect(try await store.intervals(of: key) == [full, empty])
        }
    }

    @Test(arguments: StoreUnderTest.all) func `intervals come in order of time and stream`(
        kind: StoreUnderTest
    ) async throws {
        let streams = [
            stream(.inbound, .audio), stream(.inbound, .audio, "", "10"), stream(.inbound, .audio, "", "9"),
            stream(.inbound, .audio, "pc1"), stream(.inbound, .video), stream(.outbound, .audio),
            stream(.outbound, .video, "pc0"), stream(.outbound, .video, "pc1"),
        ]
        let rows = [-5000, 5000, 10_000].flatMap { end in streams.map { interval($0, end: end) } }
        let wanted = rows.sorted { ($0.end, $0.stream) < ($1.end, $1.stream) }
        try await kind.run { [key] store in
            try await store.commit([.sample(.sample(key), derived: .append(rows.shuffled(), []))])
            #expect(try await store.intervals(of: key) == wanted)
            #expect(try await store.intervals(of: .sample("another")).isEmpty)
        }
    }

    @Test(arguments: StoreUnderTest.all) func `every member of a score is kept`(kind: StoreUnderTest) async throws {
        var full = ScoreInterval(
            series: .live, start: at(0), end: at(5000), score: 61, audioScore: 60, videoScore: 70,
            costs: [.loss: 0.1 + 0.2, .freeze: 38, .delay: -0.25], missing: ["jitter", "ünknown"],
            heldSeconds: 1.5, isEmitted: true)
        full.rating = TransmissionRating(
            band: .wideband, rFactor: 101.1 + 0.2, listeningRFactor: 110, mosLQ: 4.2, mosCQ: nil, codecRow: "ünknown",
            isEstimate: true, equipmentImpairment: 13, lossRobustness: 6, lossPercent: 0.3, burstRatio: 1,
            oneWayDelayMilliseconds: .infinity)
        let absences: [ScoreInterval.Absence] = [.held, .noMedia, .insufficient]
        let absent = absences.enumerated().map { offset, absence in
            let start = at(Int64(offset + 1) * 5000)
            return ScoreInterval(
                series: .live, start: start, end: start.advanced(byMilliseconds: 5000), score: nil, absence: absence)
        }
        let window = score(.window, 0, 88)
        try await kind.run { [key, full] store in
            try await store.commit([.sample(.sample(key), derived: .append([], [window] + absent.reversed() + [full]))])
            #expect(try await store.scores(of: key, series: .live) == [full] + absent)
            #expect(try await store.scores(of: key, series: .window) == [window])
        }
    }

    @Test(arguments: StoreUnderTest.all) func `rows that are appended follow, and replace those they repeat`(
        kind: StoreUnderTest
    ) async throws {
        let audio = stream(.inbound, .audio)
        try await kind.run { [key] store in
            try await store.commit([
                .sample(
                    .sample(key),
                    derived: .append([interval(audio, end: 5000, packets: 1)], [score(.window, 0, 50, length: 4000)]))
            ])
            try await store.commit([
                .sample(
                    .sample(key),
                    derived: .append(
                        [interval(audio, end: 5000, packets: 2), interval(audio, end: 10_000)],
                        [score(.window, 0, 60), score(.window, 10_000, 70)]))
            ])
            #expect(
                try await store.intervals(of: key) == [
                    interval(audio, end: 5000, packets: 2), interval(audio, end: 10_000),
                ])
            #expect(
                try await store.scores(of: key, series: .window) == [
                    score(.window, 0, 60), score(.window, 10_000, 70),
                ])
        }
    }

    @Test(arguments: StoreUnderTest.all) func `rows that replace are the only ones of their record`(
        kind: StoreUnderTest
    ) async throws {
        let other = CallKey.sample("call", observer: "other")
        let row = interval(stream(.inbound, .audio), end: 7000)
        try await kind.run { [key] store in
            try await store.commit([.full(key), .full(other)])
            try await store.commit([.sample(.sample(key), derived: .replace([row], [score(.live, 0, 1)]))])
            #expect(try await store.intervals(of: key) == [row])
            #expect(try await store.scores(of: key, series: .live) == [score(.live, 0, 1)])
            #expect(try await store.scores(of: key, series: .window).isEmpty)
            #expect(try await store.scores(of: other, series: .window).count == 1)
            #expect(try await store.facts(of: key).count == 3)
        }
    }

    @Test(arguments: StoreUnderTest.all, [-1, 101, 1000]) func `a score that is none is refused`(
        kind: StoreUnderTest, value: Int
    ) async throws {
        var audio = score(.live, 5000, 50)
        audio.audioScore = value
        var video = score(.live, 5000, 50)
        video.videoScore = value
        try await kind.run { [key, audio, video] store in
            try await store.commit([.full(key)])
            for wrong in [score(.live, 5000, value), audio, video] {
                await #expect(throws: CallStoreError.self) {
                    try await store.commit([.sample(.sample(key), derived: .append([], [wrong]))])
                }
            }
            #expect(try await store.scores(of: key, series: .live).isEmpty)
        }
    }
}

extension MediaInterval {
    static var everyMemberSet: MediaInterval {
        let stream = StreamKey(
            connection: ConnectionID(rawValue: "pc\u{0}1"), direction: .inbound, kind: .video, source: "4294967295")
        var interval = MediaInterval(stream: stream, start: at(-1), end: at(10_000), segment: 3)
        interval.packets = 1
        interval.packetsLost = -2
        interval.lossPercent = 0.1 + 0.2
        interval.packetsDiscarded = 4
        interval.bitrateKilobitsPerSecond = 5.5
        interval.jitterMilliseconds = 6
        interval.roundTripMilliseconds = 7.25
        interval.concealedPercent = 8
        interval.silentConcealedPercent = 9
        interval.stretchedPercent = 10
        interval.concealmentEvents = 11
        interval.jitterBufferMilliseconds = 12
        interval.audioLevelDecibels = -13.5
        interval.framesPerSecond = 14
        interval.frameWidth = 15
        interval.frameHeight = 16
        interval.frozenSeconds = 17
        interval.freezeCount = 18
        interval.meanQuantizer = 19
        interval.targetKilobitsPerSecond = 20
        interval.cpuLimitedPercent = 21
        interval.bandwidthLimitedPercent = 22
        interval.heldSeconds = 23.5
        for (offset, metric) in StreamMetric.allCases.enumerated() {
            interval.metrics[metric] = 0.1 * Double(offset) - 1
        }
        return interval
    }
}
