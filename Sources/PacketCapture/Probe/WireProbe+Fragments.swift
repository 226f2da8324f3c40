import RTPMeter

/// A SIP message of which the first fragment has come, and the rest has not yet.
struct MessageBeginning {
    /// What there is of it.
    let message: SIPMessage
    let flow: Flow
    let bytes: [UInt8]
    let time: ArrivalTime

    /// The fragments of a datagram are sent one behind the other: so many seconds later, the rest was not captured.
    static let patience = 1.0
    /// So many wait at once.
    static let most = 64
}

// MARK: - SIP messages of which only the first fragment is captured

/// A filter by port lets none but the first fragment pass, for only that has the ports; it has the header fields, and mostly the
/// session description, too.
extension WireProbe {
    /// Keeps the beginning of a SIP message until the rest comes, or another message of its call tells that it does not.
    mutating func keepBeginning(_ payload: RawSpan, of frame: DecodedFrame, at time: ArrivalTime) {
        guard SIPMessage.isLikely(payload),
            let message = try? SIPMessage(parsing: payload, wireLength: frame.payloadWireLength)
        else { return }
        let beginning = MessageBeginning(
            message: message, flow: frame.flow, bytes: payload.copy(0..<payload.byteCount), time: time)
        guard !beginnings.contains(where: { $0.flow == frame.flow && $0.bytes == beginning.bytes }) else { return }
        takeBeginnings { $0.message.callID == message.callID }
        if beginnings.count >= MessageBeginning.most { takeBeginnings { _ in true } }
        beginnings.append(beginning)
    }

    /// Forgets the beginning of a datagram that was put together.
    mutating func forgetBeginning(of payload: RawSpan, flow: Flow) {
        guard !beginnings.isEmpty else { return }
        let bytes = payload.copy(0..<payload.byteCount)
        beginnings.removeAll { $0.flow == flow && bytes.starts(with: $0.bytes) }
    }

    /// Takes messages of which no more will come for what there is of them, as those that the snap length cut.
    mutating func takeBeginnings(where isOver: (MessageBeginning) -> Bool) {
        guard !beginnings.isEmpty else { return }
        let over = beginnings.filter(isOver)
        beginnings.removeAll(where: isOver)
        for beginning in over {
            take(
                beginning.message, flow: beginning.flow, at: beginning.time,
                waited: max(0, now.nanoseconds(since: beginning.time)))
        }
    }
}
