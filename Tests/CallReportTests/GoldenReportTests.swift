import CallModel
import CallReport
import TestSupport
import Testing

@Suite struct GoldenReportTests {
    @Test(arguments: Records.all.map(\.name)) func `the text report reads as it did`(name: String) throws {
        let (_, record, now) = try #require(Records.all.first { $0.name == name })
        try Golden.expect(TextReport(record, at: now).render(), matches: "\(name).txt")
    }

    @Test(arguments: ["rich", "not-answered", "live", "hostile", "wire"])
    func `the JSON report reads as it did`(name: String) throws {
        let (_, record, now) = try #require(Records.all.first { $0.name == name })
        try Golden.expect(JSONReport(record, at: now).value.indentedText, matches: "\(name).json.txt")
    }

    @Test func `the list reads as it did`() throws {
        let list = CallList(Self.page, at: Records.nowOfLive)
        try Golden.expect(list.text(), matches: "list.txt")
        try Golden.expect(list.json(), matches: "list.json.txt")
    }

    @Test func `the report of a capture reads as it did`() throws {
        let report = CaptureReport(
            Records.capture, calls: WorstCalls(of: Records.callsOfCapture), at: Records.nowLongAfter,
            hint: "statsreport edge.pcapng --call ID")
        try Golden.expect(report.text(), matches: "capture.txt")
        let json = CaptureReport.wholeJSON(Records.capture, [Records.wireBare.summary], at: Records.nowLongAfter)
        try Golden.expect(json, matches: "capture.json.txt")
    }

    @Test func `a capture without calls says so`() {
        let report = CaptureReport(
            CaptureFigures(name: "empty.pcap"), calls: WorstCalls(), at: Records.start, hint: "x")
        #expect(
            report.text() == """
                Capture empty.pcap
                  0 frames
                  0 RTP packets in 0 streams, 0 RTCP packets, 0 SIP messages, 0 calls

                No calls.

                """)
    }

    @Test func `RTCP that is encrypted is not said to be missing`() {
        var record = Records.wireBare
        #expect(TextReport(record, at: Records.nowLongAfter).render().contains("\n  no RTCP passed by\n"))
        record.summary.streams[0].wire?.lastControlAt = Records.at(500)
        let text = TextReport(record, at: Records.nowLongAfter).render()
        #expect(text.contains("\n  RTCP passed by of which nothing can be read: it is encrypted\n"))
        #expect(!text.contains("no RTCP"))
    }

    @Test func `the round trip of an encrypted call is said to be that of ICE`() {
        var record = Records.wireBare
        record.summary.streams[0].wire?.lastControlAt = Records.at(500)
        record.summary.streams[0].wire?[.totalRoundTripTime] = 0.5112
        record.summary.streams[0].wire?[.roundTripTimeMeasurements] = 12
        let text = TextReport(record, at: Records.nowLongAfter).render()
        #expect(text.contains("\n  round trip, by ICE  42.6 ms of 12\n"), "\(text)")
        #expect(text.contains("\n  RTCP passed by of which nothing can be read: it is encrypted\n"))
    }

    @Test func `colours only repeat what the text says`() {
        let style = TextStyle(isColoured: true)
        let coloured = TextReport(Records.rich, at: Records.nowLongAfter, style: style).render()
        let plain = TextReport(Records.rich, at: Records.nowLongAfter).render()
        #expect(coloured.hasPrefix("\u{1b}[31m✕ bad 41/100, worst 0\u{1b}[0m — blackout"))
        #expect(coloured.replacing(/\x1b\[\d*m/, with: "") == plain)
        let list = CallList(Self.page, at: Records.nowOfLive)
        #expect(list.text(style: style).replacing(/\x1b\[\d*m/, with: "") == list.text())
    }

    @Test func `an empty list says so`() {
        let list = CallList(CallPage(calls: [], next: nil), at: Records.start)
        #expect(list.text() == "No calls.\n")
        #expect(list.json() == "{\n  \"calls\": [],\n  \"next\": null\n}\n")
    }

    private static var page: CallPage {
        let calls = Records.all.map { StoredSummary(summary: $0.record.summary, isDirty: $0.record.isDirty) }
        return CallPage(calls: calls, next: CallCursor(sortValue: 70, recordNumber: 6))
    }
}
