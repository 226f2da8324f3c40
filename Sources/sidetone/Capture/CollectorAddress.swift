import ArgumentParser
import Foundation

/// Where another sidetone takes what a probe saw, or files.
struct CollectorAddress: Hashable, Sendable {
    /// What may follow the address of the collector itself.
    private static let paths = ["/v1/wire", "/v1/import"]

    /// The address of the collector itself, without a path.
    let base: String

    /// The whole address to post to what a probe saw.
    var url: String { base + Self.paths[0] }
    /// The whole address to post files to.
    var importURL: String { base + Self.paths[1] }
}

extension CollectorAddress: ExpressibleByArgument {
    /// Reads the address of a collector, such as `http://10.0.0.5:8080`; the path to post to may stand behind it.
    init?(argument: String) {
        guard let parts = URLComponents(string: argument), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = parts.host, !host.isEmpty, parts.user == nil,
            parts.query == nil, parts.fragment == nil
        else { return nil }
        var text = argument[...]
        while text.hasSuffix("/") { text.removeLast() }
        if let path = Self.paths.first(where: { text.hasSuffix($0) }) { text.removeLast(path.count) }
        base = String(text)
    }
}
