import Foundation
import Testing

@testable import CallReporter

/// The faults T1 to T9 that the document's logger has, one after another.
@Suite struct CallStatisticsTests {
    private static func log(_ statistics: CallStatistics) throws -> [String: [Int]] {
        let text = try String(contentsOfFile: statistics.getLogFilePath(), encoding: .utf8)
        let calls = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[Any]])
        #expect(statistics.logText == text)
        return try Dictionary(
            uniqueKeysWithValues: calls.map { call in
                let reports = try #require(call.last as? [[String: Int]])
                return (try #require(call.first as? String), reports.compactMap { $0["n"] })
            })
    }

    @Test func `reports of calls that overlap go to their calls`() throws {
        try withFolder { folder in
            let statistics = CallStatistics(folder: folder)
            for number in 0..<20 {
                let call = number.isMultiple(of: 2) ? "a" : "b \"quoted\""
                #expect(statistics.checkIsNewCall(call) == (number < 2))
                statistics.saveStatistics(call, stats: "{\"n\": \(number)}")
            }
            statistics.writeLogToFile()
            let log = try Self.log(statistics)
            #expect(log == ["a": (0..<10).map { $0 * 2 }, "b \"quoted\"": (0..<10).map { $0 * 2 + 1 }])
        }
    }

    @Test func `what was saved is there after a crash, and what was torn costs itself`() throws {
        try withFolder { folder in
            CallStatistics(folder: folder).saveStatistics("a", stats: #"{"n": 1}"#)
            CallStatistics(folder: folder).saveStatistics("a", stats: #"{"n": 2}"#)
            let file = URL(filePath: folder + "/CallStatistics/1.call")
            let whole = try Data(contentsOf: file)
            try whole.dropLast(3).write(to: file)
            let statistics = CallStatistics(folder: folder)
            #expect(!statistics.checkIsNewCall("a") && statistics.checkIsNewCall("b") && statistics.checkIsNewCall(nil))
            statistics.saveStatistics("a", stats: #"{"n": 3}"#)
            statistics.writeLogToFile()
            #expect(try Self.log(statistics) == ["a": [1, 3]])
        }
    }

    @Test func `an identifier may have ends of lines in it`() throws {
        try withFolder { folder in
            for number in 1...2 {
                CallStatistics(folder: folder).saveStatistics("a\nb\r\n", stats: "{\"n\": \(number)}")
            }
            let statistics = CallStatistics(folder: folder)
            #expect(!statistics.checkIsNewCall("a\nb\r\n"))
            statistics.writeLogToFile()
            let log = try Self.log(statistics)
            #expect(log == ["a\nb\r\n": [1, 2]])
        }
    }

    @Test func `what an earlier version wrote is read`() throws {
        try withFolder { folder in
            CallStatistics(folder: folder).clearLogs()
            let file = try LineFile(addingTo: folder + "/CallStatistics/1.call")
            try file.add(Array("a".utf8))
            try file.add(Array(#"{"n": 1}"#.utf8))
            let statistics = CallStatistics(folder: folder)
            statistics.saveStatistics("a", stats: #"{"n": 2}"#)
            statistics.writeLogToFile()
            #expect(try Self.log(statistics) == ["a": [1, 2]])
        }
    }

    @Test func `a file whose name is no number of a call is passed over`() throws {
        try withFolder { folder in
            CallStatistics(folder: folder).saveStatistics("a", stats: #"{"n": 1}"#)
            let calls = folder + "/CallStatistics/"
            try FileManager.default.copyItem(atPath: calls + "1.call", toPath: calls + "\(Int.max).call")
            let statistics = CallStatistics(folder: folder)
            statistics.saveStatistics("b", stats: #"{"n": 2}"#)
            statistics.writeLogToFile()
            #expect(try Self.log(statistics) == ["a": [1], "b": [2]])
        }
    }

    @Test func `text that is no JSON is left out and counted`() throws {
        try withFolder { folder in
            let statistics = CallStatistics(folder: folder)
            for text in [
                "", "{", "nan", "{\"n\": }", "\u{0}", "{\"n\":\n 1\r\n}", "[", String(repeating: "[", count: 5_000),
            ] {
                statistics.saveStatistics("a", stats: text)
            }
            statistics.saveStatistics("a", stats: nil)
            #expect(statistics.malformedReports == 6)
            statistics.writeLogToFile()
            let log = try Self.log(statistics)
            #expect(log == ["a": [1]])
        }
    }

    @Test func `calls that go on are all kept, however many, and of those that are over the last five`() {
        var logs = CallLogs(folder: "/nowhere")
        for round in 0..<10 {
            for call in 0..<6 { logs.add("{}", to: "\(call)", at: Int64(round * 10_000 + call)) }
        }
        #expect((0..<6).allSatisfy { logs.knows("\($0)") })
        // A minute later another call comes; the one heard of longest ago goes.
        logs.add("{}", to: "6", at: 200_000)
        #expect((0..<7).map { logs.knows("\($0)") } == [false, false, true, true, true, true, true])
        for call in 7..<200 { logs.add("{}", to: "\(call)", at: 200_000) }
        #expect((0..<200).filter { logs.knows("\($0)") } == Array(150..<200))
    }

    @Test func `a folder with more calls than are kept is brought within bounds`() throws {
        try withFolder { folder in
            var logs = CallLogs(folder: folder)
            for call in 0..<20 { logs.add("{}", to: "\(call)", at: 5) }
            let later = CallLogs(folder: folder)
            #expect((0..<20).filter { later.knows("\($0)") } == Array(15..<20))
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(files.count == 5)
        }
    }

    @Test func `logs that are cleared are gone from disk`() throws {
        try withFolder { folder in
            let statistics = CallStatistics(folder: folder)
            statistics.saveStatistics("a", stats: "{}")
            statistics.clearLogs()
            let log = try Self.log(statistics)
            #expect(log == [:])
            #expect(statistics.checkIsNewCall("a") && CallStatistics(folder: folder).logText == "[]")
        }
    }

    @Test func `a folder that cannot be made is named, and nothing else happens`() {
        let statistics = CallStatistics(folder: "/dev/null")
        statistics.saveStatistics("a", stats: "{}")
        statistics.writeLogToFile()
        #expect(statistics.trouble?.contains("/dev/null") == true)
    }
}
