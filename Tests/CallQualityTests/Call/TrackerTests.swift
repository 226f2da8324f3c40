import CallModel
import Testing

@testable import CallQuality

@Suite struct SpanTrackerTests {
    /// `o` opens, `c` closes, one a second.
    private func tracker(_ script: String) -> SpanTracker {
        var tracker = SpanTracker()
        for (second, step) in script.enumerated() {
            let time = Timestamp(milliseconds: Int64(second) * 1_000)
            if step == "o" { tracker.open(at: time) } else { tracker.close(at: time) }
        }
        return tracker
    }

    private func span(_ start: Int64, _ end: Int64?) -> TimeSpan {
        TimeSpan(
            start: Timestamp(milliseconds: start * 1_000), end: end.map { Timestamp(milliseconds: $0 * 1_000) })
    }

    @Test func `two starts in a row are one span, and the last may stay open`() {
        #expect(tracker("ocooco").spans == [span(0, 1), span(2, 4), span(5, nil)])
    }

    @Test func `a second start inside a span is part of it`() {
        #expect(tracker("ocooc").spans == [span(0, 1), span(2, 4)])
    }

    @Test func `an end without a start is counted and opens nothing`() {
        let tracker = tracker("c")
        #expect(tracker.spans == [])
        #expect(tracker.strayEnds == 1)
    }

    /// By their names they would be the other way round.
    @Test func `a change of the address that begins and ends in one millisecond is one that is over`() throws {
        var call = ScriptedCall(30)
        call.events = ["ipChangeEnded", "ipChangeStarted"].map { ScriptedCall.event("ipChange", $0, at: 15) }
        let summary = try #require(call.summary(every: 10))
        #expect(summary.ipChanges == [TimeSpan(start: ScriptedCall.at(15), end: ScriptedCall.at(15))])
        #expect(summary.dataQuality.notes == [])
        #expect(summary.issues.all.filter { $0.kind == .ipChange }.map(\.isOpen) == [false])
    }

    @Test func `a client that flaps without end does not fill the memory`() {
        #expect(tracker(String(repeating: "oc", count: 5_000)).spans.count == 200)
    }

    @Test func `of more spans than are kept the shortest go, and the last is known to be open`() {
        let tracker = tracker("oooc" + String(repeating: "oc", count: 250) + "o")
        #expect(tracker.spans == [span(0, 3)] + (0..<198).map { span(108 + 2 * $0, 109 + 2 * $0) } + [span(504, nil)])
        #expect((tracker.strayEnds, tracker.leftOut) == (0, 52))
        #expect(tracker.openedAt == span(504, nil).start)
    }
}

@Suite struct OutageTrackerTests {
    /// Spans of ten seconds: how much of each was dark, and how old the last packet was at its end.
    private func outages(_ spans: [(dark: Double, age: Int64)]) -> [MediaOutage] {
        var tracker = OutageTracker()
        for (index, span) in spans.enumerated() {
            let end = Timestamp(milliseconds: Int64(index + 1) * 10_000)
            var sample = StreamSample(time: end)
            sample.lastPacketReceivedAt = end.advanced(byMilliseconds: -span.age)
            var delta = StreamDelta(
                start: end.advanced(byMilliseconds: -10_000), end: end, segment: 0, counted: CounterSet(),
                sample: sample)
            delta.darkSeconds = span.dark
            delta.darkEvidence = span.dark > 0 ? ["silentConcealedSamples"] : []
            tracker.take(delta)
        }
        return tracker.all
    }

    @Test func `no darkness is no outage`() {
        #expect(outages([(0, 10), (0, 10)]) == [])
    }

