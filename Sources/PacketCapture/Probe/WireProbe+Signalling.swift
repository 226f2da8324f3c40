import CallModel
import RTPMeter

// MARK: - SIP

extension WireProbe {
    /// A datagram that is neither media nor control: SIP, or nothing to us.
    mutating func takeMessage(_ payload: RawSpan, of frame: DecodedFrame, at time: ArrivalTime) {
        // Empty lines before a message keep the way through a NAT open, or are left of the one before (RFC 3261 §7.5).
        var start = 0
        while start < payload.byteCount, [13, 10].contains(payload.byte(at: start)) { start += 1 }
        let text = payload.extracting(start..<payload.byteCount)
        guard SIPMessage.isLikely(text) else { return noteUnread(payload, of: frame) }
        if frame.isAssembled { forgetBeginning(of: payload, flow: frame.flow) }
        do {
            take(try SIPMessage(parsing: text, wireLength: frame.payloadWireLength - start), flow: frame.flow, at: time)
        } catch {
            guard frame.payloadWireLength > payload.byteCount else {
                counted.refused["SIP: \(error.label)", default: 0] += 1
                return
            }
            // What is missing of it is the capture's fault; of which call it was, only its hosts tell.
            counted.refused["SIP: cut by the snap length", default: 0] += 1
            let pair = AddressPair(frame.flow)
            guard cutMessages[pair] != nil || cutMessages.count < Self.mostCutPairs else { return }
            cutMessages[pair, default: 0] += 1
        }
    }

    /// Of so many pairs of hosts it is known how many SIP messages were cut.
    private static let mostCutPairs = 10_000

    /// A datagram of something else, or one of which the snap length left too little to tell whether it was RTP: that has a
    /// version of 2 and a header of twelve bytes ([RFC 3550 §5.1](https://www.rfc-editor.org/rfc/rfc3550#section-5.1)).
    private mutating func noteUnread(_ payload: RawSpan, of frame: DecodedFrame) {
        guard payload.byteCount < 12, frame.payloadWireLength >= 12,
            payload.byteCount == 0 || payload.byte(at: 0) >> 6 == 2
        else {
            otherDatagrams &+= 1
            return
        }
        _ = decoder.refuse(.cutBySnapLength)
    }

    /// A TCP segment, which may carry SIP.
    mutating func takeSegment(_ payload: RawSpan, of frame: DecodedFrame, at time: ArrivalTime) {
        guard case .tcp(let sequence, let acknowledgment, let flags) = frame.transport else { return }
        let received = sipStreams.take(
            flow: frame.flow, sequence: sequence, acknowledgment: acknowledgment, flags: flags,
            payload: payload.copy(0..<payload.byteCount), wireLength: frame.payloadWireLength, at: time)
        take(received, at: time)
    }

    /// Takes messages over TCP, of which some have waited until `time` for bytes that are missing.
    mutating func take(_ received: [SIPStreams.Received], at time: ArrivalTime) {
        for item in received {
            take(item.message, flow: item.flow, at: item.time, waited: max(0, time.nanoseconds(since: item.time)))
        }
    }

    /// What could not be read of SIP over TCP, by reason.
    var refusedInStreams: [String: Int] {
        var refused: [String: Int] = [:]
        for (label, count) in sipStreams.refused { refused["SIP: \(label)"] = count }
        if sipStreams.gaps > 0 { refused["SIP: bytes missing in a TCP stream"] = sipStreams.gaps }
        return refused
    }

    mutating func take(_ message: SIPMessage, flow: Flow, at time: ArrivalTime, waited: Int64 = 0) {
        takeBeginnings { $0.message.callID == message.callID }
        counted.sipMessages += 1
        let way = message.isRequest ? flow : flow.reversed
        apply(dialogs.take(message, flow: flow, at: time), way: way, waited: waited)
    }

