/// The issues of a call.
public struct CallIssues: Hashable, Sendable, Codable {
    /// Most severe first, then in order of time; at most ``most``. Of more, those of each kind that weigh most are among them.
    public var all: [CallIssue]
    /// Issues that were found beyond those.
    public var leftOut: Int

    /// More than anyone reads.
    public static let most = 100

    public init(_ all: [CallIssue] = [], leftOut: Int = 0) {
        self.all = all
        self.leftOut = leftOut
    }
}

extension KeyedDecodingContainer {
    /// Summaries of earlier versions of the rules have none.
    func decode(_ type: CallIssues.Type, forKey key: Key) throws -> CallIssues {
        try decodeIfPresent(type, forKey: key) ?? CallIssues()
    }
}
