public import CallModel

extension ClickHouseCallStore {
    /// Which records are on a page is looked up first, without their summaries, which are long.
    public func calls(_ query: CallQuery) async throws -> CallPage {
        let limit = min(max(query.limit, 1), 1000)
        let order = ListOrder(query.sort)
        let found = try await rows(order.statement(query, limit: limit + 1)) { row in
            (key: try row.callKey(), number: try row.int64(), value: try row.int64())
        }
        let page = found.prefix(limit)
        guard let last = page.last else { return CallPage(calls: [], next: nil) }
        let summaries = Dictionary(
            try await self.summaries(where: Condition.records(page.map(\.key))).map { ($0.summary.key, $0) },
            uniquingKeysWith: { first, _ in first })
        return CallPage(
            calls: page.compactMap { summaries[$0.key] },
            next: found.count > limit ? order.cursor(value: last.value, record: last.number) : nil)
    }

    public func ribbons(of keys: [CallKey], parts: Int) async throws -> [CallKey: PartlyRead<ScoreRibbon>] {
        var ribbons: [CallKey: PartlyRead<ScoreRibbon>] = [:]
        for part in keys.parts(of: Condition.keysInStatement) {
            let heads = try await self.heads(Set(part)).filter(\.value.isThere)
            guard !heads.isEmpty else { continue }
            var windows = heads.mapValues { _ in [(start: Timestamp, end: Timestamp, score: Int?)]() }
            let rows = try await self.rows(
                """
                SELECT tenant, call_id, attempt, observer, generation, start_ms, end_ms, score FROM scores FINAL
                WHERE \(Condition.records(heads.keys)) AND series = 'window' ORDER BY start_ms
                """
            ) { row in
                (
                    key: try row.callKey(), generation: try row.uint64(),
                    window: (
                        start: Timestamp(milliseconds: try row.int64()), end: Timestamp(milliseconds: try row.int64()),
                        score: try row.score()
                    )
                )
            }
            for row in rows where heads[row.key]?.generation == row.generation { windows[row.key]?.append(row.window) }
            for (key, open) in try await openWindows(where: Condition.records(heads.keys)) {
                windows[key]? += open.map { (start: $0.start, end: $0.end, score: $0.score) }
            }
            for (key, windows) in windows { ribbons[key] = PartlyRead(ScoreRibbon(windows, parts: parts)) }
        }
        return ribbons
    }

    public func fleet(_ filter: CallFilter) async throws -> FleetSummary {
        var tally = FleetTally()
        // Counted as they are read: there may be as many as there are calls.
        try await eachRow(
            """
            SELECT score, worst_score, \(RecordChoice.outcome(filter)), setup_ms, duration_ms, leading_cause, relayed, issues
            FROM records FINAL WHERE \(RecordChoice(filter).text)
            """
        ) { row in
            let outline = CallOutline(
                score: try row.score(), worstScore: try row.score(),
                outcome: CallOutcome(rawValue: try row.string()) ?? .unknown,
                setupMilliseconds: try row.nullable { try $0.int64() }, durationMilliseconds: try row.int64(),
                leadingCause: QualityCause(rawValue: try row.string()),
                isRelayed: try row.nullable { try $0.bool() },
                // A kind that this version does not know is left out.
                issues: try row.strings().compactMap(IssueKind.init(rawValue:)))
            tally.add(outline)
        }
        return tally.summary
    }
}

/// What a list is sorted by; ties go by the record's number in the same direction, so the order is total.
private struct ListOrder: Sendable {
    private let expression: String
    private let isDescending: Bool
    /// What stands for "none" in the expression; above all values where the lowest come first.
    private let absent: Int64?

    /// What stands for "none" in a cursor.
    private static let absentInCursor: Int64 = -1

    init(_ sort: CallQuery.Sort) {
        switch sort {
        case .newest: (expression, isDescending, absent) = ("start_ms", true, nil)
        case .oldest: (expression, isDescending, absent) = ("start_ms", false, nil)
        case .worst: (expression, isDescending, absent) = ("ifNull(toInt64(score), 101)", false, 101)
        case .best: (expression, isDescending, absent) = ("ifNull(toInt64(score), -1)", true, -1)
        case .worstStretch: (expression, isDescending, absent) = ("ifNull(toInt64(worst_score), 101)", false, 101)
        case .slowestSetup: (expression, isDescending, absent) = ("ifNull(setup_ms, -1)", true, -1)
        case .active: (expression, isDescending, absent) = ("received_ms", true, nil)
        case .longest: (expression, isDescending, absent) = ("duration_ms", true, nil)
        }
    }

    func statement(_ query: CallQuery, limit: Int) -> String {
        var choice = RecordChoice(query.filter)
        let value = "toInt64(\(expression))"
        if let cursor = query.cursor {
            let (sign, last) = (isDescending ? "<" : ">", self.value(of: cursor))
            choice.require(
                "(\(value) \(sign) \(last) OR (\(value) = \(last) AND number \(sign) \(cursor.recordNumber)))")
        }
        let direction = isDescending ? "DESC" : "ASC"
        return """
            SELECT tenant, call_id, attempt, observer, number, \(value) AS value FROM records FINAL
            WHERE \(choice.text) ORDER BY value \(direction), number \(direction) LIMIT \(limit)
            """
    }

    func cursor(value: Int64, record: Int64) -> CallCursor {
        CallCursor(sortValue: value == absent ? Self.absentInCursor : value, recordNumber: record)
    }

    private func value(of cursor: CallCursor) -> Int64 {
        guard let absent, cursor.sortValue == Self.absentInCursor else { return cursor.sortValue }
        return absent
    }
}
