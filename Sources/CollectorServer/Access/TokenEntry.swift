public import CallModel
import Foundation

/// A token as the server knows it.
public struct TokenEntry: Hashable, Sendable {
    /// All that is kept of the token itself.
    public let digest: TokenDigest
    /// Whose data it opens.
    public let tenant: TenantID
    /// What it allows, in the order of ``AccessScope``, at least one.
    public let scopes: [AccessScope]
    /// What the operator calls it; in the log.
    public let name: String?
    /// It is good until this moment; `nil` for no end.
    public let expires: Timestamp?

    /// What a token begins with, so that people and scanners for secrets know one when they see it.
    static let prefix = "sdt_"

    /// Makes a new token: 256 bits of the system's randomness.
    /// - Returns: the token, which is not kept anywhere, and what to keep.
    public static func make(
        tenant: TenantID, scopes: Set<AccessScope>, name: String?, expires: Timestamp?
    ) -> (token: String, entry: TokenEntry) {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        let text = Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        let token = prefix + text.prefix { $0 != "=" }
        let entry = TokenEntry(
            digest: TokenDigest(of: token.utf8), tenant: tenant,
            scopes: AccessScope.allCases.filter(scopes.contains), name: name, expires: expires)
        return (token, entry)
    }

    /// The line of a token file.
    public var line: String {
        var words = ["sha256:\(digest.hexadecimal)", "tenant=\(tenant.rawValue)"]
        words.append("scope=\(scopes.map(\.rawValue).joined(separator: ","))")
        if let name { words.append("name=\(name)") }
        if let expires { words.append("expires=\(expires.iso8601)") }
        return words.joined(separator: " ")
    }

    var grant: AccessGrant {
        AccessGrant(
            tenant: tenant, scopes: Set(scopes), token: name ?? String(digest.hexadecimal.prefix(8)), digest: digest)
    }
}

extension TokenEntry {
    /// What a tenant or the name of a token may be, for messages.
    public static let nameRule = "1 to 64 letters, digits, dots, dashes and underscores"

    /// Whether `text` may be a tenant or the name of a token; see ``nameRule``.
    public static func isName(_ text: some StringProtocol) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// Reads one line: `sha256:… tenant=… scope=…`, and perhaps `name=…` and `expires=…`.
    init(line: Substring) throws(TokenLineProblem) {
        let words = line.split(whereSeparator: \.isWhitespace)
        guard let first = words.first, !first.hasPrefix(Self.prefix) else { throw .isToken }
        guard first.hasPrefix("sha256:"), let digest = TokenDigest(hexadecimal: first.dropFirst(7)) else {
            throw .noDigest
        }
        var values: [Substring: Substring] = [:]
        for word in words.dropFirst() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, Self.members.contains(String(parts[0])) else {
                throw .unknownMember(String(parts[0]))
            }
            guard values.updateValue(parts[1], forKey: parts[0]) == nil else { throw .twice(String(parts[0])) }
        }
        self.digest = digest
        tenant = TenantID(rawValue: try Self.name("tenant", in: values))
        scopes = try Self.scopes(in: values)
        name = values["name"] == nil ? nil : try Self.name("name", in: values)
        expires = try values["expires"].map { (text) throws(TokenLineProblem) in
            guard let moment = Timestamp(parsing: String(text)), Self.years.contains(moment) else {
                throw .badMoment(String(text))
            }
            return moment
        }
    }

    /// Up to the end of 9999, the last moment that ISO 8601 can write.
    private static let years = Timestamp(milliseconds: 0)...Timestamp(milliseconds: 253_402_300_799_999)

    private static let members = ["tenant", "scope", "name", "expires"]

    private static func name(_ member: String, in values: [Substring: Substring]) throws(TokenLineProblem) -> String {
        guard let text = values[member[...]] else { throw .missing(member) }
        guard isName(text) else { throw .badName(member, String(text)) }
        return String(text)
    }

    private static func scopes(in values: [Substring: Substring]) throws(TokenLineProblem) -> [AccessScope] {
        guard let text = values["scope"] else { throw .missing("scope") }
        var scopes: Set<AccessScope> = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let scope = AccessScope(rawValue: String(word)) else { throw .badScope(String(word)) }
            scopes.insert(scope)
        }
        return AccessScope.allCases.filter(scopes.contains)
    }
}
