import CallModel

/// Undoes the compression of rtcstats before its file format 3.
///
/// A report leaves out what is as it was in the report before of the same connection. An object whose time is the newest
/// of the report has the time 0; the newest stands beside the objects, as `timestamp`.
struct RTCStatsDelta {
    private var base: [String: JSONObject] = [:]

    /// Takes the next report of the connection.
    /// - Parameters:
    ///   - value: The report as it stands in the dump.
    ///   - keepsAbsent: Whether an object that is left out is unchanged; if not, it is gone.
    /// - Returns: all of it, and its time where it tells one.
    mutating func take(
        _ value: JSONObject, keepsAbsent: Bool
    ) -> (statistics: JSONValue, time: JSONValue?) {
        let time = value["timestamp"].flatMap { $0.members == nil ? $0 : nil }
        var objects = keepsAbsent ? base : [:]
        for (id, change) in value {
            guard let members = change.members else { continue }
            var object = (base[id] ?? [:]).merging(members) { $1 }
            if (object["timestamp"]?.number ?? object["timestamp"]?.text.map { _ in 1 } ?? 0) == 0 {
                object["timestamp"] = time
            }
            objects[id] = object
        }
        base = objects
        return (.object(JSONObject(objects.mapValues { .object($0) })), time)
    }
}

/// The two dialects of that compression, which no dump names.
enum RTCStatsDialect {
    /// Whether an object that a report leaves out is unchanged, rather than gone.
    ///
    /// An object that was left out and comes back without its `type` was there all the time.
    static func keepsAbsent(_ reports: some Sequence<(ConnectionID?, JSONObject)>) -> Bool {
        var seen: [ConnectionID?: Set<String>] = [:]
        var gone: [ConnectionID?: Set<String>] = [:]
        for (connection, value) in reports {
            let objects = value.compactMapValues(\.members)
            let left = gone[connection] ?? []
            if objects.contains(where: { left.contains($0.key) && $0.value["type"] == nil }) { return true }
            let ids = Set(objects.keys)
            let known = seen[connection] ?? []
            gone[connection] = left.union(known.subtracting(ids)).subtracting(ids)
            seen[connection] = known.union(ids)
        }
        return false
    }
}