    /// Does what signalling says.
    /// - Parameters:
    ///   - notices: what it says.
    ///   - way: the way of the message that says it, from who asks to who is asked; of the first message of a call
    ///     from the caller to the callee.
    ///   - waited: how long ago that message came, in nanoseconds.
    mutating func apply(_ notices: [SIPNotice], way: Flow? = nil, waited: Int64 = 0) {
        for notice in notices {
            if !farewells.isEmpty, farewells[notice.call] != nil {
                keep(notice, of: notice.call)
                continue
            }
            switch notice {
            case .started(let call, let time, let isComplete):
                if !isComplete, joinMidway(call, at: time, saying: notices, way: way) { continue }
                counted.calls += 1
                start(call, at: time, way: way)
            case .event(let call, let event): take(event, of: call, waited: waited)
            case .media(let call, let end, let description, let flow, _): take(description, of: call, end, flow)
            case .moved(let call, let end, let old, let new): move(end, of: call, from: old, to: new)
            case .related(let call, let other, _): relate(call, other)
            case .ended(let call, let time, _): end(call, at: time)
            case .forgotten(let call):
                if let place = signalled[call] { finalise(place, notices: true) }
            }
        }
    }

    @discardableResult
    mutating func start(_ ref: CallRef, at time: ArrivalTime, way: Flow? = nil) -> Int {
        let call = WireCall(
            id: CallID(rawValue: ref.callID), ref: ref, probe: options.name, at: time, statistics: statistics)
        let place = open(call)
        signalled[ref] = place
        if let way {
            awaitDescriptions(of: place, way: way)
            calls[place]?.cutMessagesAtStart = cutMessages[AddressPair(way)] ?? 0
        }
        return place
    }

    /// The call that a dialog tells of; opened again if all was silent for so long that it was taken to be over.
    mutating func place(of ref: CallRef) -> Int { signalled[ref] ?? start(ref, at: now) }

    /// Both ends' records have the dialog's events: they say when what each received began and ended.
    private mutating func take(_ event: CallEvent, of ref: CallRef, waited: Int64) {
        let place = place(of: ref)
        guard let call = calls[place], !call.isConcluded else { return }
        let told = dated(event, as: place)
        for end in call.ends { tell(.event(told), of: call, end) }
        let own = time(now, ofCall: place)
        calls[place]?.lastActivityAt = own
        if event.members["unreadDescription"]?.text == SIPMessage.DescriptionFault.cutShort.rawValue {
            calls[place]?.packetsCutShort += 1
        }
        switch event.meanings.first {
        case .answered: calls[place]?.isAnswered = true
        case .held:
            hold(place, of: ref)
            // Of fax, sound that comes tells nothing.
            holdWatches[place] = event.type == "HOLD" ? HoldWatch(since: own) : nil
        case .established: resume(place)
        // The dialog waits for the answer to a BYE, which may never come; what was sent before it is all there is.
        case .ended where event.type == "BYE": end(ref, at: now.advanced(byNanoseconds: -waited))
        case .noted where event.type == "ACK":
            // Where the answer passed elsewhere, this alone tells of it.
            calls[place]?.isAnswered = true
            settleDescriptions(of: place)
        default: break
        }
    }

    /// What is not sent during a hold, or as fax, is not lost; media that the hold is not about go on. Who holds a call may
    /// send music the other way, or nothing: that shows.
    private mutating func hold(_ place: Int, of ref: CallRef) {
        calls[place]?.isHeld = true
        for end in CallEnd.allCases {
            for stream in calls[place]?.ends[end.index].streams ?? []
            where CallEnd.allCases.contains(where: { dialogs.isStill(streams[stream].kind, to: $0, of: ref) }) {
                streams[stream].meter.forgiveNextGap()
            }
        }
    }

    /// During a hold, a stream that is sent the way that is not held, such as music, loses packets as ever.
    mutating func followHold(of call: WireCall, at time: ArrivalTime) {
        guard call.isHeld, let ref = call.ref else { return }
        for end in CallEnd.allCases {
            for stream in call.ends[end.index].streams
            where !dialogs.isStill(streams[stream].kind, to: end, of: ref) { endForgiving(stream, at: time) }
        }
    }

    /// After a hold, so does a stream that was sent all through it.
    private mutating func resume(_ place: Int) {
        guard calls[place]?.isHeld == true else { return }
        calls[place]?.isHeld = false
        holdWatches[place] = nil
        let now = time(now, ofCall: place)
        calls[place]?.resumedAt = now
        for end in calls[place]?.ends ?? [] {
            for stream in end.streams { endForgiving(stream, at: now) }
        }
    }

