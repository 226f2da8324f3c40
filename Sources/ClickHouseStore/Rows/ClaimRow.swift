import CallModel

/// A row of `claims`.
struct ClaimRow: StoredRow, Hashable {
    static let table = ClickHouseTable.claims

    var claim: SessionClaim
    var version: UInt64
    var isDeleted: Bool

    init(_ claim: SessionClaim, version: UInt64, isDeleted: Bool = false) {
        self.claim = claim
        self.version = version
        self.isDeleted = isDeleted
    }

    func write(to rows: inout RowBinaryWriter) {
        rows.write(claim.key)
        rows.write(StoredName.encode(claim.session.call.rawValue))
        rows.write(version)
        rows.write(isDeleted)
        rows.write(claim.start.milliseconds)
        rows.write(claim.lastActivity.milliseconds)
        rows.write(claim.isBegun)
        rows.write(nullable: claim.endedAt?.milliseconds)
    }

    init(_ row: inout RowBinaryReader) throws {
        let key = try row.callKey()
        let session = CallIdentity(tenant: key.identity.tenant, call: CallID(rawValue: try row.string()))
        version = try row.uint64()
        isDeleted = try row.bool()
        claim = SessionClaim(
            session: session, key: key, start: Timestamp(milliseconds: try row.int64()),
            lastActivity: Timestamp(milliseconds: try row.int64()), isBegun: try row.bool(),
            endedAt: try row.nullable { Timestamp(milliseconds: try $0.int64()) })
    }
}
