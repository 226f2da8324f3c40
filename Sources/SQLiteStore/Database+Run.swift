import GRDB

extension Database {
    /// Runs a statement that is prepared once. That it has as many values as places is checked in debug builds, and not
    /// with every row.
    func run(_ sql: String, _ values: StatementArguments) throws {
        let statement = try cachedStatement(sql: sql)
        assert((try? statement.validateArguments(values)) != nil, "not as many values as places: \(sql)")
        statement.setUncheckedArguments(values)
        try statement.execute()
    }
}
