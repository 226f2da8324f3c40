import CallModel
import RTPMeter

// MARK: - RTP

extension WireProbe {
    /// Candidates held at once: as many as there may be streams when a capture begins; more are an attack.
    static let mostCandidates = 100_000
    /// Source ports that one stream may come from, the latest ones.
    static let mostAliases = 16
    /// Streams on the way to one end of a call; those that have ended count until the call has.
    static let mostStreamsAtEnd = 1_000

    @inline(__always)
    mutating func takeMedia(_ payload: RawSpan, of frame: DecodedFrame, at time: ArrivalTime) {
        let header: RTPHeader
        do {
            header = try RTPHeader(parsing: payload, wireLength: frame.payloadWireLength)
        } catch {
            counted.rejectedRTPPackets &+= 1
            // Too little was kept of it to tell its source; its flow tells the call.
            if frame.payloadWireLength > payload.byteCount, let owner = owner(of: frame.flow) {
                calls[owner.call]?.packetsCutShort += 1
            }
            return
        }
        let identity = StreamIdentity(flow: frame.flow, ssrc: header.ssrc)
        let mixed = identity.mixed
        if let coded = index.firstPlace(of: mixed), coded & 1 == 0, streams[coded >> 1].identity == identity {
            return take(header, of: coded >> 1, identity, frame, at: time)
        }
        takeOther(header, identity, mixed, frame, at: time)
    }

    /// Whether a datagram is RTP because signalling lists its payload type: 77 to 95 may be given to any format
    /// ([RFC 3551 §6](https://www.rfc-editor.org/rfc/rfc3551#section-6)), 64 to 71 as well, but where RTCP has the same port
    /// ([RFC 5761 §4](https://www.rfc-editor.org/rfc/rfc5761#section-4)). With the marker they look like RTCP; those that fit
    /// no packet of it get here.
    @inline(never)
    func isListed(_ payload: RawSpan, of frame: DecodedFrame) -> Bool {
        guard payload.byteCount >= 12, payload.byte(at: 0) >> 6 == 2 else { return false }
        let type = payload.byte(at: 1) & 0x7F
        guard 64...71 ~= type || 77...95 ~= type else { return false }
        return match(frame.flow)?.terms?[type] != nil
    }

    /// A packet of no stream, or of one that changed its port, or whose place is shared.
    @inline(never)
    private mutating func takeOther(
        _ header: RTPHeader, _ identity: StreamIdentity, _ mixed: UInt64, _ frame: DecodedFrame, at time: ArrivalTime
    ) {
        let coded = index.place(of: mixed) { coded in
            guard coded & 1 == 0 else { return candidates[coded >> 1].identity == identity }
            return streams[coded >> 1].identity == identity || isAlias(identity, of: coded >> 1)
        }
        if let coded, coded & 1 == 0 {
            take(header, of: coded >> 1, identity, frame, at: time)
        } else {
            takeCandidate(header, identity, mixed, coded.map { $0 >> 1 }, frame, at: time)
        }
    }

    @inline(never)
    private func isAlias(_ identity: StreamIdentity, of place: Int) -> Bool {
        streams[place].hasAliases && aliases[place]?.contains(identity) ?? false
    }

    @inline(__always)
    private mutating func take(
        _ header: RTPHeader, of place: Int, _ identity: StreamIdentity, _ frame: DecodedFrame, at time: ArrivalTime
    ) {
        guard time.nanoseconds < streams[place].closesAt else {
            return takeAfterEnd(header, of: place, identity, frame, at: time)
        }
        counted.rtpPackets &+= 1
        holes.noteMedia()
        let time = stepBack == 0 && !wasSetBack ? time : self.time(time, ofStream: place)
        if streams[place].take(header, at: time) { followClock(of: place, header, at: time) }
    }

    /// A packet of a stream whose call is over is late, unless another call has taken over its ports: those that replay
    /// recordings, and some gateways, give every call the same SSRC.
    @inline(never)
    private mutating func takeAfterEnd(
        _ header: RTPHeader, of place: Int, _ identity: StreamIdentity, _ frame: DecodedFrame, at time: ArrivalTime
    ) {
        guard streams[place].isClosed, let owner = match(identity.flow), owner.call != streams[place].call
        else {
            counted.otherPackets["RTP after the end of its call", default: 0] += 1
            return
        }
        calls[streams[place].call]?.ends[streams[place].end].streams.removeAll { $0 == place }
        forget(stream: place)
        takeCandidate(header, identity, identity.mixed, nil, frame, at: time)
    }

