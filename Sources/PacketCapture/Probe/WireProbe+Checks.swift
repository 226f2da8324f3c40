import RTPMeter

// MARK: - ICE

extension WireProbe {
    /// Takes a message of STUN: a check that was answered tells how long the way of the media is, and some tell who sends them.
    mutating func takeCheck(_ bytes: RawSpan, flow: Flow, at time: ArrivalTime) {
        counted.otherPackets["STUN", default: 0] += 1
        guard let message = STUNMessage(bytes) else { return }
        if message.isOfFirefox {
            for place in streams(on: flow) { control[place, default: ControlLedger()].isSentByFirefox = true }
        }
        guard let answer = checks.take(message, flow: flow, at: time) else { return }
        for place in streams(on: answer.flow.reversed) {
            control[place, default: ControlLedger()].takeCheck(toSender: answer.seconds)
        }
        for place in streams(on: answer.flow) {
            let half = otherHalf(of: place)
            control[place, default: ControlLedger()].takeCheck(toReceiver: answer.seconds, otherHalf: half)
        }
    }

    /// The streams that go this way.
    private func streams(on flow: Flow) -> [Int] {
        guard let owner = owner(of: flow), let end = calls[owner.call]?.ends[owner.end] else { return [] }
        return end.streams.filter { place in
            streams[place].identity.flow == flow || aliases[place]?.contains { $0.flow == flow } == true
        }
    }
}
