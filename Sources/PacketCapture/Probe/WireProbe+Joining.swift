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

    /// A dialog of which a BYE was seen first, or a request that does not say where its media go, and the calls that it may be.
    /// Which it is shows when the media of one end with a BYE, or by a description that says where they go, if only that of the
    /// answer; for the hosts may have other calls, one that is held for example.
    struct Farewell {
        var finds: [Find]
        var at: ArrivalTime
        var way: Flow
        /// What was said of the dialog since.
        var notices: [SIPNotice] = []
        /// When its BYE was seen.
        var leftAt: ArrivalTime?
    }

    /// More is not kept of a dialog without a BYE.
    private static let mostNotices = 64

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
        let isLeft = isEnded(by: notices, ref)
        guard let way, isLeft || isChanged(by: notices, ref) else { return false }
        let finds = between(way)
        guard !finds.isEmpty else { return false }
        farewells[ref] = Farewell(finds: finds, at: time, way: way, leftAt: isLeft ? time : nil)
        return true
    }

    /// Keeps what is said of a dialog of which it is not known yet which call it is, or settles that by it.
    mutating func keep(_ notice: SIPNotice, of ref: CallRef) {
        guard var farewell = farewells[ref] else { return }
        farewell.notices.append(notice)
        farewells[ref] = farewell
        guard farewell.leftAt == nil else { return }
        switch notice {
        case .event(_, let event) where event.type.hasPrefix("BYE"): farewells[ref]?.leftAt = now
        case .media:
            // Who moves names a new place; then the other end names that of the call.
            let find = described(by: farewell.notices, of: ref)
            if find != nil || haveBothDescribed(farewell.notices) { settle(farewell, of: ref, as: find) }
        case .ended, .forgotten: settle(farewell, of: ref, as: nil)
        default:
            if farewell.notices.count >= Self.mostNotices { settle(farewell, of: ref, as: nil) }
        }
    }

    /// Takes a dialog for the call that it was found to be, or for one of its own.
    private mutating func settle(_ farewell: Farewell, of ref: CallRef, as find: Find?) {
        farewells[ref] = nil
        if let find, calls[find.place]?.wasTold == true {
            join(find, ref, way: farewell.way)
        } else {
            counted.calls += 1
            let place = start(ref, at: farewell.at, way: farewell.way)
            if let find { moveAll(of: find, to: place) }
        }
        apply(farewell.notices)
    }

    /// A call that was not told of yet has the name of its dialog from the beginning.
    private mutating func moveAll(of find: Find, to place: Int) {
        for (end, streams) in (calls[find.place]?.ends.map(\.streams) ?? []).enumerated() {
            let flows = streams.map { self.streams[$0].identity.flow }
            for flow in flows { move(from: find.place, flow, to: find.isTurned ? 1 - end : end, of: place) }
        }
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
            let open = farewell.finds.compactMap { find -> (find: Find, last: ArrivalTime)? in
                guard let call = calls[find.place], !call.isSignalled, !call.isConcluded else { return nil }
                return lastPacket(of: call).map { (find, $0) }
            }
            guard let leftAt = farewell.leftAt else {
                if time != nil, let last = open.map(\.last).max() {
                    dialogs.noteMedia(of: ref, at: last)
                } else {
                    settle(farewell, of: ref, as: nil)
                }
                continue
            }
            if let time, time.seconds(since: leftAt) < 2 * Self.tailSeconds { continue }
            let ended = open.filter {
                $0.last.seconds(since: self.time(leftAt, ofCall: $0.find.place)) <= Self.tailSeconds
            }
            settle(farewell, of: ref, as: ended.count == 1 ? ended[0].find : nil)
        }
    }

    private func isEnded(by notices: [SIPNotice], _ ref: CallRef) -> Bool {
        notices.contains { if case .event(ref, let event) = $0 { event.type.hasPrefix("BYE") } else { false } }
    }

    /// Whether a message asks for a change of the session, or only whether it still goes on
    /// ([RFC 4028 §7.4](https://www.rfc-editor.org/rfc/rfc4028#section-7.4)).
    private func isChanged(by notices: [SIPNotice], _ ref: CallRef) -> Bool {
        notices.contains { notice in
            if case .event(ref, let event) = notice { ["UPDATE", "reINVITE"].contains(event.type) } else { false }
        }
    }

    /// Whether each end has said where it expects its media.
    private func haveBothDescribed(_ notices: [SIPNotice]) -> Bool {
        CallEnd.allCases.allSatisfy { own in
            notices.contains { if case .media(_, own, _, _, _) = $0 { true } else { false } }
        }
    }

    /// The one call whose media go to or come from where a message says.
    private mutating func described(by notices: [SIPNotice], of ref: CallRef) -> Find? {
        for case .media(ref, let end, let description, _, _) in notices {
            let wanted = Set(description.expectedPlaces.map(\.endpoint))
            let finds = ongoing(callsWithoutSignalling(at: wanted)).compactMap { place -> Find? in
                let ends = (0...1).filter { isPart(of: wanted, place, end: $0) }
                guard ends.count == 1, let own = ends.first else { return nil }
                return Find(place: place, isTurned: own != end.index)
            }
            if finds.count == 1 { return finds.first }
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

    /// The calls between the hosts of a message.
    private func between(_ way: Flow) -> [Find] {
        guard way.source.address != way.destination.address else { return [] }
        let places = pairedCalls[AddressPair(way)]
        guard places.count <= Self.mostSiblings else { return [] }
        return ongoing(places).compactMap { place in
            let toCallee = calls[place]?.ends.firstIndex { end in
                end.streams.contains { streams[$0].identity.flow.destination.address == way.destination.address }
            }
            return toCallee.map { Find(place: place, isTurned: $0 != CallEnd.callee.index) }
        }
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
