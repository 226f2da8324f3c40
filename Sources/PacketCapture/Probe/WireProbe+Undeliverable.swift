import CallModel

// MARK: - ICMP

extension WireProbe {
    /// Counts a packet that could not be delivered, with its stream and with the end of the call that it was to reach. Who has
    /// hung up listens no more: what comes back after the end of a call tells nothing.
    mutating func noteUndeliverable(_ packet: UndeliverablePacket) {
        let stream = knownStream(of: packet)
        guard let place = place(of: packet, stream), let call = calls[place.call], call.endedAt == nil,
            !call.isConcluded
        else { return }
        if let stream { undeliverable[stream, default: 0] += 1 }
        let kind = stream.map { streams[$0].kind } ?? match(packet.flow)?.terms?.commonKind
        if kind != MediaKind.video { calls[place.call]?.ends[place.end].audioUndeliverable &+= 1 }
    }

    /// The call and end that it was to reach.
    private func place(of packet: UndeliverablePacket, _ stream: Int?) -> (call: Int, end: Int)? {
        if let stream { return (streams[stream].call, streams[stream].end) }
        if let owner = owner(of: packet.flow) { return (owner.call, owner.end) }
        return match(packet.flow).map { ($0.call, $0.end) }
    }

    /// The stream that it is of, if that is followed.
    private func knownStream(of packet: UndeliverablePacket) -> Int? {
        guard let ssrc = packet.ssrc else { return nil }
        let identity = StreamIdentity(flow: packet.flow, ssrc: ssrc)
        let coded = index.place(of: identity.mixed) { coded in
            guard coded & 1 == 0 else { return false }
            return streams[coded >> 1].identity == identity || aliases[coded >> 1]?.contains(identity) == true
        }
        return coded.map { $0 >> 1 }
    }
}
