import CallReporter
import Foundation

/// An app that reports calls, as short as one can be: it reads what an SDK would call back with, one JSON object a line,
/// and hands it to a ``Reporter``.
///
/// ```
/// ReportCalls http://127.0.0.1:8080 FOLDER [OBSERVER] < lines
/// ```
///
/// A line with `statistics` is a report of the call in `callId`; every other is a map as `callAdditionalInfoChanged` hands
/// it over. After each line it answers `kept`, at the end with what became of it all. The token is in the environment,
/// `SIDETONE_TOKEN`; `SIDETONE_PATIENCE` says for how many seconds it waits at the end (10).
@main struct ReportCalls {
    static func main() async {
        let arguments = CommandLine.arguments
        let environment = ProcessInfo.processInfo.environment
        guard arguments.count > 2 else {
            write("usage: ReportCalls COLLECTOR FOLDER [OBSERVER] < LINES\n", to: .standardError)
            exit(64)
        }
        var configuration = Reporter.Configuration(
            collector: arguments[1], token: environment["SIDETONE_TOKEN"],
            observer: arguments.count > 3 ? arguments[3] : nil, folder: arguments[2])
        configuration.log = { write("\($0)\n", to: .standardError) }
        let reporter = Reporter(configuration)

        while let line = readLine() {
            guard let map = (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any] else {
                continue
            }
            if let call = map["callId"] as? String, let statistics = map["statistics"] as? String {
                reporter.report(rtpStatistics: statistics, call: call, session: map["sessionId"] as? String)
            } else {
                reporter.report(callAdditionalInfo: map)
            }
            write("kept\n", to: .standardOutput)
        }

        let patience = environment["SIDETONE_PATIENCE"].flatMap(Int.init) ?? 10
        let isAllDelivered = await reporter.flush(within: .seconds(patience))
        write("\(reporter.figures)\n", to: .standardOutput)
        exit(isAllDelivered ? 0 : 1)
    }

    private static func write(_ text: String, to file: FileHandle) {
        try? file.write(contentsOf: Data(text.utf8))
    }
}
