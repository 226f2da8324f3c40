import CallModel
import Foundation
import JSONText
import TestSupport
import Testing

/// What the documents show of reports is what the programs print.
@Suite struct DocumentedReportTests {
    private static let samples = SharedData.packageRoot.appending(path: "SampleData")

    @Test(arguments: ["10-outage5s/report.A.txt", "captures/s6-baresip-pcma-loss5-jitter30/report.txt"])
    func `the first page shows a report as it is printed`(name: String) throws {
        let printed = try String(contentsOf: Self.samples.appending(path: name), encoding: .utf8)
        let page = try Page(SharedData.packageRoot.appending(path: "README.md"))
        let verdict = try #require(printed.split(separator: "\n").first { $0.contains("/100, worst ") })
        let shown = try #require(page.blocks.first { $0.text.hasPrefix(verdict) })
        #expect(shown.firstLineMissing(in: printed) == nil)
    }

    @Test(arguments: ["cisco", "fcsdk", "kandy", "liblinphone", "sendbird"])
    func `what the page of an SDK shows comes out when it is done`(name: String) async throws {
        let page = try Page(SharedData.packageRoot.appending(path: "docs/sdk/\(name).md")).after("## What you get")
        let events = try #require(page.blocks.first { $0.language == "json" })
        let shown = page.blocks.filter { $0.language.isEmpty && !$0.text.hasPrefix("curl ") }
        #expect(!shown.isEmpty)
        try await Sidetone.run { sidetone in
            for posting in page.postings {
                let body = try Data(contentsOf: SharedData.packageRoot.appending(path: posting.file))
                #expect(try await sidetone.post(posting.path, Array(body)).status == 202)
            }
            let lines = events.unbrokenLines
            #expect(try await sidetone.post(page.eventsPath, lines.joined(separator: "\n")).status == 202)
            let calls = try Set(lines.map { try #require(JSONValue(parsing: Array($0.utf8))["callId"].text) })
            var reports: [String] = []
            for call in calls { reports.append(try await sidetone.get("/v1/calls/\(call)/report").text) }
            for block in shown {
                let missing = reports.map { block.firstLineMissing(in: $0) }
                #expect(missing.contains(nil), "in no report of \(calls): \(missing.compactMap(\.self))")
            }
        }
    }
}

/// A page of the documents, or the rest of one.
private struct Page {
    let text: String

    init(_ file: URL) throws { text = try String(contentsOf: file, encoding: .utf8) }

    private init(text: String) { self.text = text }

    /// The part behind a heading.
    func after(_ heading: String) throws -> Page {
        Page(text: String(text[try #require(text.range(of: heading)).upperBound...]))
    }

    /// What stands between lines of three backticks.
    var blocks: [Block] {
        text.matches(of: #/(?m)^```([a-z]*)\n((?s).*?)^```$/#).map {
            Block(language: String($0.output.1), text: String($0.output.2))
        }
    }

    /// The files that it says to post, and where.
    var postings: [(file: String, path: String)] {
        text.matches(of: #/--data-binary @(SampleData/\S+)[\s\\]+'http://127.0.0.1:8080(\S+)'/#).map {
            (String($0.output.1), String($0.output.2))
        }
    }

    /// Where it says to post the events that it shows.
    var eventsPath: String {
        text.firstMatch(of: #//v1/events\?observer=[a-z]+/#).map { String($0.output) } ?? "/v1/events"
    }
}

/// What a page shows between lines of three backticks.
private struct Block {
    var language: String
    var text: String

    /// Its lines; those that were broken to be read are one again.
    var unbrokenLines: [String] {
        text.replacing(#/\n +/#, with: "").split(separator: "\n").map(String.init)
    }

    /// The first line that does not follow the ones before it in a report; `…` stands for any lines.
    func firstLineMissing(in report: String) -> String? {
        var rest = report.split(separator: "\n")[...]
        for line in text.split(separator: "\n") where line.contains(where: { $0 != "…" && $0 != " " }) {
            guard let place = rest.firstIndex(of: line) else { return String(line) }
            rest = rest[(place + 1)...]
        }
        return nil
    }
}
