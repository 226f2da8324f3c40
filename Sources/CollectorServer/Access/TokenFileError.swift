/// What is wrong with a file of tokens, in words that never repeat what may be a secret.
public enum TokenFileError: Error, Hashable, Sendable {
    /// A line, from 1, cannot be read.
    case line(Int, TokenLineProblem)
    /// Two lines, from 1, are of the same token.
    case repeated(Int, firstLine: Int)
    /// More tokens than every request can be compared with.
    case tooMany(limit: Int)
}

/// What is wrong with one line of it.
public enum TokenLineProblem: Error, Hashable, Sendable {
    /// It has a token itself, not its hash.
    case isToken
    case noDigest
    case missing(String)
    case twice(String)
    case unknownMember(String)
    case badName(String, String)
    case badScope(String)
    case badMoment(String)
}

extension TokenFileError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .line(let number, let problem): "line \(number) \(problem)"
        case .repeated(let number, let first): "line \(number) is of the same token as line \(first)"
        case .tooMany(let limit): "it has more than \(limit) tokens"
        }
    }
}

extension TokenLineProblem: CustomStringConvertible {
    public var description: String {
        switch self {
        case .isToken:
            "begins with a token, expected its hash: put there the line that `sidetone token new` prints, and use "
                + "another token, for this one could be read here"
        case .noDigest: "does not begin with `sha256:` and 64 hexadecimal digits, as `sidetone token new` prints it"
        case .missing(let member): "has no `\(member)=`"
        case .twice(let member): "has `\(member)=` twice"
        case .unknownMember(let member):
            "has \"\(member.shortened)\"; expected tenant=, scope=, name= or expires="
        case .badName(let member, let text):
            "has the \(member) \"\(text.shortened)\"; expected 1 to 64 letters, digits, dots, dashes and underscores"
        case .badScope(let text):
            "has the scope \"\(text.shortened)\"; expected ingest, read or admin, separated by commas"
        case .badMoment(let text):
            "expires at \"\(text.shortened)\"; expected a moment such as 2027-01-31 or 2027-01-31T12:00:00Z"
        }
    }
}