    private mutating func take(_ description: SessionDescription, of ref: CallRef, _ end: CallEnd, _ flow: Flow) {
        let place = place(of: ref)
        guard calls[place]?.isConcluded == false else { return }
        if description.saysWhere { noteDescription(of: place, by: end) }
        let announced = directory.announce(
            description, by: end.index, of: place, from: flow.source.address, to: flow.destination.address,
            leaving: placesOfEarlierLegs(in: description, by: end, of: place, from: flow.source.address))
        let own = time(now, ofCall: place)
        if announced.areNew { calls[place]?.movedAt = own }
        for old in announced.displaced.sorted() where calls[old]?.endedAt != nil {
            // Nothing more is on its way to a call whose ports are used again.
            finalise(old, notices: false)
            directory.forget(old)
        }
        adopt(streamsAt: announced.endpoints, into: place)
        for end in calls[place]?.ends ?? [] {
            for stream in end.streams { refresh(stream) }
        }
        followLines(of: place, ref)
    }

    /// One line may be on hold by itself (RFC 3264 §8.4), or be taken out (§8.2), while the others go on: what is not sent
    /// then is not lost.
    private mutating func followLines(of place: Int, _ ref: CallRef) {
        let now = time(now, ofCall: place)
        for end in CallEnd.allCases {
            for stream in calls[place]?.ends[end.index].streams ?? [] {
                if dialogs.isStill(streams[stream].kind, to: end, of: ref) {
                    streams[stream].meter.forgiveNextGap()
                } else if calls[place]?.isHeld == false {
                    endForgiving(stream, at: now)
                }
            }
        }
    }

    /// The places of a description that an earlier leg of the conversation keeps.
    ///
    /// A B2BUA whose media do not pass it names in each leg the place of the other leg's end, so that both legs announce both
    /// places. What flows between them belongs to one leg, the first; the other is noted to be served elsewhere.
    private mutating func placesOfEarlierLegs(
        in description: SessionDescription, by end: CallEnd, of place: Int, from host: IPAddress
    ) -> Set<Endpoint> {
        var kept: Set<Endpoint> = []
        for endpoint in description.expectedPlaces.map(\.endpoint) {
            guard let known = directory.announcement(of: endpoint), known.call != place, known.announcer != host,
                [host, known.announcer].contains(where: { relay in
                    relay != endpoint.address && isPart(relay, of: known.call) && isPart(relay, of: place)
                })
            else { continue }
            if calls[known.call]?.ref?.number ?? .max < calls[place]?.ref?.number ?? .max {
                kept.insert(endpoint)
            } else {
                calls[known.call]?.ends[known.end].isServedElsewhere = true
            }
        }
        calls[place]?.ends[end.index].isServedElsewhere = !kept.isEmpty
        return kept
    }

    /// Whether a host speaks in a signalled call that goes on.
    private func isPart(_ host: IPAddress, of place: Int) -> Bool {
        guard let call = calls[place], call.endedAt == nil, let way = call.signallingWay else { return false }
        return way.source.address == host || way.destination.address == host
    }

    /// Media often begin before the message that says where they go: such streams move over to the call. A call without
    /// signalling that was silent at these endpoints by then was another, of which the capture has not seen the beginning.
    private mutating func adopt(streamsAt endpoints: [Endpoint], into place: Int) {
        let wanted = Set(endpoints)
        for old in callsWithoutSignalling(at: wanted).sorted() {
            guard let call = calls[old] else { continue }
            let flows = call.ends.flatMap(\.streams).map { streams[$0].identity.flow }
                .filter { wanted.contains($0.destination) || wanted.contains($0.source) }
                .filter { match($0)?.call == place }
            guard !flows.isEmpty else { continue }
            if let last = lastPacket(of: call), now.seconds(since: last) > Self.adoptionSeconds {
                finalise(old, notices: true)
                continue
            }
            for flow in flows { match(flow).map { move(from: old, flow, to: $0.end, of: $0.call) } }
        }
    }

