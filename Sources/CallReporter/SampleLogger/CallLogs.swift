#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The reports of the last calls, one file a call. The first line of a file is the call's identifier as JSON text, every other
/// a report.
struct CallLogs {
    /// As many as the document's class keeps, unless more go on.
    static let mostCalls = 5
    /// However many go on.
    static let mostCallsGoingOn = 50
    /// A call without a report for so long does not go on: reports come every 10 s.
    static let silence: Int64 = 60_000
    /// Most bytes of one call; then it keeps what it has. A report has some 20 kB: an hour and a half.
    static let mostBytes = 10 << 20

    private struct Log {
        let callId: String
        let number: Int
        var lastHeard: Int64
        var file: LineFile?
    }

    /// The one heard of longest ago first.
    private var logs: [Log] = []
    private let folder: String
    private(set) var malformed = 0
    var trouble: String?

    /// Takes up what lies in the folder. Where that is not possible nothing is kept.
    init(folder: String) {
        self.folder = folder
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            trouble = "\(folder) cannot be made: \(error)"
        }
        let numbers = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
            .compactMap { $0.hasSuffix(Self.ending) ? Int($0.dropLast(Self.ending.count)) : nil }
            // Others are counted up from them.
            .filter { (0..<1 << 40).contains($0) }
        // Numbers tell the order in which calls came; of an earlier run none goes on.
        for number in numbers.sorted() {
            guard let first = (try? LineFile.lines(of: path(number)))?.first else {
                FileBytes.remove(path(number))
                continue
            }
            logs.append(Log(callId: Self.callId(first), number: number, lastHeard: .min))
        }
        makeRoom(at: .max)
    }

    func knows(_ callId: String) -> Bool {
        logs.contains { $0.callId == callId }
    }

    mutating func add(_ stats: String, to callId: String, at time: Int64) {
        guard let line = Self.line(stats) else {
            malformed += 1
            return
        }
        let number = (logs.map(\.number).max() ?? 0) + 1
        var log = Log(callId: callId, number: number, lastHeard: time)
        if let index = logs.firstIndex(where: { $0.callId == callId }) { log = logs.remove(at: index) }
        log.lastHeard = time
        do {
            let file = try log.file ?? LineFile(addingTo: path(log.number))
            log.file = file
            if file.length == 0 { try file.add(ReportValue.text(callId).json) }
            if file.length + line.count <= Self.mostBytes { try file.add(line) }
            trouble = nil
        } catch {
            trouble = "\(error)"
        }
        logs.append(log)
        makeRoom(at: time)
    }

    /// The one heard of longest ago goes, unless it may go on.
    private mutating func makeRoom(at time: Int64) {
        while let oldest = logs.first, logs.count > Self.mostCalls {
            let (length, overflow) = time.subtractingReportingOverflow(oldest.lastHeard)
            let goesOn = !overflow && length < Self.silence
            guard !goesOn || logs.count > Self.mostCallsGoingOn else { return }
            FileBytes.remove(path(oldest.number))
            logs.removeFirst()
        }
    }

    mutating func clear() {
        for log in logs { FileBytes.remove(path(log.number)) }
        logs = []
    }

    /// All calls in the document's shape.
    var text: String {
        let calls = logs.sorted { $0.number < $1.number }.map { log -> String in
            let lines = ((try? LineFile.lines(of: path(log.number))) ?? []).dropFirst()
            let reports = lines.map { String(decoding: $0, as: UTF8.self) }
            let name = String(decoding: ReportValue.text(log.callId).json, as: UTF8.self)
            return "[\(name),[\(reports.joined(separator: ","))]]"
        }
        return "[\(calls.joined(separator: ","))]"
    }

    // MARK: Parts

    private static let ending = ".call"

    private func path(_ number: Int) -> String {
        folder + "/\(number)" + Self.ending
    }

    /// The identifier that the first line of a file is; earlier versions wrote it as it was.
    private static func callId(_ line: [UInt8]) -> String {
        (try? JSONDecoder().decode(String.self, from: Data(line))) ?? String(decoding: line, as: UTF8.self)
    }

    /// A report on one line; `nil` where it is no JSON. Ends of lines stand only between the values of JSON.
    private static func line(_ stats: String) -> [UInt8]? {
        let bytes = stats.utf8.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 }
        guard (try? JSONDecoder().decode(AnyJSON.self, from: Data(bytes))) != nil else { return nil }
        return bytes
    }

    /// Reads nothing: whether it is JSON the decoder finds out before.
    private struct AnyJSON: Decodable {
        init(from decoder: any Decoder) {}
    }
}
