import CallModel
import TestSupport
import Testing

@testable import ClientStats

/// Events of a file whose client's clock was set back.
@Suite struct ClockStepTests {
    private func report(_ second: Int64, received: Int, observer: String = "a") -> String {
        let report = ImportSamples.report(second: second, received: received)
        return #"{"callId":"c","observer":"\#(observer)","statistics":\#(report)}"#
    }

    private func event(_ type: String, _ second: Int64, observer: String = "a") -> String {
        let time = ImportSamples.start + 1000 * second
        return #"{"action":"callState","type":"\#(type)","callId":"c","observer":"\#(observer)","time":\#(time)}"#
    }

    /// Types and seconds since the start, in order of time.
    private func events(_ lines: String...) throws -> [String] {
        try ImportedFile(lines.joined(separator: "\n")).events.map {
            "\($0.type) \(($0.time.milliseconds - ImportSamples.start) / 1000)"
        }
    }

    /// The step is known from the report at -500 on, which is the one 10 s after that at 20.
    @Test func `what happens after the step is moved on with the reports`() throws {
        let told = try events(
            event("IN_CALL", 1), report(0, received: 100), report(10, received: 200), report(20, received: 300),
            report(-500, received: 400), event("ON_HOLD", -495), report(-490, received: 500), event("ENDED", -485))
        #expect(told == ["IN_CALL 1", "ON_HOLD 35", "ENDED 45"])
    }

    @Test func `what another clock tells of, and another end, is not`() throws {
        let told = try events(
            report(0, received: 100), report(10, received: 200), report(-500, received: 300), event("ON_HOLD", 22),
            report(10, received: 100, observer: "b"), event("ENDED", 12, observer: "b"))
        #expect(told == ["ENDED 12", "ON_HOLD 22"])
    }
}
