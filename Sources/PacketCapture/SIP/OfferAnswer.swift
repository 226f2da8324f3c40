import CallModel

/// Follows what the two ends have agreed on about their media, offer by offer and answer by answer
/// ([RFC 3264](https://www.rfc-editor.org/rfc/rfc3264)): who holds the call, which way sound is to go, and whether it is
/// fax.
struct OfferAnswer: Sendable {
    /// What has changed with an agreement.
    enum Change: Hashable, Sendable {
        case hold(by: CallEnd)
        case resume(by: CallEnd)
        case fax(isActive: Bool)
        /// Nothing is to come to an end, though nobody holds the call; or, after that, something is.
        case direction(to: CallEnd, isOpen: Bool)
        /// An end wants to receive elsewhere than it did.
        case move(of: CallEnd, from: Set<Endpoint>, to: Set<Endpoint>)
    }

    /// A transaction whose final response is awaited, or whose response made an offer that is not answered yet.
    private struct Transaction {
        var opener: CallEnd
        var sequence: UInt32
        var method: String
        var isInitial: Bool
        /// Of its topmost `Via`.
        var branch: String?
        var offer: MediaStance?
        /// What the other end answered so far: its answer, or its offer when the request had none.
        var answer: MediaStance?
        /// The tag of the other end with which it is agreed already, before the final response.
        var settledTags: [String?] = []
        /// Whether its agreement is the first one of the call.
        var isFirst = false
    }

    /// The way of one kind of media to one end.
    private struct Way: Hashable {
        var kind: MediaKind
        var end: CallEnd
    }

    private static let maximumTransactions = 8

    private var transactions: [Transaction] = []
    /// Those whose response made an offer, which the ACK or PRACK answers.
    private var counterOffers: [Transaction] = []
    private var holders: Set<CallEnd> = []
    /// Ends that wanted to receive nothing from the first agreement on: they hold nothing that ever came.
    private var reluctant: Set<CallEnd> = []
    /// Ends to which nothing is to come.
    private var unheard: Set<CallEnd> = []
    private var toldUnheard: Set<CallEnd> = []
    /// Where nothing is to come of a kind that was agreed on.
    private var still: Set<Way> = []
    /// Where each end wants to receive.
    private var places: [CallEnd: Set<Endpoint>] = [:]
    /// Whether the call was seen from its first INVITE on, and nothing is agreed yet.
    private var isFresh = false
    private var isAnswered = false
    private var isFax = false

    /// Notes a request that may carry an offer.
    mutating func open(
        _ message: SIPMessage, by opener: CallEnd, isInitial: Bool, _ description: SessionDescription?
    ) {
        if isInitial, !isAnswered { isFresh = true }
        if transactions.count >= Self.maximumTransactions { transactions.removeFirst() }
        transactions.append(
            Transaction(
                opener: opener, sequence: message.sequence, method: message.method, isInitial: isInitial,
                branch: message.topBranch, offer: description.map { MediaStance($0) }))
    }

    /// Whether a response belongs to an INVITE that set up the call; `nil` when its request was not seen.
    func isInitial(_ message: SIPMessage, opener: CallEnd) -> Bool? {
        place(of: message, opener).map { transactions[$0].isInitial }
    }

