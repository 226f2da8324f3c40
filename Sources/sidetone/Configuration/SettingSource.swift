/// Where a value comes from. Earlier cases go before later ones.
enum SettingSource: Hashable, Sendable {
    /// A flag, by its name.
    case flag(String)
    /// A variable of the environment, by its name.
    case variable(String)
    /// A file and the line in it.
    case file(String, line: Int)
    case fallback
}

extension SettingSource: CustomStringConvertible {
    var description: String {
        switch self {
        case .flag(let name), .variable(let name): name
        case .file(let path, let line): "\(path), line \(line)"
        case .fallback: "default"
        }
    }
}
