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
}
