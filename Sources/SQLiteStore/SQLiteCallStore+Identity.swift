public import CallModel
import GRDB

extension SQLiteCallStore {
    public func standing(of identity: CallIdentity) async throws -> CallStanding {
        try await read { db in
            CallStanding(
                heads: try Self.heads(db, of: identity), claims: try ClaimRow.fetchAll(db, on: identity))
        }
    }

    public func links(of key: CallKey) async throws -> RecordLinks {
        try await read { db in
            guard let record = try RecordRow.id(of: key, in: db) else { return RecordLinks() }
            return RecordLinks(
                names: Set(try NameRow.fetchAll(db, record: record)), claims: try ClaimRow.fetchAll(db, of: key))
        }
    }

    public func ties(of key: CallKey) async throws -> CallTies {
        try await read { db in
            guard let record = try RecordRow.id(of: key, in: db) else { return CallTies() }
            return try SQLiteTies.ties(db, record: record, key: key)
        }
    }
}
