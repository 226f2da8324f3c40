import GRDB

extension Database {
    /// Runs a statement that is prepared once. It has as many values as places: to have that checked costs a row as much
    /// again as to write it.
    func run(_ sql: String, _ values: StatementArguments) throws {
        let statement = try cachedStatement(sql: sql)
        statement.setUncheckedArguments(values)
        try statement.execute()
    }
}
