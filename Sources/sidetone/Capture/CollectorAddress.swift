import ArgumentParser
import Foundation

/// Where another sidetone takes what a probe saw.
struct CollectorAddress: Hashable, Sendable {
    private static let path = "/v1/wire"

    /// The whole address to post to.
    let url: String
}

extension CollectorAddress: ExpressibleByArgument {
    /// Reads the address of a collector, such as `http://10.0.0.5:8080`; the path to post to is added when it is
    /// missing.
    init?(argument: String) {
        guard let parts = URLComponents(string: argument), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = parts.host, !host.isEmpty, parts.user == nil,
            parts.query == nil, parts.fragment == nil
        else { return nil }
        var text = argument[...]
        while text.hasSuffix("/") { text.removeLast() }
        url = text.hasSuffix(Self.path) ? String(text) : text + Self.path
    }
}
