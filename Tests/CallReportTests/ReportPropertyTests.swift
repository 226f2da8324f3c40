import CallModel
import CallReport
import Foundation
import Testing

@Suite struct ReportPropertyTests {
    private static let seeds = UInt64(0)..<60

    @Test(arguments: seeds) func `a text report keeps to its form whatever the record`(seed: UInt64) {
        var random = RandomRecord(seed: seed)
        let text = TextReport(random.make(), at: Records.at(60_000)).render()
        #expect(formErrors(in: text) == [])
    }

    @Test(arguments: seeds) func `a list keeps to its form whatever the calls`(seed: UInt64) {
        var random = RandomRecord(seed: seed)
        let calls = (0..<5).map { _ in StoredSummary(summary: random.make().summary, isDirty: false) }
        let list = CallList(CallPage(calls: calls, next: nil), at: Records.at(60_000))
        #expect(formErrors(in: list.text()) == [])
        #expect(list.text().split(separator: "\n").count { !$0.hasPrefix("            ") } == 1 + 5 + 2)
    }

    @Test(arguments: seeds) func `a comparison keeps to its form whatever the calls`(seed: UInt64) throws {
        var random = RandomRecord(seed: seed)
        let comparison = CallComparison(random.summary(), random.summary(), at: Records.at(60_000))
        #expect(formErrors(in: comparison.text()) == [])
        #expect(try JSONSerialization.jsonObject(with: Data(comparison.json().utf8)) is [String: Any])
    }

    @Test(arguments: seeds.prefix(12)) func `a report of a capture keeps to its form whatever it holds`(seed: UInt64)
        throws
    {
        var random = RandomRecord(seed: seed)
        let calls = (0..<Int(seed) * 5).map { _ in random.summary() }
        let figures = random.capture()
        let report = CaptureReport(figures, calls: WorstCalls(of: calls), at: Records.at(60_000), hint: random.text())
        #expect(formErrors(in: report.text()) == [])
        let value = try #require(
            try JSONSerialization.jsonObject(
                with: Data(CaptureReport.wholeJSON(figures, calls, at: Records.start).utf8)) as? [String: Any])
        #expect((value["calls"] as? [Any])?.count == calls.count)
    }

    @Test(arguments: seeds) func `the costs shown add up to the sum shown`(seed: UInt64) throws {
        var random = RandomRecord(seed: seed)
        var record = random.make()
        record.summary.score = 50
        let lines = TextReport(record, at: Records.start).render().split(separator: "\n").map(String.init)
        guard let first = lines.firstIndex(where: { $0.hasPrefix("Points lost (") }) else { return }
        let total = try #require(lines[first...].firstIndex { $0.hasPrefix("  in all ") })
        let points = try lines[(first + 1)...total].map { line in
            let digits = try #require(line.firstMatch(of: /\s(\d+)\.(\d)(?:\s|$)/)?.output)
            return try #require(Int("\(digits.1)\(digits.2)"))
        }
        #expect(points.dropLast().reduce(0, +) == points.last)
    }

    @Test(arguments: seeds) func `a JSON report is JSON and tells ids as they are`(seed: UInt64) throws {
        var random = RandomRecord(seed: seed)
        let record = random.make()
        let text = JSONReport(record, at: Records.start).value.indentedText
        #expect(text.unicodeScalars.allSatisfy { !isUnprintable($0) || $0 == "\n" })
        let value = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let call = try #require(value["callId"] as? String)
        #expect(Array(call.unicodeScalars) == Array(record.summary.key.identity.call.rawValue.unicodeScalars))
        #expect((value["streams"] as? [Any])?.count == record.summary.streams.count)
    }

    @Test(arguments: [80, 100, 132]) func `no line is longer than asked for`(columns: Int) {
        for record in Records.all.map(\.record) {
            let text = TextReport(record, at: Records.start, style: TextStyle(columns: columns)).render()
            #expect(formErrors(in: text, columns: columns) == [])
        }
    }

    /// Everything that is not as the form of a text demands.
    private func formErrors(in text: String, columns: Int = 80) -> [String] {
        var errors: [String] = text.hasSuffix("\n") ? [] : ["no newline at the end"]
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.count > columns { errors.append("\(line.count) columns: \(line)") }
            if line.hasSuffix(" ") { errors.append("space at the end: \(line)") }
            if line.unicodeScalars.contains(where: isUnprintable) { errors.append("unprintable: \(line)") }
            let words = line.split { !$0.isLetter }.map { $0.lowercased() }
            if !noFigures.isDisjoint(with: words) { errors.append("no figure: \(line)") }
        }
        return errors
    }

    private let noFigures: Set<String> = ["nan", "inf", "infinity", "nil", "optional"]

    private func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
        default: false
        }
    }
}
