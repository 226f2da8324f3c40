import CallModel
import Testing

@testable import CallReport

@Suite struct InterruptionTests {
    private static func text(_ holds: [MediaHold], issues: [CallIssue] = []) -> String {
        var record = Records.rich
        record.summary.course = CallCourse()
        record.summary.holds = holds
        if !issues.isEmpty { record.summary.issues = CallIssues(issues, leftOut: 0) }
        return TextReport(record, at: Records.nowLongAfter).render()
    }

    private static func hold(lasting milliseconds: Int64, seconds: Double, isSenderPause: Bool?) -> MediaHold {
        let start = Records.start.advanced(byMilliseconds: 20_000)
        let span = TimeSpan(start: start, end: start.advanced(byMilliseconds: milliseconds))
        return MediaHold(span: span, seconds: seconds, isSenderPause: isSenderPause)
    }

    @Test func `a sender that pauses is not said to be on hold`() {
        let text = Self.text([Self.hold(lasting: 3_020, seconds: 3.02, isSenderPause: true)])
        #expect(text.contains("(+20.000 s) sender paused for 3.0 s\n"))
        #expect(!text.contains("on hold for"))
    }

    @Test func `a pause of which the place is not known is told with the time that it lies in`() {
        let text = Self.text([Self.hold(lasting: 5_000, seconds: 3.02, isSenderPause: true)])
        #expect(text.contains("(+20.000 s) sender paused for 3.0 s within 5.0 s\n"))
    }

    /// A client cannot tell a far end that sends nothing from one whose sound is held up.
    @Test func `where sound went one way only its sender is not said to pause`() {
        func text(_ cause: IssueCause, isSenderPause: Bool) -> String {
            let hold = Self.hold(lasting: 3_020, seconds: 3.02, isSenderPause: isSenderPause)
            return Self.text(
                [hold], issues: [CallIssue(kind: .oneWayAudio, severity: .critical, span: hold.span, cause: cause)])
        }
        #expect(!text(.farEndSendsNothing, isSenderPause: true).contains("sender paused"))
        #expect(text(.nothingSent, isSenderPause: true).contains("sender paused for 3.0 s"))
        #expect(text(.farEndSendsNothing, isSenderPause: false).contains("on hold for 3.0 s"))
    }

    @Test(arguments: [false, nil]) func `a hold is on hold`(isSenderPause: Bool?) {
        let text = Self.text([Self.hold(lasting: 9_000, seconds: 8, isSenderPause: isSenderPause)])
        #expect(text.contains("(+20.000 s) on hold for 8.0 s\n"))
    }

    @Test(arguments: [("HOLD", nil), ("T38", true)] as [(String, JSONValue?)])
    func `fax is told as that, and is no hold`(type: String, isActive: JSONValue?) {
        let span = TimeSpan(start: Records.at(20_000), end: Records.at(39_000))
        var summary = Records.summary(lasting: 60_000)
        summary.course.lanes = [CallLane(kind: .held, span: span)]
        var members: JSONObject = ["end": "caller"]
        members["isActive"] = isActive
        let record = Records.record(summary, events: [Records.event(20_000, "sip", type, members)])
        let context = ReportContext(record: record, now: Records.nowLongAfter, columns: 80)
        let lines = InterruptionSection(context: context).lines.map { $0.rendered(isColoured: false) }
        #expect(lines.last?.hasSuffix("(+20.000 s) \(isActive == nil ? "on hold" : "fax (T.38)") for 19000 ms") == true)
    }

    /// The lines of a call whose sender pauses every 3.5 s for as many ms as `pauses` tells, and of one outage of a second
    /// after all of them.
    private static func lines(pauses: [Int64]) -> [String] {
        var summary = Records.summary(lasting: 600_000)
        summary.holds = pauses.enumerated().map { number, length in
            let start = Records.at(Int64(number) * 3_500)
            return MediaHold(
                span: TimeSpan(start: start, end: start.advanced(byMilliseconds: length)),
                seconds: Double(length) / 1000, isSenderPause: true)
        }
        let (start, end) = (Records.at(400_000), Records.at(401_000))
        summary.outages = [MediaOutage(span: TimeSpan(start: start, end: end), seconds: 1, evidence: [])]
        let context = ReportContext(record: Records.record(summary), now: Records.nowLongAfter, columns: 80)
        return InterruptionSection(context: context).lines.map { $0.rendered(isColoured: false) }
    }

    @Test func `of many interruptions the outages are shown, and the longest, in order of time`() throws {
        let lines = Self.lines(pauses: Array(repeating: 1_500, count: 40) + [3_000])
        #expect(lines.first == "Interruptions (outages, then the longest)")
        #expect(lines.count == 1 + 30 + 1)
        #expect(lines[1].hasSuffix("(+0.000 s) sender paused for 1.5 s"))
        #expect(lines[28].hasSuffix("(+94.500 s) sender paused for 1.5 s"))
        #expect(lines[29].hasSuffix("(+140.000 s) sender paused for 3.0 s"))
        #expect(lines[30].hasSuffix("(+400.000 s) no sound for 1.0 s"))
        #expect(lines[31] == "  … 12 more")
    }

    @Test func `where a record keeps no more interruptions there were at least as many`() {
        let lines = Self.lines(pauses: Array(repeating: 1_500, count: MediaHold.mostKept))
        #expect(lines.last == "  … at least 71 more")
    }
}
