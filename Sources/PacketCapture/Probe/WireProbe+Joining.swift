import CallModel
import RTPMeter

// MARK: - Calls that a capture joins midway

/// A call that goes on when a capture begins is one without signalling, until a message of it passes by. It stays one call:
/// where it was told of before, under the name that it has.
extension WireProbe {
    /// A call without signalling that is found to be that of a dialog.
    private struct Find {
        var place: Int
        /// Whether its first end is the callee.
        var isTurned: Bool
    }

    /// Takes the call of a dialog that goes on for one that was followed without signalling.
    /// - Parameters:
    ///   - ref: the dialog.
    ///   - notices: what its first message says.
    ///   - way: the way of that, from who asks to who is asked.
    /// - Returns: whether there was one.
    mutating func joinMidway(_ ref: CallRef, saying notices: [SIPNotice], way: Flow?) -> Bool {
        guard let find = described(by: notices, of: ref) ?? between(way, saying: notices, of: ref),
            calls[find.place]?.wasTold == true
        else { return false }
        if find.isTurned { turn(find.place) }
        if let pair = calls[find.place]?.pair { pairedCalls.remove(find.place, from: pair) }
        calls[find.place]?.pair = nil
        calls[find.place]?.ref = ref
        signalled[ref] = find.place
        if let way { awaitDescriptions(of: find.place, way: way) }
        if let call = calls[find.place] { tellLeg(callID: ref.callID, number: nil, of: call) }
        return true
    }

    /// The one call whose media go to or come from where the message says.
    private func described(by notices: [SIPNotice], of ref: CallRef) -> Find? {
        for case .media(ref, let end, let description, _, _) in notices {
            let wanted = Set(description.expectedPlaces.map(\.endpoint))
            let finds = ongoing(pairedCalls.calls(at: Set(wanted.map(\.address)))).compactMap { place -> Find? in
                let ends = (0...1).filter { isPart(of: wanted, place, end: $0) }
                guard ends.count == 1, let own = ends.first else { return nil }
                return Find(place: place, isTurned: own != end.index)
            }
            return finds.count == 1 ? finds.first : nil
        }
        return nil
    }

    /// Whether media of a call go to some places at an end, or come from them to the other end.
    private func isPart(of wanted: Set<Endpoint>, _ place: Int, end: Int) -> Bool {
        guard let call = calls[place] else { return false }
        return call.ends[end].streams.contains { wanted.contains(streams[$0].identity.flow.destination) }
            || call.ends[1 - end].streams.contains { wanted.contains(streams[$0].identity.flow.source) }
    }

    /// The one call between the hosts of a message that is of a dialog and describes nothing.
    private func between(_ way: Flow?, saying notices: [SIPNotice], of ref: CallRef) -> Find? {
        guard let way, way.source.address != way.destination.address,
            !notices.contains(where: { if case .media(ref, _, _, _, _) = $0 { true } else { false } })
        else { return nil }
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
