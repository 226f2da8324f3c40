import CallModel

extension CallName {
    /// As a SIP header field is written: what says it, and the name.
    var words: String { "\(source): \(text)" }

    /// What two calls have in common, in a word or two.
    var sharedWords: String { isCertain ? source : "SSRC \(text)" }
}

extension RelatedCall {
    /// What says that it is the same call, and how sure that is.
    var words: String {
        let shared = Set(links.filter { isGuess || $0.isCertain }.map(\.sharedWords)).sorted()
        let few = shared.prefix(2).joined(separator: ", ") + (shared.count > 2 ? ", …" : "")
        return isGuess ? "a guess, by the same \(few)" : "by \(few)"
    }
}