    @inline(never)
    private mutating func takeCandidate(
        _ header: RTPHeader, _ identity: StreamIdentity, _ mixed: UInt64, _ known: Int?, _ frame: DecodedFrame,
        at time: ArrivalTime
    ) {
        guard !identity.flow.destination.isOfService || isExpected(identity.flow) else {
            counted.rejectedRTPPackets &+= 1
            return
        }
        if known == nil, let place = continued(header, identity, at: time) {
            add(alias: identity, mixed, to: place)
            return take(header, of: place, identity, frame, at: time)
        }
        guard let place = known ?? open(identity, mixed, payloadType: header.payloadType, at: time) else { return }
        let kind = StreamState.guessedKind(of: header)
        if let meter = candidates[place].probation.take(
            header, arrival: self.time(time, ofFlow: identity.flow),
            payloadBytes: header.payload.count, kind: kind)
        {
            promote(place, meter)
        }
    }

    /// Whether media are to come on a flow: signalling said so, or others go the other way.
    private func isExpected(_ flow: Flow) -> Bool { match(flow) != nil || owner(of: flow.reversed) != nil }

    /// Notes a further path of a stream, which is its call's from then on; the one before so many is forgotten.
    private mutating func add(alias identity: StreamIdentity, _ mixed: UInt64, to place: Int) {
        var known = aliases[place] ?? []
        if known.count >= Self.mostAliases {
            let oldest = known.removeFirst()
            index.remove(Place.stream(place).coded, mixed: oldest.mixed)
            letGo(of: oldest.flow, by: nil)
        }
        index.insert(Place.stream(place).coded, mixed: mixed)
        aliases[place] = known + [identity]
        streams[place].hasAliases = true
        endAbsence(of: place)
        own(identity.flow, call: streams[place].call, end: streams[place].end)
        refresh(place)
    }

    /// Opens a candidate; `nil`, and the packet counted, when there is no room for one.
    private mutating func open(_ identity: StreamIdentity, _ mixed: UInt64, payloadType: UInt8, at time: ArrivalTime)
        -> Int?
    {
        guard streams.count + candidates.count < mostStreams else {
            refuse(packets: 1)
            return nil
        }
        guard candidates.count < Self.mostCandidates else {
            counted.rejectedRTPPackets &+= 1
            return nil
        }
        let match = match(identity.flow)
        let payload = match?.terms?[payloadType]
        // Of comfort noise, which gateways send unasked, the type alone tells what it is (RFC 3389 §4).
        let isNoise = match != nil && StaticPayloadType.isComfortNoise(payloadType)
        let clock =
            payload?.clockRate.flatMap { RTPClock(hertz: $0, source: .signalled) }
            ?? (isNoise ? StaticPayloadType.clock(of: payloadType) : nil)
        let place = candidates.insert(
            StreamCandidate(
                identity: identity, openedAt: time, payloadType: payloadType,
                probation: StreamProbation(clock: clock, isAnnounced: payload != nil || isNoise)))
        candidatePlaces.insert(place)
        index.insert(Place.candidate(place).coded, mixed: mixed)
        return place
    }

    private mutating func refuse(packets: Int) {
        counted.refused["RTP: more streams than are followed", default: 0] += packets
    }

    /// So many streams of one SSRC are looked at: programs that replay recordings give all calls the same.
    static let mostNamesakes = 64

    /// The stream that goes on over another path: same SSRC, and either with numbers that follow on, from the same host to
    /// the same receiver, or on a path over which its call has gone before; or between the same hosts, or with one end where
    /// it was, or was to be, after a silence in which numbers and time have run on, as when a network is changed. A path
    /// that signalling gives to an end of a call is none of another's streams.
    private func continued(_ header: RTPHeader, _ identity: StreamIdentity, at time: ArrivalTime) -> Int? {
        guard let places = placesBySSRC[identity.ssrc] else { return nil }
        let expected = match(identity.flow)
        let namesakes = places.suffix(Self.mostNamesakes).filter {
            !streams[$0].isClosed && streams[$0].identity.flow != identity.flow && isStream($0, of: expected)
                && mayGo(on: identity.flow, $0)
        }
        if let next = namesakes.first(where: { isNext(header, identity.flow, after: $0, at: time) }) { return next }
        // Of several paths the source has left that on which it was last.
        let latest = namesakes.filter {
            expected != nil || isSameWay(as: $0, identity.flow) || isOwn(identity.flow, $0)
        }
        .max { isEarlier(streams[$0], streams[$1]) }
        guard let latest, let gap = streams[latest].meter.openGap(at: time),
            (Self.leastMoveSeconds..<Self.longestMoveSeconds).contains(gap),
            streams[latest].meter.isResumed(by: header, at: time)
        else { return nil }
        // It may have gone on over a path of which it is not known yet whether it is a stream.
        let isElsewhere = candidatePlaces.contains {
            candidates[$0].identity.ssrc == identity.ssrc
                && candidates[$0].probation.lastArrival.map { time.seconds(since: $0) < gap } ?? false
        }
        return isElsewhere ? nil : latest
    }

