/// Follows what the two ends have agreed on about their media, offer by offer and answer by answer
/// ([RFC 3264](https://www.rfc-editor.org/rfc/rfc3264)): who holds the call, and whether it is fax.
struct OfferAnswer: Sendable {
    /// What has changed with an agreement.
    enum Change: Hashable, Sendable {
        case hold(by: CallEnd)
        case resume(by: CallEnd)
        case fax(isActive: Bool)
    }

    /// What one description says about holding and fax.
    private struct Stance {
        /// The end wants to receive nothing.
        var isHeld: Bool
        /// The end wants to send and receive.
        var isBoth: Bool
        var isFax: Bool

        init(_ description: SessionDescription) {
            let hasAudio = description.media.contains { Self.isAccepted($0) && $0.kind == .audio }
            isHeld = false
            isBoth = false
            isFax = false
            var isWanted = false
            for media in description.media where Self.isAccepted(media) && (!hasAudio || media.kind == .audio) {
                if media.isHeld { isHeld = true } else { isWanted = true }
                if media.direction == .both && !media.isHeld { isBoth = true }
                // Fax beside audio is an offer of both; the call has changed when audio is gone.
                if !hasAudio && media.isFax { isFax = true }
            }
            if isWanted { isHeld = false }
        }

        private static func isAccepted(_ media: SessionDescription.Media) -> Bool {
            media.port != 0 || media.isBundleOnly
        }
    }

    /// A transaction whose final response is awaited.
    private struct Transaction {
        var opener: CallEnd
        var sequence: UInt32
        var method: String
        var isInitial: Bool
        var offer: Stance?
        /// What the other end answered so far: its answer, or its offer when the request had none.
        var answer: Stance?
    }

    private static let maximumTransactions = 8

    private var transactions: [Transaction] = []
    private var holders: Set<CallEnd> = []
    private var isFax = false

    /// Notes a request that may carry an offer.
    mutating func open(
        _ message: SIPMessage, by opener: CallEnd, isInitial: Bool, _ description: SessionDescription?
    ) {
        if transactions.count >= Self.maximumTransactions { transactions.removeFirst() }
        transactions.append(
            Transaction(
                opener: opener, sequence: message.sequence, method: message.method, isInitial: isInitial,
                offer: description.map { Stance($0) }))
    }

    /// Whether a response belongs to an INVITE that set up the call; `nil` when its request was not seen.
    func isInitial(_ message: SIPMessage, opener: CallEnd) -> Bool? {
        place(of: message, opener).map { transactions[$0].isInitial }
    }

    /// Notes the description of a response; an agreement is made by a 2xx alone.
    /// - Returns: What has changed.
    mutating func answer(
        _ message: SIPMessage, opener: CallEnd, _ description: SessionDescription?
    ) -> [Change] {
        let stance = description.map { Stance($0) }
        guard let place = place(of: message, opener) else {
            return message.status.map { $0 / 100 == 2 } == true ? agreeOnFax(stance) : []
        }
        if let stance { transactions[place].answer = stance }
        guard let status = message.status, status >= 200 else { return [] }
        let transaction = transactions.remove(at: place)
        guard status < 300 else { return [] }
        return agree(transaction)
    }

    private func place(of message: SIPMessage, _ opener: CallEnd) -> Int? {
        transactions.lastIndex {
            $0.opener == opener && $0.sequence == message.sequence && $0.method == message.method
        }
    }

    private mutating func agree(_ transaction: Transaction) -> [Change] {
        let answerer = transaction.opener.other
        var changes: [Change] = []
        if let offer = transaction.offer {
            changes += settle(transaction.opener, isHeld: offer.isHeld)
            // To an offer that is held itself, any answer is held too and says nothing about the answerer.
            if offer.isBoth, let answer = transaction.answer { changes += settle(answerer, isHeld: answer.isHeld) }
        } else if let answer = transaction.answer {
            changes += settle(answerer, isHeld: answer.isHeld)  // the response carried the offer
        }
        return changes + agreeOnFax(transaction.answer)
    }

    private mutating func settle(_ end: CallEnd, isHeld: Bool) -> [Change] {
        guard isHeld != holders.contains(end) else { return [] }
        if isHeld { holders.insert(end) } else { holders.remove(end) }
        return [isHeld ? .hold(by: end) : .resume(by: end)]
    }

    private mutating func agreeOnFax(_ stance: Stance?) -> [Change] {
        guard let stance, stance.isFax != isFax else { return [] }
        isFax = stance.isFax
        return [.fax(isActive: isFax)]
    }
}
