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
    /// For so long a stream comes to a relay while another one leaves it that tells nothing else of being sent on.
    private static let leastSecondsTogether = 1.0
    /// The last packets of both came so long before a snapshot at most.
    private static let longestDelay = 0.2

    /// Settles which streams to an end are on their way to a relay.
    mutating func settleHops(of call: WireCall, _ end: Int) {
        let (here, there) = (call.ends[end].streams, call.ends[1 - end].streams)
        guard here.count > 1 || there.count > 1 else { return }
        for (places, wayBack) in [(here, there), (there, here)] {
            settleHops(among: places, wayBack: wayBack)
            settleRenamedHops(among: places)
        }
        // What goes to where a relay sends from, whose other side the capture has, is on its way there, also where nothing is
        // sent on.
        let ways = waysToRelays(wayBack: there)
        for place in here where streams[place].role == .primary && ways.contains(streams[place].identity.flow) {
            streams[place].settle(as: .hop)
        }
    }

    /// The flows that go to where relays send from the other way.
    private func waysToRelays(wayBack: [Int]) -> Set<Flow> {
        let hops = wayBack.filter { streams[$0].role == .hop }
        let relays = Dictionary(grouping: hops) { streams[$0].kind }
            .mapValues { Set($0.map { streams[$0].identity.flow.destination.address }) }
        let sentOn = wayBack.filter { place in
            streams[place].role == .primary
                && (hops.contains { isElsewhere(place, with: $0) }
                    || relays[streams[place].kind]?.contains(streams[place].identity.flow.source.address) == true)
        }
        return Set(sentOn.map { streams[$0].identity.flow.reversed })
    }

    /// Whether a stream has the source of another one, and comes from another host.
    private func isElsewhere(_ place: Int, with other: Int) -> Bool {
        let (own, before) = (streams[place].identity, streams[other].identity)
        return own.ssrc == before.ssrc && own.flow.source.address != before.flow.source.address
    }

    private mutating func settleHops(among places: [Int], wayBack: [Int]) {
        for source in Set(places.filter { streams[$0].ordinal > 1 }.map { streams[$0].identity.ssrc }) {
            // What is known to come to a relay may have ended since, and lag behind what that sends on.
            let paths = places.filter { streams[$0].identity.ssrc == source && streams[$0].role == .primary }
                .suffix(Self.mostHops)
            for place in paths {
                guard paths.contains(where: { isSentOn(place, as: $0, wayBack: wayBack) }) else { continue }
                streams[place].settle(as: .hop)
            }
        }
    }

    /// A relay may give what it sends on an SSRC and numbers of its own, as one does that changes the codec. Then it shows by
    /// the way: what goes to a host that sends to the same end meanwhile does not go to the end.
    private mutating func settleRenamedHops(among places: [Int]) {
        guard places.count > 1 else { return }
        let leaving = Dictionary(grouping: places) { streams[$0].identity.flow.source.address }
        for place in places where streams[place].role == .primary {
            let isSignalled = isToRelay(place)
            let next = isSignalled ? places : leaving[streams[place].identity.flow.destination.address] ?? []
            guard
                next.suffix(Self.mostHops).contains(where: {
                    isReplaced(place, by: $0) && !(isSignalled && isToRelay($0))
                })
            else { continue }
            streams[place].settle(as: .hop)
        }
    }

    /// Whether a stream began too short a time ago to tell whether it comes to a relay that sends on another one: told of once
    /// as one that the end hears, it would be one for ever.
    func mayBeHop(_ place: Int, at time: ArrivalTime) -> Bool {
        guard streams[place].role == .primary, let began = streams[place].meter.earliestArrival,
            let others = calls[streams[place].call]?.ends[streams[place].end].streams, others.count > 1
        else { return false }
        let destination = streams[place].identity.flow.destination.address
        let isSignalled = isToRelay(place)
        return others.suffix(Self.mostHops).contains { next in
            guard let otherBegan = streams[next].meter.earliestArrival,
                time.seconds(since: max(began, otherBegan)) < Self.leastSecondsTogether + Self.longestDelay
            else { return false }
            return isReplaced(place, by: next, for: 0)
                && (isSignalled ? !isToRelay(next) : destination == streams[next].identity.flow.source.address)
        }
    }

    /// Whether signalling says that a stream goes to a relay, whatever that has for addresses.
    private func isToRelay(_ place: Int) -> Bool {
        flows(of: place).last.map { directory.isRelay($0.destination, of: streams[place].call) } ?? false
    }

    /// Whether a stream that leaves a relay is there at the same time as one that comes to it.
    private func isReplaced(_ place: Int, by next: Int, for seconds: Double = leastSecondsTogether) -> Bool {
        let (path, flow) = (streams[place].identity.flow, streams[next].identity.flow)
        guard path.destination.address != path.source.address, flow.destination.address != flow.source.address,
            flow.destination.address != path.source.address, streams[next].role == .primary,
            streams[next].kind == streams[place].kind,
            let begin = streams[place].meter.earliestArrival, let otherBegin = streams[next].meter.earliestArrival,
            let last = streams[place].meter.latestArrival, let otherLast = streams[next].meter.latestArrival
        else { return false }
        return min(last, otherLast).seconds(since: max(begin, otherBegin)) >= seconds
    }

    /// Whether a relay sends on a stream as another one: the same packets, each later than it came, from the host to which
    /// they went; or, where the relay has several addresses, to where the call sends from.
    private func isSentOn(_ place: Int, as next: Int, wayBack: [Int]) -> Bool {
        let (before, after) = (streams[place], streams[next])
        guard place != next, before.meter.numbersInCommon(with: after.meter) >= Self.leastInCommon,
            before.meter.isAhead(of: after.meter)
        else { return false }
        let (paths, ways) = (flows(of: place), flows(of: next))
        return paths.contains { path in ways.contains { path.destination.address == $0.source.address } }
            || wayBack.contains { flows(of: $0).contains { ways.contains($0.reversed) } }
    }

    /// The paths of a stream, the latest last.
    func flows(of place: Int) -> [Flow] { ([streams[place].identity] + (aliases[place] ?? [])).map(\.flow) }

    /// The stream that a relay sends on as this one, the latest; `nil` where it comes from none that the capture has both
    /// sides of.
    func hop(of place: Int, among places: [Int]) -> Int? {
        let (ssrc, relay) = (streams[place].identity.ssrc, streams[place].identity.flow.source.address)
        let hops = places.filter { streams[$0].role == .hop }
        return hops.first { streams[$0].identity.ssrc == ssrc }
            ?? hops.filter {
                streams[$0].identity.flow.destination.address == relay && streams[$0].kind == streams[place].kind
            }.max { isEarlier(streams[$0], streams[$1]) }
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
