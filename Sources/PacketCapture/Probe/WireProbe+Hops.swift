import CallModel
import RTPMeter

// MARK: - Relays

/// A relay of a call (an RTP proxy, a translator of addresses) sends on what it gets. A capture that has both sides of it has
/// each packet twice, on its way to the relay and on its way to the end, which hears the latter.
extension WireProbe {
    /// So many numbers are on both sides of a relay. A source that moves from one path to another repeats a few at most.
    private static let leastInCommon = 10
    /// So many streams of one source to one end are looked at; fewer relays lie behind one another.
    private static let mostHops = 16

    /// Settles which streams to an end are on their way to a relay.
    mutating func settleHops(of call: WireCall, _ end: Int) {
        let (here, there) = (call.ends[end].streams, call.ends[1 - end].streams)
        guard (here + there).contains(where: { streams[$0].ordinal > 1 }) else { return }
        settleHops(among: here, wayBack: there)
        settleHops(among: there, wayBack: here)
        // What goes to a relay whose other side the capture has is on its way there, also where nothing is sent on.
        for place in here where streams[place].role == .primary && goesToRelay(place, wayBack: there) {
            streams[place].settle(as: .hop)
        }
    }

    private mutating func settleHops(among places: [Int], wayBack: [Int]) {
        for source in Set(places.filter { streams[$0].ordinal > 1 }.map { streams[$0].identity.ssrc }) {
            let paths = places.filter { streams[$0].identity.ssrc == source }.suffix(Self.mostHops)
            for place in paths where streams[place].role == .primary {
                guard paths.contains(where: { isSentOn(place, as: $0, wayBack: wayBack) }) else { continue }
                streams[place].settle(as: .hop)
            }
        }
    }

    /// Whether a relay sends on a stream as another one: the same packets, each later than it came, from the host to which
    /// they went; or, where the relay has several addresses, to where the call sends from.
    private func isSentOn(_ place: Int, as next: Int, wayBack: [Int]) -> Bool {
        let (before, after) = (streams[place], streams[next])
        guard place != next, before.meter.numbersInCommon(with: after.meter) >= Self.leastInCommon,
            before.meter.isAhead(of: after.meter)
        else { return false }
        let (path, flow) = (before.identity.flow, after.identity.flow)
        return path.destination.address == flow.source.address
            || wayBack.contains { streams[$0].identity.flow == flow.reversed }
    }

    /// Whether a stream goes to where a relay sends from, the other way.
    private func goesToRelay(_ place: Int, wayBack: [Int]) -> Bool {
        wayBack.contains { back in
            streams[back].identity.flow == streams[place].identity.flow.reversed && streams[back].role == .primary
                && hop(of: back, among: wayBack) != nil
        }
    }

    /// The stream that a relay sends on as this one; `nil` where it comes from none that the capture has both sides of.
    func hop(of place: Int, among places: [Int]) -> Int? {
        places.first { streams[$0].role == .hop && streams[$0].identity.ssrc == streams[place].identity.ssrc }
    }
}

extension RTPStreamMeter {
    /// Whether it has the newest packet of one source before another one has it, by number and time stamp.
    fileprivate func isAhead(of other: RTPStreamMeter) -> Bool {
        guard let latest = latestArrival, let otherLatest = other.latestArrival else { return false }
        let numbers = numbersAhead(of: other)
        let ticks = Int32(bitPattern: latestTimestamp &- other.latestTimestamp)
        return numbers == 0 && ticks == 0 ? latest < otherLatest : numbers > 0 && ticks > 0
    }
}
