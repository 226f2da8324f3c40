import CallModel
import Foundation
import TestSupport
import Testing

/// A call of `SampleData` with reports of every second, recorded by `Scripts/record-calls`.
struct SilenceSample {
    /// Whose reports are read, and how many of them.
    struct Reader: Hashable, CustomTestStringConvertible {
        var end: RecordedCall.End
        var cadence: RecordedCall.Cadence

        init(_ end: RecordedCall.End, _ cadence: RecordedCall.Cadence) {
            self.end = end
            self.cadence = cadence
        }

        var testDescription: String { "\(end), \(cadence == .oneSecond ? "1 s" : "10 s")" }
    }

    private let directory: URL
    private let truth: SilenceTruth

    init(_ name: String) throws {
        directory = SharedData.packageRoot.appending(path: "SampleData/\(name)")
        let file = directory.appending(path: "truth.json")
        truth = try JSONDecoder().decode(SilenceTruth.self, from: Data(contentsOf: file))
    }

    func record(_ reader: Reader) throws -> CallRecord {
        try #require(try RecordedCall(directory, end: reader.end).record(reader.cadence))
    }

    /// When the path was down both ways.
    var downtimes: [TimeSpan] {
        var spans: [TimeSpan] = []
        for line in truth.net {
            let words = line.split(separator: "s: ", maxSplits: 1)
            guard words.count == 2, let seconds = Double(words[0].dropFirst(2)) else { continue }
            let time = Timestamp(milliseconds: Int64((1000 * (truth.t0 + seconds)).rounded()))
            if words[1] == "set * * down=1" { spans.append(TimeSpan(start: time, end: nil)) }
            if words[1] == "set * * down=0", !spans.isEmpty { spans[spans.count - 1].end = time }
        }
        return spans
    }
}

private struct SilenceTruth: Decodable {
    /// Time of the first report, in seconds since 1970.
    var t0: Double
    /// What was done, with the seconds since then.
    var net: [String]
}
