import CallModel
import TestSupport
import Testing

@testable import Collector

/// What of a commit is told to those who watch.
@Suite struct LiveIntakeTests {
    /// What is told of commits one after another, the first of which makes the record.
    private static func told(_ changes: [RecordChange], isNew: Bool = true) -> [LiveEvent.Kind] {
        var intake = LiveIntake(limit: 1000)
        for (index, change) in changes.enumerated() {
            let new: Set<CallKey> = isNew && index == 0 ? [change.key] : []
            intake.note([change], new: new, now: change.summary.lastReceivedAt)
        }
        return intake.take().events.map(\.kind)
    }

    @Test func `a score is told first, and then when its whole number is another`() {
        let changes = [10, 20, 30, 40].map { RecordChange.live(at: $0, scores: $0 == 30 ? [81] : [80]) }
        #expect(
            Self.told(changes) == [
                .callStarted, .inboundQualityChanged(score: 80), .inboundQualityChanged(score: 81),
                .inboundQualityChanged(score: 80),
            ])
    }

    @Test func `a call that its probe does not watch any more is over, and begins again if it is told of again`() {
        var changes = [10, 20, 30, 40].map { RecordChange.live(at: $0) }
        for index in [1, 3] { changes[index].summary.sensor = SensorHealth(watchedUntil: .live(45)) }
        let end = LiveEvent.Kind.callEnded(LiveEnding(outcome: .unknown, score: nil, worstScore: nil, reason: "silent"))
        #expect(Self.told(changes) == [.callStarted, end, .callStarted, end])
    }

    @Test func `what is derived anew is told as it stands at its end, if that is news`() {
        let first = RecordChange.live(at: 10, scores: [80])
        let same = RecordChange.live(at: 10, scores: [12, 80], isAnew: true)
        let other = RecordChange.live(at: 10, scores: [80, 12], isAnew: true)
        #expect(Self.told([first, same, other]).dropFirst(2) == [.inboundQualityChanged(score: 12)])
        // Nobody watched it, and nothing came: an old call that is derived anew.
        #expect(Self.told([other], isNew: false) == [])
    }

    @Test func `an issue is raised, raised again when it is worse, and cleared once`() {
        let course: [[CallIssue]] = [
            [], [.live(.jitter, isOpen: true)], [.live(.jitter, isOpen: true)],
            [.live(.jitter, isOpen: true), .live(.jitter, .critical, isOpen: true)],
            [.live(.jitter, .critical, isOpen: true)], [.live(.jitter, .critical, isOpen: false)],
            [.live(.jitter, .critical, isOpen: false)], [.live(.jitter, isOpen: true)], [],
        ]
        let changes = course.enumerated().map { RecordChange.live(at: Int64($0), issues: $1) }
        #expect(
            Self.told(changes).dropFirst() == [
                .issueRaised(.jitter, .warning), .issueRaised(.jitter, .critical), .issueCleared(.jitter, .critical),
                .issueRaised(.jitter, .warning), .issueCleared(.jitter, .warning),
            ])
    }

    @Test func `what is over before it is told is raised and cleared at once`() {
        let one = [CallIssue.live(.pathChange, .notice, isOpen: false)]
        let changes = [[], one, one, one + one].enumerated().map { RecordChange.live(at: Int64($0), issues: $1) }
        let both: [LiveEvent.Kind] = [.issueRaised(.pathChange, .notice), .issueCleared(.pathChange, .notice)]
        #expect(Self.told(changes).dropFirst() == ArraySlice(both + both))
    }

    /// Whatever the issues do: what is raised is cleared before it is raised as the same again, and never twice.
    @Test(arguments: 1...100 as ClosedRange<UInt64>) func `raised and cleared take turns`(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let changes = (0..<60 as Range<Int64>).map { second -> RecordChange in
            let issues = [IssueKind.jitter, .delay, .jitter, .freeze].filter { _ in Bool.random(using: &random) }.map {
                CallIssue.live(
                    $0, IssueSeverity.allCases.randomElement(using: &random) ?? .notice,
                    isOpen: Bool.random(using: &random))
            }
            return RecordChange.live(at: second, issues: issues)
        }
        var open: [IssueKind: IssueSeverity] = [:]
        for kind in Self.told(changes) {
            switch kind {
            case .issueRaised(let issue, let severity):
                #expect(open[issue].map { $0 < severity } != false)
                open[issue] = severity
            case .issueCleared(let issue, _): #expect(open.removeValue(forKey: issue) != nil)
            default: break
            }
        }
        let last: [CallIssue] = changes.last?.summary.issues.all ?? []
        #expect(Set(open.keys) == Set(last.filter(\.isOpen).map(\.kind)))
    }

    @Test func `an end is told once, with how the call was, and nothing behind it`() {
        let end = RecordChange.live(at: 20, ended: true)
        let late = RecordChange.live(at: 20, scores: [40], issues: [.live(.jitter, isOpen: true)], ended: true)
        let ending = LiveEnding(outcome: .unknown, score: nil, worstScore: nil, reason: "unknown")
        #expect(Self.told([.live(at: 10), end, late, late]) == [.callStarted, .callEnded(ending)])
    }

    @Test func `of a call that went on before anybody watched only news is told`() {
        let going = RecordChange.live(at: 10, scores: [70], issues: [.live(.jitter, isOpen: true)])
        #expect(Self.told([going], isNew: false) == [.inboundQualityChanged(score: 70)])
        let over = RecordChange.live(at: 10, scores: [70], ended: true)
        #expect(Self.told([over], isNew: false) == [])
    }

    /// After a restart: the calls that a snapshot shows would go on for ever in the eyes of who watches.
    @Test
    func `of a call that was shown to who watches the end is told, though nothing was heard of it since the start`() {
        let shown = RecordChange.live(at: 0, issues: [.live(.jitter, isOpen: true)]).summary
        for ended in [true, false] {
            var intake = LiveIntake(limit: 1000)
            intake.adopt([shown])
            if ended {
                intake.note([.live(at: 10, issues: shown.issues.all, ended: true)], new: [], now: .live(10))
            } else {
                intake.expire(now: .live(89))
                #expect(intake.take().events.isEmpty)
                intake.expire(now: .live(90))
            }
            intake.adopt([shown])
            #expect(intake.take().events.map(\.kind.name) == ["callEnded"])
        }
    }

    @Test func `a silent call is over after 90 s, and starts again when it is heard of`() {
        var intake = LiveIntake(limit: 1000)
        intake.note([.live(at: 0)], new: [.live()], now: .live(0))
        intake.expire(now: .live(89))
        #expect(intake.take().events.map(\.kind.name) == ["callStarted"])
        intake.expire(now: .live(90))
        intake.expire(now: .live(200))
        let ended = intake.take().events
        #expect(ended.map(\.kind.name) == ["callEnded"] && ended[0].time == .live(0))
        intake.note([.live(at: 201)], new: [], now: .live(201))
        intake.expire(now: .live(600))
        #expect(intake.take().events.map(\.kind.name) == ["callStarted", "callEnded"])
        // Forgotten: what comes now is of a call that went on before.
        intake.note([.live(at: 700)], new: [], now: .live(700))
        #expect(intake.take().events.isEmpty)
    }

    @Test func `an end of which a probe tells nothing goes on while it tells of the other`() {
        let ends = ["wire:caller", "wire:callee", "other:callee"].map { name -> CallKey in
            var key = CallKey.live()
            key.observer = ObserverID(rawValue: name)
            return key
        }
        var intake = LiveIntake(limit: 1000)
        intake.note(ends.map { .live($0, at: 0) }, new: Set(ends), now: .live(0))
        intake.note([.live(ends[0], at: 60)], new: [], now: .live(60))
        _ = intake.take()
        intake.expire(now: .live(149))
        #expect(intake.take().events.map(\.key) == [ends[2]])
        intake.expire(now: .live(150))
        #expect(Set(intake.take().events.map(\.key)) == [ends[0], ends[1]])
    }

    @Test func `what finds no room is counted, and what is remembered is bounded`() {
        var intake = LiveIntake(limit: 3)
        for index in 0..<5 { intake.note([.live(.live("\(index)"), at: 0)], new: [.live("\(index)")], now: .live(0)) }
        let (events, dropped) = intake.take()
        #expect(events.count == 3 && dropped == 2)
        #expect(intake.take().events.isEmpty && intake.take().dropped == 0)
    }
}
