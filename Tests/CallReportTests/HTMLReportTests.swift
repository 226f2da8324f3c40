import CallModel
import CallReport
import JSONText
import TestSupport
import Testing

@Suite struct HTMLReportTests {
    /// The element that begins with `opening`, without its tags.
    private static func content(of text: String, after opening: String, before closing: String) throws -> Substring {
        let start = try #require(text.firstRange(of: opening))
        let end = try #require(text[start.upperBound...].firstRange(of: closing))
        return text[start.upperBound..<end.lowerBound]
    }

    /// The first record that stands in the report.
    private static func record(of text: String) throws -> JSONObject {
        let data = try content(of: text, after: #"<script type="application/json" id="data">"#, before: "</script>")
        let value = try JSONValue(parsing: Array(data.utf8))
        guard case .array(let records)? = value.members?["records"] else { return [:] }
        return try #require(records.first?.members)
    }

    @Test(arguments: ["rich", "not-answered", "live", "hostile", "wire"])
    func `the figures in the report are those of the JSON report`(name: String) throws {
        let (_, record, now) = try #require(Records.all.first { $0.name == name })
        let text = HTMLReport([record], at: now).render()
        let shown = try Self.record(of: text)
        let summary = JSONSummary(record.summary, at: now, isDirty: record.isDirty, ties: record.ties).value
        #expect(shown["summary"] == summary)
        #expect(
            shown["events"] == .array(record.events.map { JSONEvent($0, createdAt: record.summary.createdAt).value }))
        guard case .array(let windows)? = shown["series"]?.members?["windows"] else {
            Issue.record("no windows")
            return
        }
        #expect(windows.count == record.windows.count)
    }

    @Test func `without scripts it is the text report`() throws {
        let text = HTMLReport([Records.rich], at: Records.nowLongAfter).render()
        let shown = try Self.content(of: text, after: "<noscript><pre>", before: "</pre></noscript>")
        let plain = shown.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
            .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
        #expect(plain == TextReport(Records.rich, at: Records.nowLongAfter).render())
    }

    @Test func `it names nothing outside itself`() {
        let text = HTMLReport([Records.rich], at: Records.nowLongAfter).render()
        for word in ["src=", "<link", "@import", "url(http", "fetch(", "from './"] {
            #expect(!text.contains(word), "\(word)")
        }
        #expect(text.contains(#"content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'""#))
    }

    @Test(arguments: [
        "</script><script>alert(1)</script>", "<!--<script>", "\u{2028}\u{2029}", "'\"&amp;<b>",
        "</noscript></pre><img>",
        "]]>", "</title><script>", "\\u003c/script>",
    ])
    func `a hostile id breaks out of nothing`(id: String) throws {
        var summary = Records.summary(Records.key(id, observer: id), lasting: 1000)
        summary.endReason = id
        let record = Records.record(summary, events: [Records.event(5, id, id, [id: .string(id)])])
        let text = HTMLReport([record], at: Records.nowLongAfter).render()
        let harmless = HTMLReport(
            [Records.record(Records.summary(Records.key("id"), lasting: 1000))], at: Records.nowLongAfter
        )
        .render()
        for tag in ["<script", "</script", "<!--", "<img", "<b>", "</title", "</noscript", "</pre"] {
            #expect(text.ranges(of: tag).count == harmless.ranges(of: tag).count, "\(tag)")
        }
        #expect(!text.unicodeScalars.contains("\u{2028}") && !text.unicodeScalars.contains("\u{2029}"))
        let shown = try Self.record(of: text)["summary"]?.members
        #expect(shown?["callId"]?.text == id && shown?["endReason"]?.text == id)
    }
}
