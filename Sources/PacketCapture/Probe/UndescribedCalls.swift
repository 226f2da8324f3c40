import CallModel
import RTPMeter

// MARK: - Calls whose session descriptions cannot be read

extension WireProbe {
    /// Notes between which hosts a call is set up.
    mutating func awaitDescriptions(of place: Int, way: Flow) {
        guard way.source.address != way.destination.address else { return }
        calls[place]?.signallingWay = way
        undescribedCalls.add(place, to: AddressPair(way))
    }

    /// Notes that an end has said where it expects its media.
    mutating func noteDescription(of place: Int, by end: CallEnd) {
        calls[place]?.ends[end.index].isDescribed = true
        if calls[place]?.ends.allSatisfy(\.isDescribed) == true { stopAwaitingDescriptions(of: place) }
    }

    /// Nothing more is guessed of a call: its ends are described, or it is over.
    mutating func stopAwaitingDescriptions(of place: Int) {
        guard let way = calls[place]?.signallingWay else { return }
        undescribedCalls.remove(place, from: AddressPair(way))
    }

    /// Both offer and answer have passed by, or should have: takes over the media that began before.
    mutating func settleDescriptions(of place: Int) {
        calls[place]?.isAcknowledged = true
        guard let call = calls[place], let way = call.signallingWay, !call.ends.allSatisfy(\.isDescribed) else {
            return
        }
        for old in pairedCalls[AddressPair(way)].suffix(Self.mostSiblings) {
            guard let last = calls[old].flatMap({ lastPacket(of: $0) }),
                now.seconds(since: last) <= Self.adoptionSeconds
            else { continue }
            for stream in calls[old]?.ends.flatMap(\.streams) ?? [] where streams[stream].call == old {
                adopt(stream, of: old, into: place)
            }
        }
    }

    private mutating func adopt(_ stream: Int, of old: Int, into place: Int) {
        let flow = streams[stream].identity.flow
        guard match(flow) == nil, let begunAt = streams[stream].meter.figures().firstArrival,
            let home = undescribedHome(flow, kind: streams[stream].kind, begunAt: begunAt), home.call == place
        else { return }
        move(from: old, flow, to: home.end, of: place)
    }

    /// The one call that was set up between the two hosts of a stream, and lacks both the description and media of the
    /// end that receives it. Where another could be it, answered or not, neither is.
    func undescribedHome(_ flow: Flow, kind: MediaKind, begunAt: ArrivalTime) -> StreamHome? {
        let near = undescribedCalls[AddressPair(flow)]
        guard near.count <= Self.mostSiblings else { return nil }
        let homes = near.compactMap { place -> StreamHome? in
            guard let call = calls[place], let way = call.signallingWay, begunAt >= call.startedAt else { return nil }
            let end = flow.destination.address == way.destination.address ? 1 : 0
            let hasMedia = call.ends[end].streams.contains { streams[$0].kind == kind }
            return call.ends[end].isDescribed || hasMedia ? nil : StreamHome(call: place, end: end)
        }
        guard homes.count == 1, let home = homes.first, let call = calls[home.call] else { return nil }
        return call.isAnswered || call.isAcknowledged ? home : nil
    }
}