    /// Whether a stream goes to the end of the call that signalling expects somewhere; anything does where it expects none.
    private func isStream(_ place: Int, of expected: MediaDirectory.Match?) -> Bool {
        expected.map { $0.call == streams[place].call && $0.end == streams[place].end } ?? true
    }

    /// Whether a stream may go on over another path. What is on its way to a relay is no more where it goes to another host;
    /// nor is what an end hears where it goes to a relay, which sends it on.
    private func mayGo(on flow: Flow, _ place: Int) -> Bool {
        flows(of: place).last?.destination.address == flow.destination.address
            || streams[place].role != .hop && !directory.isRelay(flow.destination, of: streams[place].call)
    }

    /// Whether a path is one over which other streams of the call have gone to the same end, or the way back of one.
    private func isOwn(_ flow: Flow, _ place: Int) -> Bool {
        let (call, end) = (streams[place].call, streams[place].end)
        if let owner = owner(of: flow) { return owner.call == call && owner.end == end }
        return owner(of: flow.reversed).map { $0.call == call && $0.end == 1 - end } ?? false
    }

    /// Whether a packet follows on that came over a path of the call, however long the source rested; or to where signalling
    /// has sent it; or over a path of which only the port of the sender is another.
    private func isNext(_ header: RTPHeader, _ flow: Flow, after place: Int, at time: ArrivalTime) -> Bool {
        if isOwn(flow, place) || isSent(place, to: flow.destination) { return streams[place].meter.isNext(header) }
        let known = streams[place].identity.flow
        return known.destination == flow.destination && known.source.address == flow.source.address
            && streams[place].meter.openGap(at: time).map { $0 < 10 } == true && streams[place].meter.isNext(header)
    }

    /// Whether a flow has the sender or the receiver of a stream, or the hosts of both.
    private func isSameWay(as place: Int, _ flow: Flow) -> Bool {
        let known = streams[place].identity.flow
        return known.source == flow.source || known.destination == flow.destination
            || known.source.address == flow.source.address && known.destination.address == flow.destination.address
    }

    /// Packets that a relay passes on have the same SSRC on two paths at once; one that was left is silent.
    private static let leastMoveSeconds = 0.3
    private static let longestMoveSeconds = 60.0

    /// Drops a candidate, or makes a stream of it when it has been accepted and only its clock was waited for.
    mutating func conclude(candidate place: Int) {
        if let meter = candidates[place].probation.finish() { return promote(place, meter) }
        forget(candidate: place)
    }

    /// Lets go of a candidate; the packets of it that no meter has counted are of no stream.
    private mutating func forget(candidate place: Int) {
        let probation = candidates[place].probation
        counted.rejectedRTPPackets += probation.heldPackets + probation.forgottenPackets
        index.remove(Place.candidate(place).coded, mixed: candidates[place].identity.mixed)
        candidatePlaces.remove(place)
        let blank = StreamCandidate(
            identity: candidates[place].identity, openedAt: now, payloadType: 0, probation: StreamProbation())
        candidates.remove(at: place, leaving: blank)
    }

    private mutating func promote(_ candidate: Int, _ meter: RTPStreamMeter) {
        let identity = candidates[candidate].identity
        let payloadType = candidates[candidate].payloadType
        let reports = candidates[candidate].reports
        forget(candidate: candidate)
        let figures = meter.figures()
        let kind = mediaKind(of: identity, figures, firstPayloadType: payloadType, marksPictures: meter.marksPictures)
        let home = home(of: identity, kind: kind, figures)
        guard calls[home.call].map({ $0.ends[home.end].streams.count < Self.mostStreamsAtEnd }) ?? false else {
            return refuse(packets: figures.packets)
        }
        counted.rtpPackets += figures.packets
        counted.streams += 1
        mediaHosts.note(identity.flow)
        let names = names(of: identity.flow, call: home.call, end: home.end)
        var state = StreamState(
            identity: identity, meter: meter, source: names.source, destination: names.destination, call: home.call,
            end: home.end, kind: kind, firstPayloadType: payloadType)
        (state.ownPictures, state.newestMarked) = (UInt32(clamping: meter.markedInstants), meter.latestTimestamp)
        // Of packets that were held, the size of the last one is not known.
        state.latestBytes = UInt16(clamping: meter.receivedPayloadBytes / UInt64(max(1, meter.uniquePackets)))
        if let found = home.terms { state.apply(found) }
        state.ordinal = ordinal(of: identity.ssrc, call: home.call, end: home.end)
        state.needsClock = state.meter.clock.map { $0.source == .inferred } ?? true
        let place = streams.insert(state)
        if state.needsClock { clocks[place] = ClockInference() }
        terms[place] = home.terms
        index.insert(Place.stream(place).coded, mixed: identity.mixed)
        placesBySSRC[identity.ssrc, default: []].append(place)
        own(identity.flow, call: home.call, end: home.end)
        if calls[home.call]?.isSignalled == false { placedCalls.add(home.call, on: identity.flow) }
        noteSuccession(of: place)
        noteDetour(over: place)
        take(reports, ofStream: place)
        calls[home.call]?.ends[home.end].streams.append(place)
        calls[home.call]?.ends[home.end].isUntold = true
        if let last = figures.lastArrival { calls[home.call]?.lastActivityAt = max(now, last) }
    }