    /// Notes the description of a response.
    ///
    /// An offer is settled by the first answer that surely arrives: that of a reliable provisional response, or of the
    /// 2xx ([RFC 3261 §13.2.1](https://www.rfc-editor.org/rfc/rfc3261#section-13.2.1),
    /// [RFC 3262 §5](https://www.rfc-editor.org/rfc/rfc3262#section-5)). What is agreed since, by PRACK or UPDATE, stands.
    /// - Returns: What has changed.
    mutating func answer(
        _ message: SIPMessage, opener: CallEnd, _ description: SessionDescription?
    ) -> [Change] {
        guard let status = message.status else { return [] }
        let stance = description.map { MediaStance($0) }
        guard let place = place(of: message, opener) else { return status / 100 == 2 ? agreeOnFax(stance) : [] }
        let isSettled = transactions[place].settledTags.contains(message.toTag)
        if let stance, !isSettled { transactions[place].answer = stance }
        if status < 200 {
            guard stance != nil, !isSettled, message.reliableSequence != nil else { return [] }
            transactions[place].settledTags = [message.toTag]
            return agree(transactions[place], by: message)
        }
        let transaction = transactions.remove(at: place)
        guard status < 300 else { return [] }
        if transaction.method == "INVITE" { isAnswered = true }
        return isSettled ? tellDirections() : agree(transaction, by: message)
    }

    /// Notes the ACK or PRACK of a response, which answers the offer of that response, if it made one
    /// ([RFC 3261 §13.2.1](https://www.rfc-editor.org/rfc/rfc3261#section-13.2.1)).
    /// - Returns: What has changed; `nil` when there was no such offer.
    mutating func acknowledge(
        _ message: SIPMessage, by opener: CallEnd, _ description: SessionDescription?
    ) -> [Change]? {
        let place = counterOffers.lastIndex {
            $0.opener == opener && ($0.sequence == message.sequence || message.method == "PRACK")
        }
        guard let place, let description else { return nil }
        let transaction = counterOffers.remove(at: place)
        guard let offer = transaction.answer else { return nil }
        let answer = MediaStance(description)
        return agree(offer, by: opener.other, answer, isFirst: transaction.isFirst) + agreeOnFax(answer)
            + tellDirections()
    }

    /// Notes the ACK of an INVITE whose final response was not seen. One of a branch of its own is that of a 2xx
    /// ([RFC 3261 §17.1.1.3](https://www.rfc-editor.org/rfc/rfc3261#section-17.1.1.3)): what was offered is agreed on, and how the
    /// other end has answered is known as far as it had a choice ([RFC 3264 §6.1](https://www.rfc-editor.org/rfc/rfc3264#section-6.1)).
    /// - Returns: What has changed.
    mutating func acknowledgeUnseenAnswer(_ message: SIPMessage, by opener: CallEnd) -> [Change] {
        let place = transactions.lastIndex {
            $0.opener == opener && $0.sequence == message.sequence && $0.method == "INVITE"
        }
        guard let place, let own = message.topBranch, let branch = transactions[place].branch, own != branch else {
            return []
        }
        let transaction = transactions.remove(at: place)
        isAnswered = true
        let isSettled = transaction.settledTags.contains(message.toTag)
        return isSettled ? tellDirections() : agree(transaction, by: message)
    }

    private func place(of message: SIPMessage, _ opener: CallEnd) -> Int? {
        transactions.lastIndex {
            $0.opener == opener && $0.sequence == message.sequence && $0.method == message.method
        }
    }

    private mutating func agree(_ transaction: Transaction, by message: SIPMessage) -> [Change] {
        guard let offer = transaction.offer ?? transaction.answer else { return tellDirections() }
        var transaction = transaction
        (transaction.isFirst, isFresh) = (isFresh, false)
        let changes: [Change]
        if transaction.offer != nil {
            changes = agree(offer, by: transaction.opener, transaction.answer, isFirst: transaction.isFirst)
        } else {
            changes = agree(offer, by: transaction.opener.other, nil, isFirst: transaction.isFirst)
            if counterOffers.count >= Self.maximumTransactions { counterOffers.removeFirst() }
            counterOffers.append(transaction)
        }
        if transaction.method != "INVITE" { settleInvites(by: message, opener: transaction.opener) }
        return changes + agreeOnFax(transaction.answer) + tellDirections()
    }