    @Test func `a silence inside a span lies somewhere in it`() {
        let span = TimeSpan(start: Timestamp(milliseconds: 10_000), end: Timestamp(milliseconds: 20_000))
        #expect(
            outages([(0, 10), (5, 10), (0, 10)]) == [
                MediaOutage(span: span, seconds: 5, evidence: ["silentConcealedSamples"])
            ])
    }

    @Test func `a silence over three reports is one outage from the last packet on`() throws {
        let found = outages([(3, 3_000), (10, 13_000), (2, 10), (0, 10)])
        #expect(found.count == 1)
        let outage = try #require(found.first)
        #expect(outage.seconds == 15)
        #expect(outage.span == TimeSpan(start: Timestamp(milliseconds: 7_000), end: Timestamp(milliseconds: 22_000)))
    }

    /// What is taken to have been played as comfort noise has been seen by nobody: where it lay is not known.
    @Test(arguments: [(2, 13_000), (0, 20_000)] as [(Double, Int64)])
    func `a silence that began before the span is over when it has lasted as long as it did`(
        seen: Double, end: Int64
    ) {
        var tracker = OutageTracker()
        var sample = StreamSample(time: Timestamp(milliseconds: 20_000))
        sample.lastPacketReceivedAt = sample.time
        var delta = StreamDelta(
            start: Timestamp(milliseconds: 10_000), end: sample.time, segment: 0, counted: CounterSet(),
            sample: sample)
        (delta.earlierSilenceSeconds, delta.carriedSilenceSeconds, delta.darkSeconds) = (seen, 2, 3)
        tracker.take(delta)
        #expect(
            tracker.all == [
                MediaOutage(
                    span: TimeSpan(start: Timestamp(milliseconds: 8_000), end: Timestamp(milliseconds: end)),
                    seconds: 5, evidence: [])
            ])
    }

    @Test func `two silences with sound between them are two`() {
        #expect(outages([(5, 10), (5, 10)]).map(\.seconds) == [5, 5])
        #expect(outages([(5, 10), (0, 10), (5, 10)]).map(\.seconds) == [5, 5])
    }

    @Test func `of more than can be kept none is added to another`() {
        let silence: [(dark: Double, age: Int64)] = [(4, 4_000), (2, 10), (0, 10)]
        let spans = [[(dark: Double, age: Int64)]](repeating: silence, count: 500).flatMap(\.self)
        let found = outages(spans)
        #expect(found.count == MediaOutage.mostKept)
        #expect(found.allSatisfy { $0.seconds == 6 })
    }

    @Test func `streams that are silent at once are one outage`() {
        func outage(_ start: Int64, _ end: Int64, _ seconds: Double, _ evidence: String) -> MediaOutage {
            let span = TimeSpan(start: Timestamp(milliseconds: start), end: Timestamp(milliseconds: end))
            return MediaOutage(span: span, seconds: seconds, evidence: [evidence])
        }
        let joined = MediaOutage.joined([
            outage(9_000, 12_000, 3, "a"), outage(1_000, 6_000, 5, "b"), outage(1_200, 6_100, 4.9, "a"),
        ])
        #expect(
            joined == [
                MediaOutage(
                    span: TimeSpan(start: Timestamp(milliseconds: 1_000), end: Timestamp(milliseconds: 6_100)),
                    seconds: 5, evidence: ["a", "b"]),
                outage(9_000, 12_000, 3, "a"),
            ])
    }

    @Test func `shorter ones than three quarters of a second are losses`() {
        #expect(outages([(0.7, 10)]) == [])
        #expect(outages([(0.8, 10)]).map(\.seconds) == [0.8])
    }
}

@Suite struct DataQualityTrackerTests {
    private func report(_ seconds: Double, connection: String = "", late: Int64 = 100, notes: [String] = [])
        -> StatsReport
    {
        let time = Timestamp(milliseconds: Int64(1000 * seconds))
        return StatsReport(
            connection: ConnectionID(rawValue: connection), time: time, receivedAt: time.advanced(byMilliseconds: late),
            objects: [], notes: notes)
    }

    private func quality(_ reports: [StatsReport], events: [CallEvent] = []) -> DataQuality {
        var tracker = DataQualityTracker()
        for report in reports { tracker.take(report) }
        for event in events { tracker.take(event) }
        return tracker.current(counterResets: 0, extraNotes: [])
    }

    @Test func `names the usual length between reports and the gaps`() {
        let quality = quality([0, 10, 20.02, 30, 56, 66, 76].map { report($0) })
        #expect(quality.reports == 7)
        #expect(quality.medianIntervalMilliseconds == 10_000)
        #expect(
            quality.gaps == [TimeSpan(start: Timestamp(milliseconds: 30_000), end: Timestamp(milliseconds: 56_000))])
    }

    @Test func `measures each connection for itself`() {
        let quality = quality((0..<10).map { report(Double($0) * 5, connection: $0 % 2 == 0 ? "a" : "b") })
        #expect(quality.medianIntervalMilliseconds == 10_000)
        #expect(quality.gaps == [])
    }

    @Test func `takes the fastest delivery as the difference of the clocks`() {
        let quality = quality([report(0, late: 900), report(10, late: -250), report(20, late: 4_000)])
        #expect(quality.clockOffsetMilliseconds == -250)
    }

    @Test func `reports that should have come in a gap are counted`() {
        let quality = quality([report(0), report(10), report(20), report(55), report(65)])
        #expect(quality.medianIntervalMilliseconds == 10_000)
        #expect(quality.gaps.map(\.milliseconds) == [35_000])
        #expect(quality.missedReports == 2)
    }

    @Test func `a last report soon after the one before makes no gap of what is usual`() {
        let quality = quality([report(0), report(10), report(10.2)])
        #expect(quality.medianIntervalMilliseconds == 10_000)
        #expect(quality.gaps == [])
    }

    @Test func `one report has no interval`() {
        #expect(quality([report(0)]).medianIntervalMilliseconds == nil)
        #expect(quality([]) == DataQuality())
    }

    @Test func `names event types it does not know, and contradictions`() {
        let time = Timestamp(milliseconds: 0)
        let events = [
            ("callMetric", "callCreate"), ("appState", "sideways"), ("callMetric", "a"), ("callMetric", "a"),
        ]
        .map { CallEvent(time: time, receivedAt: time, action: $0.0, type: $0.1, isContradicted: $0.1 == "a") }
        let quality = quality([], events: events)
        #expect(quality.events == 4)
        #expect(quality.unknownEvents == ["appState/sideways", "callMetric/a"])
        #expect(quality.contradictions == 2)
    }

    @Test func `keeps the notes of the normaliser, each once`() {
        let quality = quality([report(0, notes: ["b", "a"]), report(10, notes: ["a"])])
        #expect(quality.notes == ["a", "b"])
    }

    @Test func `a client that invents types without end does not fill the memory`() {
        let time = Timestamp(milliseconds: 0)
        let events = (0..<1_000).map { CallEvent(time: time, receivedAt: time, action: "x", type: "\($0)") }
        #expect(quality([], events: events).unknownEvents.count == 50)
    }
}
