/// The candidates that each end of a call tells of after its description, one by one in INFO
/// ([RFC 8840](https://www.rfc-editor.org/rfc/rfc8840)): where its media may go then.
struct TrickledCandidates: Sendable {
    /// The last description of each end that goes by ICE, with the candidates that were told of since.
    private var descriptions: [CallEnd: SessionDescription] = [:]

    /// Further candidates of a line than this are not kept.
    private static let maximumCandidates = 64

    /// Takes the description of a message.
    /// - Returns: The same; of a fragment, what its sender has described by now, `nil` where the capture has not that.
    mutating func complete(_ description: SessionDescription?, of message: SIPMessage, by end: CallEnd)
        -> SessionDescription?
    {
        guard let description else { return nil }
        guard message.isFragment else {
            let isICE = description.media.contains { $0.awaitsCandidates || !$0.candidates.isEmpty }
            if isICE || descriptions[end] != nil { descriptions[end] = isICE ? description : nil }
            return description
        }
        guard var whole = descriptions[end] else { return nil }
        for (index, part) in description.media.enumerated() {
            let named = part.identifier.flatMap { name in whole.media.firstIndex { $0.identifier == name } }
            let place = named ?? index
            guard place < whole.media.count else { continue }
            let known = whole.media[place].candidates
            whole.media[place].candidates += part.candidates.filter { !known.contains($0) }
                .prefix(max(0, Self.maximumCandidates - known.count))
        }
        descriptions[end] = whole
        return whole
    }
}
