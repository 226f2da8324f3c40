import RTPMeter

/// Times the checks of ICE that pass by, without a part in the call: they go the way of the media, also where RTCP cannot be read.
///
/// A check passes at t₁, its answer at t₂, and it is answered at once: from here to who answers and back it took t₂ − t₁. The
/// transaction tells which answer is whose ([RFC 8489 §6](https://www.rfc-editor.org/rfc/rfc8489#section-6)). Both ends check
/// before a call ([RFC 8445 §7](https://www.rfc-editor.org/rfc/rfc8445#section-7)) and all through it
/// ([RFC 7675 §5.1](https://www.rfc-editor.org/rfc/rfc7675#section-5.1)).
struct ConnectivityChecks {
    /// A check that was answered.
    struct Answered: Equatable {
        /// The way of the check: to who answered it.
        var flow: Flow
        /// From here to who answered it and back.
        var seconds: Double
    }

    private struct Transaction: Hashable {
        var flow: Flow
        var id: STUNMessage.TransactionID
    }

    /// When each was asked; `nil` of one that was asked again, of which nobody knows which one is answered.
    private var recent: [Transaction: ArrivalTime?] = [:]
    /// Those of the time before.
    private var earlier: [Transaction: ArrivalTime?] = [:]
    private var recentSince: ArrivalTime?

    /// So many wait for an answer at most; of more, the oldest half is let go of.
    private static let most = 8_192
    /// The same again within this time is a copy (mirror ports, the device `any`); in seconds.
    private static let copySeconds = 0.005

    /// Takes a check or an answer.
    /// - Returns: the check that it answers; `nil` where it answers none whose time is known.
    mutating func take(_ message: STUNMessage, flow: Flow, at time: ArrivalTime) -> Answered? {
        switch message.role {
        case .check:
            note(Transaction(flow: flow, id: message.transaction), at: time)
            return nil
        case .success: return answered(Transaction(flow: flow.reversed, id: message.transaction), at: time)
        }
    }

    private mutating func note(_ transaction: Transaction, at time: ArrivalTime) {
        let isOld = recentSince.map { time.seconds(since: $0) > RoundTripEstimator.longest } ?? true
        if isOld || recent.count >= Self.most / 2 { (earlier, recent, recentSince) = (recent, [:], time) }
        guard let before = recent[transaction] ?? earlier[transaction] else {
            recent[transaction] = time
            return
        }
        let isCopy = before.map { abs(time.seconds(since: $0)) < Self.copySeconds } ?? false
        if !isCopy { recent[transaction] = .some(nil) }
    }

    private mutating func answered(_ transaction: Transaction, at time: ArrivalTime) -> Answered? {
        let asked = recent.removeValue(forKey: transaction)
        let askedBefore = earlier.removeValue(forKey: transaction)
        guard let first = asked ?? askedBefore, let first else { return nil }
        let seconds = time.seconds(since: first)
        guard seconds >= 0, seconds <= RoundTripEstimator.longest else { return nil }
        return Answered(flow: transaction.flow, seconds: seconds)
    }
}
