/// Something in the environment or in a file that cannot be.
enum ConfigurationFault: Hashable, Sendable {
    /// A value that its setting does not take.
    case wrongValue(key: String, SettingSource, SettingFault)
    /// A key that no setting has; with the one that is nearest, if one is near.
    case unknownKey(String, SettingSource, nearest: String?)
    /// A variable that no setting has.
    case unknownVariable(String, nearest: String?)
    /// A key that stands in a file twice.
    case setTwice(key: String, SettingSource)
    /// A file that cannot be read.
    case unreadable(path: String, reason: String)
    /// A file that is not YAML, or not a list of keys and values.
    case notYAML(SettingSource, problem: String)
    /// Others than this machine could reach the server, and nothing says who may.
    case openToAll(ListenAddress)
    /// The same through a proxy.
    case openThroughProxy
    /// A file that a setting names cannot be used: which, and why.
    case unusable(String)
    /// Settings that cannot be together.
    case contradiction(Contradiction)
}

extension ConfigurationFault: CustomStringConvertible {
    var description: String {
        switch self {
        case .wrongValue(let key, let source, let fault): "\(source): \(key) \(fault)"
        case .unknownKey(let key, let source, let nearest):
            "\(source): there is no setting \(key.shortened)" + Self.hint(nearest)
        case .unknownVariable(let name, let nearest):
            "\(name.shortened): there is no setting of this name" + Self.hint(nearest)
        case .setTwice(let key, let source): "\(source): \(key) is set twice; expected once"
        case .unreadable(let path, let reason): "\(path): \(reason); expected a file of settings in YAML"
        case .openToAll(let address):
            """
            \(address) can be reached from other machines, and whoever reaches it could \
            post, read and erase calls; name the tokens of those who may with --tokens, \
            listen on 127.0.0.1, or say --no-authentication
            """
        case .openThroughProxy:
            """
            --trusted-proxy says that others reach the server through a proxy, and whoever does could \
            post, read and erase calls; name the tokens of those who may with --tokens, or say --no-authentication
            """
        case .unusable(let words): words
        case .contradiction(let contradiction): contradiction.message
        case .notYAML(let source, let problem): "\(source): \(problem); expected lines such as \"keep.calls: 1000\""
        }
    }

    private static func hint(_ nearest: String?) -> String {
        nearest.map { "; did you mean \($0)?" } ?? "; sidetone config show lists those there are"
    }
}

extension String {
    fileprivate var shortened: String { count <= 80 ? self : prefix(80) + "…" }
}

/// Everything that is wrong with a configuration; never empty.
struct ConfigurationError: Error, Hashable, Sendable {
    /// `EX_CONFIG` of sysexits.h: to start again would not help.
    static let exitStatus: Int32 = 78

    var faults: [ConfigurationFault]
}

extension [ConfigurationFault] {
    /// - Throws: ``ConfigurationError`` with all of them.
    func check() throws(ConfigurationError) {
        guard isEmpty else { throw ConfigurationError(faults: self) }
    }
}

extension ConfigurationError: CustomStringConvertible {
    var description: String { faults.map(\.description).joined(separator: "\n") }
}
