/// Why a store takes nothing for a while. The raw value is the label it is counted under.
public enum StoreOutage: String, Hashable, Sendable, CaseIterable {
    /// There is no room on the disk, or for the file.
    case diskFull = "disk_full"
    /// The file or its directory may not be written to.
    case readOnly = "read_only"
    /// Another program holds the database locked.
    case locked
    /// The disk or the file system fails.
    case failing
    /// The file is not where it was opened: it was removed, moved or replaced.
    case misplaced
    /// What waits to be shipped to another store has reached its limit.
    case spoolFull = "spool_full"

    /// The server of the database does not answer, or has trouble of its own.
    case unreachable

    /// What it is, in words that follow no others.
    public var words: String {
        switch self {
        case .diskFull: "the disk is full, or the limit of the database is reached"
        case .readOnly: "the database cannot be written to"
        case .locked: "another program holds the database locked"
        case .failing: "the disk or the file system fails"
        case .misplaced: "the database was removed, moved or replaced"
        case .spoolFull: "what waits to be shipped has reached its limit"
        case .unreachable: "the database cannot be reached"
        }
    }
}