    /// How the places of a flow to an end of a call are told: by the strings of a stream that goes the other way, if there is one.
    private func names(of flow: Flow, call: Int, end: Int) -> (source: String, destination: String) {
        let other = calls[call]?.ends[1 - end].streams.first { streams[$0].identity.flow == flow.reversed }
        if let other { return (streams[other].destination, streams[other].source) }
        return (flow.source.told(by: options), flow.destination.told(by: options))
    }

    /// The first number that no stream of the source has at this end.
    func ordinal(of ssrc: UInt32, call: Int, end: Int) -> UInt32 {
        let taken = (calls[call]?.ends[end].streams ?? []).filter { streams[$0].identity.ssrc == ssrc }
            .map { streams[$0].ordinal }
        return (taken.max() ?? 0) + 1
    }

    /// Audio or video: as signalled, by RFC 3551, by the clock; by markers and size of the packets where nothing else tells.
    private func mediaKind(
        of identity: StreamIdentity, _ figures: RTPStreamFigures, firstPayloadType: UInt8, marksPictures: Bool
    ) -> MediaKind {
        let payloadType = figures.payloadType ?? firstPayloadType
        if let match = match(identity.flow),
            let kind = directory.kind(of: identity, in: match, payloadType: payloadType)
        {
            return kind
        }
        if let entry = figures.payloadType.flatMap(StaticPayloadType.entry(for:)) {
            return entry.media == .audio ? .audio : .video
        }
        if let clock = figures.clock { return clock.hertz == 90_000 ? .video : .audio }
        return marksPictures || figures.payloadBytes >= 400 * max(1, figures.unique) ? .video : .audio
    }

    /// Which call and end the streams of a flow belong to.
    func owner(of flow: Flow) -> FlowOwner? {
        flowOwners[flow].flatMap { $0.hasLeft ? nil : $0 }
    }

    /// Notes that a flow has one stream more. The latest one tells: an earlier call that had these ports may be over.
    private mutating func own(_ flow: Flow, call: Int, end: Int) {
        let others = flowOwners[flow]?.streams ?? 0
        flowOwners[flow] = FlowOwner(call: call, end: end, streams: others + 1)
    }

    /// Notes that a flow has one stream less. A call lets go of all its streams at once, and is the owner no more.
    private mutating func letGo(of flow: Flow, by call: Int?) {
        guard var owner = flowOwners[flow] else { return }
        owner.streams -= 1
        if owner.call == call { owner.hasLeft = true }
        flowOwners[flow] = owner.streams > 0 ? owner : nil
    }

    /// Lets go of a stream and of everything that points to it.
    mutating func forget(stream place: Int) {
        let identity = streams[place].identity
        index.remove(Place.stream(place).coded, mixed: identity.mixed)
        for other in aliases.removeValue(forKey: place) ?? [] {
            index.remove(Place.stream(place).coded, mixed: other.mixed)
            letGo(of: other.flow, by: streams[place].call)
        }
        placesBySSRC[identity.ssrc]?.removeAll { $0 == place }
        if placesBySSRC[identity.ssrc]?.isEmpty == true { placesBySSRC[identity.ssrc] = nil }
        letGo(of: identity.flow, by: streams[place].call)
        terms[place] = nil
        formerTerms[place] = nil
        control[place] = nil
        absences[place] = nil
        undeliverable[place] = nil
        clocks[place] = nil
        changes[place] = nil
        var blank = streams[place]
        blank.closesAt = .min
        streams.remove(at: place, leaving: blank)
    }
}
