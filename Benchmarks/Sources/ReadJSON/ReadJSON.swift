import ArgumentParser
import CallModel
import Foundation
import JSONText

/// Reads recorded reports with the collector's reader of JSON and with Foundation's, in turn, and prints what each costs.
@main
struct ReadJSON: ParsableCommand {
    @Option(help: "How often each reader reads all reports.")
    var rounds = 15

    @Argument(help: "Files of reports, one a line.")
    var files: [String]

    func validate() throws {
        guard rounds > 0 else { throw ValidationError("--rounds takes a number from 1 on, not \(rounds)") }
    }

    func run() throws {
        let reports = try files.flatMap { file in
            try Data(contentsOf: URL(filePath: file)).split(separator: UInt8(ascii: "\n")).map { Array($0) }
        }
        let bytes = reports.reduce(0) { $0 + $1.count }
        guard bytes > 0 else { throw ValidationError("no reports in \(files.joined(separator: ", "))") }
        var seconds: [[Double]] = readers.map { _ in [] }
        // The first round, which is not counted, warms up.
        for round in 0...rounds {
            for (index, reader) in readers.enumerated() {
                let spent = try processorSeconds { for report in reports { try reader.read(report) } }
                if round > 0 { seconds[index].append(spent) }
            }
        }
        let medians = seconds.map { $0.sorted()[$0.count / 2] }
        print("\(reports.count) reports of \(bytes / reports.count) bytes, \(rounds) rounds\n")
        print("| reader | µs CPU a report | MB/s | ratio |\n|---|---:|---:|---:|")
        for (reader, median) in zip(readers, medians) {
            let figures = [median / Double(reports.count) * 1e6, Double(bytes) / median / 1e6, median / medians[0]]
            print("| \(reader.name) | \(figures.map { String(format: "%.1f", $0) }.joined(separator: " | ")) |")
        }
    }

    private var readers: [(name: String, read: ([UInt8]) throws -> Void)] {
        let decoder = JSONDecoder()
        return [
            ("`JSONText`: every member", { _ = try JSONValue(parsing: $0) }),
            ("`JSONDecoder`: 23 members of each object", { _ = try decoder.decode(Report.self, from: Data($0)) }),
            ("`JSONSerialization`: every member", { _ = try JSONSerialization.jsonObject(with: Data($0)) }),
            ("`JSONDecoder`: every member", { _ = try decoder.decode(AnyValue.self, from: Data($0)) }),
        ]
    }

    private func processorSeconds(_ work: () throws -> Void) rethrows -> Double {
        func spent() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let began = spent()
        try work()
        return spent() - began
    }
}
