import CallModel
import RTPMeter

// MARK: - Calls that a capture joins midway

/// A call that goes on when a capture begins is one without signalling, until a message of it passes by. It stays one call:
/// where it was told of before, under the name that it has.
extension WireProbe {
    /// A call without signalling that is found to be that of a dialog.
    struct Find {
        var place: Int
        /// Whether its first end is the callee.
        var isTurned: Bool
    }

    /// A dialog of which a BYE was seen first, and the one call that it may end. Whether it does shows by the media, for the
    /// hosts may have other calls, one that is held for example.
    struct Farewell {
        var find: Find
        var at: ArrivalTime
        var way: Flow
        /// What was said of the dialog since.
        var notices: [SIPNotice] = []
    }

    /// Takes the call of a dialog that goes on for one that was followed without signalling.
    /// - Parameters:
    ///   - ref: the dialog.
    ///   - time: when its first message was seen.
    ///   - notices: what its first message says.
    ///   - way: the way of that, from who asks to who is asked.
    /// - Returns: whether there was one, or may be.
    mutating func joinMidway(_ ref: CallRef, at time: ArrivalTime, saying notices: [SIPNotice], way: Flow?) -> Bool {
        if let find = described(by: notices, of: ref), calls[find.place]?.wasTold == true {
            join(find, ref, way: way)
            return true
        }
        guard let way, isEnded(by: notices, ref), let find = between(way), calls[find.place]?.wasTold == true else {
            return false
        }
        farewells[ref] = Farewell(find: find, at: time, way: way)
        return true
    }

    private mutating func join(_ find: Find, _ ref: CallRef, way: Flow?) {
        if find.isTurned { turn(find.place) }
        if let pair = calls[find.place]?.pair { pairedCalls.remove(find.place, from: pair) }
        placedCalls.remove(find.place)
        calls[find.place]?.pair = nil
        calls[find.place]?.ref = ref
        signalled[ref] = find.place
        if let way {
            awaitDescriptions(of: find.place, way: way)
            calls[find.place]?.cutMessagesAtStart = cutMessages[AddressPair(way)] ?? 0
        }
        if let call = calls[find.place] { tellLeg(callID: ref.callID, number: nil, of: call) }
    }

    /// Looks which calls have ended with the BYE that was seen, and which go on, so that it was another's.
    /// - Parameter time: up to when packets were seen; `nil` where no more will come.
    mutating func settleFarewells(at time: ArrivalTime?) {
        guard !farewells.isEmpty else { return }
        for (ref, farewell) in farewells.sorted(by: { $0.key.number < $1.key.number }) {
            if let time, time.seconds(since: farewell.at) < 2 * Self.tailSeconds { continue }
            farewells[ref] = nil
            let place = farewell.find.place
            if let call = calls[place], !call.isSignalled, !call.isConcluded, let last = lastPacket(of: call),
                last.seconds(since: self.time(farewell.at, ofCall: place)) <= Self.tailSeconds
            {
                join(farewell.find, ref, way: farewell.way)
            } else {
                counted.calls += 1
                start(ref, at: farewell.at, way: farewell.way)
            }
            apply(farewell.notices)
        }
    }

    private func isEnded(by notices: [SIPNotice], _ ref: CallRef) -> Bool {
        notices.contains { if case .event(ref, let event) = $0 { event.type.hasPrefix("BYE") } else { false } }
    }

    /// The one call whose media go to or come from where the message says.
    private mutating func described(by notices: [SIPNotice], of ref: CallRef) -> Find? {
        for case .media(ref, let end, let description, _, _) in notices {
            let wanted = Set(description.expectedPlaces.map(\.endpoint))
            let finds = ongoing(callsWithoutSignalling(at: wanted)).compactMap { place -> Find? in
                let ends = (0...1).filter { isPart(of: wanted, place, end: $0) }
                guard ends.count == 1, let own = ends.first else { return nil }
                return Find(place: place, isTurned: own != end.index)
            }
            return finds.count == 1 ? finds.first : nil
        }
        return nil
    }

    /// The calls without signalling of which media have gone from or to one of some places.
    mutating func callsWithoutSignalling(at endpoints: some Sequence<Endpoint>) -> Set<Int> {
        if !placedCalls.isKept {
            placedCalls.keep()
            for place in calls.places {
                guard let call = calls[place], !call.isSignalled else { continue }
                for stream in call.ends.flatMap(\.streams) { placedCalls.add(place, on: streams[stream].identity.flow) }
            }
        }
        return placedCalls.calls(at: endpoints)
    }

    /// Whether media of a call go to some places at an end, or come from them to the other end.
    private func isPart(of wanted: Set<Endpoint>, _ place: Int, end: Int) -> Bool {
        guard let call = calls[place] else { return false }
        return call.ends[end].streams.contains { wanted.contains(streams[$0].identity.flow.destination) }
            || call.ends[1 - end].streams.contains { wanted.contains(streams[$0].identity.flow.source) }
    }

    /// The one call between the hosts of a message.
    private func between(_ way: Flow) -> Find? {
        guard way.source.address != way.destination.address else { return nil }
        let places = pairedCalls[AddressPair(way)]
        guard places.count <= Self.mostSiblings else { return nil }
        let finds = ongoing(places)
        guard finds.count == 1, let place = finds.first, let call = calls[place] else { return nil }
        let toCallee = call.ends.firstIndex { end in
            end.streams.contains { streams[$0].identity.flow.destination.address == way.destination.address }
        }
        return toCallee.map { Find(place: place, isTurned: $0 != CallEnd.callee.index) }
    }

    private func ongoing(_ places: some Sequence<Int>) -> [Int] {
        places.sorted().filter { place in
            guard let call = calls[place], !call.isConcluded, let last = lastPacket(of: call) else { return false }
            return now.seconds(since: last) <= Self.adoptionSeconds
        }
    }

    /// Makes the first end of a call the second one.
    private mutating func turn(_ place: Int) {
        calls[place]?.ends.swapAt(0, 1)
        for stream in calls[place]?.ends.flatMap(\.streams) ?? [] {
            streams[stream].end = 1 - streams[stream].end
            for identity in [streams[stream].identity] + (aliases[stream] ?? []) {
                flowOwners[identity.flow]?.end = streams[stream].end
            }
        }
    }
}