    /// Media that begin before their call's signalling go on without a longer silence.
    static let adoptionSeconds = 2.0

    /// Moves the streams of a flow from a call without signalling to the end of another that receives them.
    mutating func move(from old: Int, _ flow: Flow, to newEnd: Int, of newCall: Int) {
        guard let oldCall = calls[old] else { return }
        for end in 0...1 {
            for stream in oldCall.ends[end].streams where streams[stream].identity.flow == flow {
                calls[old]?.ends[end].streams.removeAll { $0 == stream }
                streams[stream].call = newCall
                streams[stream].end = newEnd
                streams[stream].ordinal = ordinal(of: streams[stream].identity.ssrc, call: newCall, end: newEnd)
                calls[newCall]?.ends[newEnd].streams.append(stream)
                calls[newCall]?.ends[newEnd].isUntold = true
                for alias in aliases[stream] ?? [] { give(alias.flow, to: newEnd, of: newCall) }
            }
        }
        give(flow, to: newEnd, of: newCall)
        if calls[old]?.hasStreams == false { leave(old, for: newCall) }
    }

    private mutating func give(_ flow: Flow, to end: Int, of call: Int) {
        flowOwners[flow]?.call = call
        flowOwners[flow]?.end = end
        flowOwners[flow]?.hasLeft = false
    }

    /// Lets go of a call without signalling whose streams have all moved over: there never was one, unless it was told of;
    /// then it says whose they are.
    private mutating func leave(_ old: Int, for new: Int) {
        if let call = calls[old], call.wasTold {
            if let callID = calls[new]?.id.rawValue { tellLeg(callID: callID, number: nil, of: call) }
            output.append(.ended(call: call.id))
        } else {
            counted.calls -= 1
        }
        close(old)
    }

    /// Looks up again what signalling says of a stream. Where it has gone over to other payload types, what the stream had
    /// remains what it was: none changes its meaning within a session
    /// ([RFC 3264 §8.3.2](https://www.rfc-editor.org/rfc/rfc3264#section-8.3.2)).
    mutating func refresh(_ stream: Int) {
        guard let flow = flows(of: stream).last, let found = match(flow)?.terms else { return }
        let type = streams[stream].mediaType
        if found[type] != nil {
            formerTerms[stream] = nil
        } else if let former = terms[stream], former[type] != nil {
            formerTerms[stream] = former
        }
        terms[stream] = found
        streams[stream].apply(found)
    }

    /// Each leg is told of the other, so that they can be found together.
    private mutating func relate(_ ref: CallRef, _ other: CallRef) {
        for (one, another) in [(ref, other), (other, ref)] {
            guard let place = signalled[one], let call = calls[place], !call.isConcluded else { continue }
            tellLeg(callID: another.callID, number: Int64(another.number), of: call)
        }
    }

    /// Both ends of a call are told of another call that is part of the same conversation.
    mutating func tellLeg(callID: String, number: Int64?, of call: WireCall) {
        let now = now.advanced(byNanoseconds: call.clockStep).timestamp
        let event = CallEvent(
            time: now, receivedAt: now, action: "sip", type: "LEG", sequence: number,
            members: ["aliases": .array([.string("Call-ID: \(callID)")])])
        for end in call.ends { tell(.event(event), of: call, end) }
    }

    private mutating func end(_ ref: CallRef, at time: ArrivalTime) {
        guard let place = signalled[ref], calls[place]?.endedAt == nil else { return }
        let own = self.time(time, ofCall: place)
        calls[place]?.endedAt = own
        let closesAt = time.advanced(byNanoseconds: Int64(Self.tailSeconds * 1e9)).nanoseconds
        for stream in calls[place]?.ends.flatMap(\.streams) ?? [] { streams[stream].closesAt = closesAt }
        stopAwaitingDescriptions(of: place)
        schedule.remove(place)
        schedule.add(place, at: now.advanced(byNanoseconds: 2_000_000_000))
    }
}

extension CallEnd {
    /// Place in ``WireCall/ends``.
    var index: Int { self == .caller ? 0 : 1 }
}
