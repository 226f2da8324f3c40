/// The tokens that are good, as a file names them: one a line; blank lines and those that begin with `#` do not count.
public struct TokenTable: Hashable, Sendable {
    /// Every request is compared with all of them.
    static let mostTokens = 1_000

    /// In the order of the file.
    public let entries: [TokenEntry]

    /// Reads the text of a file.
    /// - Throws: ``TokenFileError`` for the first thing that is wrong.
    public init(parsing text: String) throws(TokenFileError) {
        var entries: [TokenEntry] = []
        var lines: [TokenDigest: Int] = [:]
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            guard let first = line.first(where: { !$0.isWhitespace }), first != "#" else { continue }
            let entry: TokenEntry
            do {
                entry = try TokenEntry(line: line)
            } catch {
                throw .line(index + 1, error)
            }
            if let earlier = lines.updateValue(index + 1, forKey: entry.digest) {
                throw .repeated(index + 1, firstLine: earlier)
            }
            entries.append(entry)
            guard entries.count <= Self.mostTokens else { throw .tooMany(limit: Self.mostTokens) }
        }
        self.entries = entries
    }

    /// The entry of a token. All are compared, whichever it is.
    func entry(of token: some Sequence<UInt8>) -> TokenEntry? {
        let digest = TokenDigest(of: token)
        var found: TokenEntry?
        for entry in entries where entry.digest.isSame(as: digest) { found = entry }
        return found
    }
}
