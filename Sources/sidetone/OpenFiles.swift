import Foundation

/// How many files and connections this process may have open at a time (`ulimit -n`).
enum OpenFiles {
    /// Raises the limit to the most that the system lets this account have, as servers do: shells and schedulers set it
    /// low for the sake of programs that use `select(2)`.
    /// - Returns: the limit from now on; `nil` where the system does not tell.
    static func raiseLimit() -> Int? {
        var limit = rlimit()
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(kind, &limit) == 0 else { return nil }
        if limit.rlim_cur < limit.rlim_max {
            var raised = limit
            raised.rlim_cur = raised.rlim_max
            if setrlimit(kind, &raised) == 0 { limit = raised }
        }
        return Int(exactly: limit.rlim_cur) ?? Int.max
    }

    /// How many connections can be open at a time: as many as wanted, but for what the database, the log, a capture and
    /// another store need.
    static func connections(wanted: Int, limit: Int?) -> Int {
        guard let limit else { return wanted }
        return max(1, min(wanted, limit - min(reserve, limit / 2)))
    }

    private static let reserve = 128
}
