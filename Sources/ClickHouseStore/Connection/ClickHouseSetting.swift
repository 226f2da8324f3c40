/// A setting that goes with every request of a kind, so that neither a server's configuration nor what a version has by
/// default changes what a request means. One that a server does not know makes it refuse the request: each says since
/// when it is there.
struct ClickHouseSetting: Hashable, Sendable {
    var name: String
    var value: String
    var since: ClickHouseVersion

    init(_ name: String, _ value: String, since: ClickHouseVersion = ClickHouseVersion(major: 18, minor: 16)) {
        self.name = name
        self.value = value
        self.since = since
    }
}

extension [ClickHouseSetting] {
    /// Those that a server of this version knows.
    func known(to version: ClickHouseVersion) -> Self {
        filter { $0.since <= version }
    }

    /// Of every request.
    static let common = [
        // Of equal replicas the first that lives: what was written through a node is read there.
        ClickHouseSetting("load_balancing", "in_order"),
        // Statements that name many calls are long.
        ClickHouseSetting("max_query_size", "16777216"),
        ClickHouseSetting("max_ast_elements", "1000000"),
        ClickHouseSetting("max_expanded_ast_elements", "5000000"),
    ]

    /// Of what is read.
    static let reading =
        common + [
            // Half an answer is none.
            ClickHouseSetting("skip_unavailable_shards", "0"),
            ClickHouseSetting("max_execution_time", "\(ClickHouseClient.readingSeconds)"),
            // What has no partner in a join has the default of its type; distinct values are counted, not estimated.
            ClickHouseSetting("join_use_nulls", "0"),
            ClickHouseSetting("count_distinct_implementation", "uniqExact"),
        ]

    /// Of what is inserted: it answers when the rows are where they belong.
    static let inserting =
        common + [
            ClickHouseSetting("insert_distributed_sync", "1"),
            ClickHouseSetting("async_insert", "0", since: ClickHouseVersion(major: 21, minor: 11)),
        ]

    /// Of what changes tables or rows: it answers when that is done.
    static let changing =
        common + [
            ClickHouseSetting("insert_distributed_sync", "1"),
            ClickHouseSetting("replication_alter_partitions_sync", "1"),
            // A node that is down does it when it is back.
            ClickHouseSetting("distributed_ddl_task_timeout", "60"),
            ClickHouseSetting(
                "distributed_ddl_output_mode", "null_status_on_timeout",
                since: ClickHouseVersion(major: 22, minor: 3)),
            ClickHouseSetting("mutations_sync", "1", since: ClickHouseVersion(major: 20, minor: 1)),
        ]

    /// Of an insert whose body, sent again, must not be stored again.
    /// - Parameter token: The same for the same body; nil when it is to be stored even if it was there before.
    /// - Returns: What to send with the insert.
    static func deduplication(token: String?) -> Self {
        let isWanted = token != nil
        return [
            ClickHouseSetting("insert_deduplicate", isWanted ? "1" : "0"),
            // Since it is there, it decides and not the older one.
            ClickHouseSetting(
                "deduplicate_insert", isWanted ? "enable" : "disable", since: ClickHouseVersion(major: 26, minor: 2)),
        ]
            + (token.map {
                [
                    ClickHouseSetting(
                        "insert_deduplication_token", $0, since: ClickHouseVersion(major: 22, minor: 2))
                ]
            } ?? [])
    }
}