    private mutating func agree(
        _ offer: MediaStance, by offerer: CallEnd, _ answer: MediaStance?, isFirst: Bool
    ) -> [Change] {
        var changes = settle(offerer, offer, isFirst: isFirst)
        // To an offer that is held itself, any answer is held too and says nothing about the answerer.
        if let answer, offer.isBoth || isFirst { changes += settle(offerer.other, answer, isFirst: isFirst) }
        // Where nothing is agreed on but messages, say, no RTP is to come (RFC 3264 §5.1, RFC 8866 §5.14).
        unheard = offer.isWithoutMedia || answer?.isWithoutMedia == true ? Set(CallEnd.allCases) : []
        if !offer.receives || answer?.sends == false { unheard.insert(offerer) }
        if !offer.sends || answer?.receives == false { unheard.insert(offerer.other) }
        still = []
        for kind in offer.kinds {
            if !offer.received.contains(kind) || answer?.sent.contains(kind) == false {
                still.insert(Way(kind: kind, end: offerer))
            }
            if !offer.sent.contains(kind) || answer?.received.contains(kind) == false {
                still.insert(Way(kind: kind, end: offerer.other))
            }
        }
        return changes + move(offerer, to: offer.places) + move(offerer.other, to: answer?.places ?? [])
    }

    /// Media go where the last agreement says
    /// ([RFC 3264 §8.3.1](https://www.rfc-editor.org/rfc/rfc3264#section-8.3.1)); one that says nowhere takes back no place.
    private mutating func move(_ end: CallEnd, to new: Set<Endpoint>) -> [Change] {
        let old = places[end] ?? []
        guard !new.isEmpty, new != old else { return [] }
        places[end] = new
        return old.isEmpty ? [] : [.move(of: end, from: old, to: new)]
    }

    /// Takes back a hold that was ended by an agreement which was not seen.
    /// - Returns: The ends that held.
    mutating func endHold() -> [CallEnd] {
        defer { (holders, still, unheard) = ([], [], toldUnheard) }
        return CallEnd.allCases.filter(holders.contains)
    }

    /// Whether nothing of a kind is to come to an end by what was agreed last. A session is held line by line, and each way
    /// by itself ([RFC 3264 §8.4](https://www.rfc-editor.org/rfc/rfc3264#section-8.4)); fax leaves nothing of it.
    func isStill(_ kind: MediaKind, to end: CallEnd) -> Bool {
        isFax || still.contains(Way(kind: kind, end: end))
    }

    /// What is agreed by another request while an INVITE waits for its 2xx is newer than what the INVITE offered.
    private mutating func settleInvites(by message: SIPMessage, opener: CallEnd) {
        for place in transactions.indices where transactions[place].method == "INVITE" {
            transactions[place].settledTags = [
                transactions[place].opener == opener ? message.toTag : message.fromTag
            ]
        }
    }

    /// A hold is a change of a stream that was to come
    /// ([RFC 3264 §8.4](https://www.rfc-editor.org/rfc/rfc3264#section-8.4)).
    private mutating func settle(_ end: CallEnd, _ stance: MediaStance, isFirst: Bool) -> [Change] {
        if stance.receives {
            reluctant.remove(end)
            return holders.remove(end) == nil ? [] : [.resume(by: end)]
        }
        if isFirst { reluctant.insert(end) }
        guard !reluctant.contains(end), holders.insert(end).inserted else { return [] }
        return [.hold(by: end)]
    }

    private mutating func agreeOnFax(_ stance: MediaStance?) -> [Change] {
        guard let stance, stance.isFax != isFax else { return [] }
        isFax = stance.isFax
        return [.fax(isActive: isFax)]
    }

    /// What is agreed before the answer is told with it; during a hold the hold says it.
    private mutating func tellDirections() -> [Change] {
        guard isAnswered, holders.isEmpty else { return [] }
        let changed = CallEnd.allCases.filter { unheard.contains($0) != toldUnheard.contains($0) }
        toldUnheard = unheard
        return changed.map { .direction(to: $0, isOpen: !unheard.contains($0)) }
    }
}
