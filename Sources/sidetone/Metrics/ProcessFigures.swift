import CallModel
import Foundation
import PrometheusText

/// What Linux says of this process (proc(5)), by the names that Prometheus' client libraries have for it.
enum ProcessFigures {
    /// - Parameter startedAt: when the process started.
    /// - Returns: nothing where the system does not tell.
    static func read(startedAt: Timestamp) -> [MetricRegistry.Observation] {
        guard let fields = fields(of: "/proc/self/stat") else { return [] }
        var observations: [MetricRegistry.Observation] = []
        func add(_ name: String, _ value: Double?) {
            if let value { observations.append(.init("process_" + name, value: value)) }
        }
        let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
        add("cpu_seconds_total", sum(fields[11], fields[12]).map { $0 / ticks })
        add("threads", Double(fields[17]))
        add("virtual_memory_bytes", Double(fields[20]))
        add("resident_memory_bytes", Double(fields[21]).map { $0 * Double(sysconf(Int32(_SC_PAGESIZE))) })
        add("start_time_seconds", Double(startedAt.milliseconds) / 1000)
        add("open_fds", (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count.asDouble)
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            add("max_fds", Double(limit.rlim_cur))
        }
        return observations
    }

    /// The fields behind the name of the program, which may have any letters: state is the first.
    private static func fields(of path: String) -> [Substring]? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8), let end = text.lastIndex(of: ")") else {
            return nil
        }
        let fields = text[text.index(after: end)...].split(whereSeparator: \.isWhitespace)
        return fields.count > 21 ? fields : nil
    }

    private static func sum(_ left: Substring, _ right: Substring) -> Double? {
        Double(left).flatMap { left in Double(right).map { left + $0 } }
    }
}

extension Int {
    fileprivate var asDouble: Double { Double(self) }
}
