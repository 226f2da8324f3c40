/// Why the facts of calls that still go on could not be kept, or not be read back.
public enum FactSpoolError: Error, Hashable, Sendable {
    /// No temporary file can be made in the folder.
    case cannotCreate(folder: String, reason: String)
    /// The temporary file does not take more.
    case cannotWrite(folder: String, reason: String)
    /// The temporary file does not give back what was written.
    case cannotRead(folder: String, reason: String)
}

extension FactSpoolError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .cannotCreate(let folder, let reason):
            "cannot make a temporary file in \(folder) for the calls that still go on: \(reason); "
                + "TMPDIR names another directory"
        case .cannotWrite(let folder, let reason):
            "cannot write the calls that still go on to a temporary file in \(folder): \(reason); "
                + "TMPDIR names another directory"
        case .cannotRead(let folder, let reason):
            "cannot read the calls that went on from a temporary file in \(folder): \(reason)"
        }
    }
}
