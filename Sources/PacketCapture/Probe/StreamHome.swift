import CallModel
import RTPMeter

/// Where a new stream belongs.
struct StreamHome {
    /// Place of the call.
    var call: Int
    /// The end that receives the stream.
    var end: Int
    /// What signalling says of its packets.
    var terms: MediaTerms?
}

// MARK: - Finding the call of a stream

extension WireProbe {
    /// A stream may begin so long before its call's signalling names a second address, and so long after.
    private static let matchSeconds = 60.0
    /// Audio and video of one pair of programs use neighbouring ports and begin together.
    private static let siblingPorts = 16
    private static let siblingSeconds = 5.0
    /// So many calls between two hosts are looked at.
    static let mostSiblings = 64

    /// The call a stream belongs to; a new one when nothing claims it.
    ///
    /// By the address signalled, else by a stream on the same way or the way back, else behind a translator by the addresses
    /// of the SIP packets, else between the hosts of a call that is not described, else by neighbouring ports (`docs/wire.md`).
    mutating func home(of identity: StreamIdentity, kind: MediaKind, _ figures: RTPStreamFigures) -> StreamHome {
        let payloadType = figures.payloadType ?? 0
        if let match = match(identity.flow), calls[match.call] != nil {
            return StreamHome(call: match.call, end: match.end, terms: match.terms)
        }
        if let owner = owner(of: identity.flow) { return StreamHome(call: owner.call, end: owner.end) }
        if let owner = owner(of: identity.flow.reversed) { return StreamHome(call: owner.call, end: 1 - owner.end) }
        let begunAt = figures.firstArrival ?? now
        if let home = homeByAddress(identity.flow, kind: kind, payloadType: payloadType) { return home }
        if let home = undescribedHome(identity.flow, kind: kind, begunAt: begunAt) { return home }
        if let home = siblingHome(identity.flow, kind: kind, begunAt: begunAt) { return home }
        return StreamHome(call: openCall(for: identity, at: begunAt), end: 1)
    }

    /// What signalling says of a flow. Where several calls share a place, the flow is that of the call whose media go on on it.
    func match(_ flow: Flow) -> MediaDirectory.Match? {
        // No closure tells the owner when it is asked for: it would have the whole probe copied.
        directory.match(flow, owner: directory.isShared(flow) ? liveOwner(of: flow) : nil)
    }

    private func liveOwner(of flow: Flow) -> Int? {
        guard let place = (owner(of: flow) ?? owner(of: flow.reversed))?.call, let call = calls[place],
            call.endedAt == nil, let last = lastPacket(of: call), now.seconds(since: last) <= Self.adoptionSeconds
        else { return nil }
        return place
    }

    /// The one signalled call behind a translator of addresses whose ends the flow's could be, that knows the payload type
    /// and still lacks media there that are due.
    private mutating func homeByAddress(_ flow: Flow, kind: MediaKind, payloadType: UInt8) -> StreamHome? {
        var found: StreamHome?
        for place in directory.calls(near: flow) {
            guard mayLackMedia(place) else {
                directory.settle(place)
                continue
            }
            guard let claim = directory.claim(of: place, to: flow, payloadType: payloadType), let call = calls[place],
                call.ends[claim.end].streams.isEmpty, !isStill(kind, to: claim.end, of: call)
            else { continue }
            // Two calls that could be it: neither is sure.
            guard found == nil else { return nil }
            found = StreamHome(call: place, end: claim.end, terms: claim.terms)
        }
        return found
    }

    private func mayLackMedia(_ place: Int) -> Bool {
        guard let call = calls[place], call.endedAt == nil else { return false }
        return now.seconds(since: call.startedAt) < Self.matchSeconds && call.ends.contains { $0.streams.isEmpty }
    }

    /// Whether nothing of a kind is to come to an end of a call.
    private func isStill(_ kind: MediaKind, to end: Int, of call: WireCall) -> Bool {
        call.ref.map { dialogs.isStill(kind, to: CallEnd.allCases[end], of: $0) } ?? false
    }

    /// The call without signalling between the same two hosts that has media of the other kind on a neighbouring port.
    private func siblingHome(_ flow: Flow, kind: MediaKind, begunAt: ArrivalTime) -> StreamHome? {
        // They are listed as they began; what began together stands at the end, and a gateway has thousands before.
        for place in pairedCalls[AddressPair(flow)].suffix(Self.mostSiblings).reversed() {
            guard let call = calls[place], abs(begunAt.seconds(since: call.startedAt)) < Self.siblingSeconds else {
                continue
            }
            for end in 0...1 {
                for other in call.ends[end].streams where streams[other].kind != kind {
                    let known = streams[other].identity.flow
                    if known.isNear(flow, ports: Self.siblingPorts) { return StreamHome(call: place, end: end) }
                    if known.reversed.isNear(flow, ports: Self.siblingPorts) {
                        return StreamHome(call: place, end: 1 - end)
                    }
                }
            }
        }
        return nil
    }

    private mutating func openCall(for identity: StreamIdentity, at time: ArrivalTime) -> Int {
        counted.calls += 1
        let id = name(of: identity.ssrc, at: time)
        let place = open(
            WireCall(id: id, ref: nil, probe: options.name, at: time, statistics: statistics))
        pairedCalls.add(place, to: AddressPair(identity.flow))
        calls[place]?.pair = AddressPair(identity.flow)
        return place
    }

    /// The name of a call without signalling: `rtp-SSRC-TIME`, numbered where several begin in one millisecond, as they do
    /// where recordings are replayed.
    private func name(of ssrc: UInt32, at time: ArrivalTime) -> CallID {
        let first = "rtp-\(String(ssrc, radix: 16))-\(time.timestamp.milliseconds)"
        let taken = (placesBySSRC[ssrc] ?? []).suffix(Self.mostNamesakes).map { calls[streams[$0].call]?.id }
        var id = CallID(rawValue: first)
        var number = 1
        while taken.contains(id) {
            number += 1
            id = CallID(rawValue: "\(first)-\(number)")
        }
        return id
    }

    /// Takes in a call.
    mutating func open(_ call: WireCall) -> Int {
        let place = calls.insert(call)
        schedule.add(place, at: call.startedAt)
        return place
    }
}

extension Flow {
    /// Whether both ends are the same hosts, at ports not far away.
    func isNear(_ other: Flow, ports: Int) -> Bool {
        source.address == other.source.address && destination.address == other.destination.address
            && abs(Int(source.port) - Int(other.source.port)) <= ports
            && abs(Int(destination.port) - Int(other.destination.port)) <= ports
    }
}
