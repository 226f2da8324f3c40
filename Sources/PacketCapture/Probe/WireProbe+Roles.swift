import CallModel
import RTPMeter

// MARK: - What nobody signalled

extension WireProbe {
    /// Settles, before an end's streams are told of, what only all of them together tell of each.
    mutating func settleStreams(of call: WireCall, _ end: Int) {
        for place in call.ends[end].streams { streams[place].followSize() }
        settleRoles(of: call, end)
        settleHops(of: call, end)
        settlePauses(of: call, end)
        settleStandstills(of: call, end)
    }

    /// Where nothing has come just after a standstill, nothing had been held back in it.
    private mutating func settleStandstills(of call: WireCall, _ end: Int) {
        for place in call.ends[end].streams where streams[place].meter.awaitsVerdict {
            streams[place].meter.settleStandstill(at: time(now, ofStream: place))
        }
    }

    /// Of two streams on one way that share the timestamps of a picture, the one with fewer pictures of its own sends
    /// packets of the other again; small packets without a steady pace beside audio are no second audio.
    private mutating func settleRoles(of call: WireCall, _ end: Int) {
        let unknown = call.ends[end].streams.filter { terms[$0] == nil && streams[$0].isDynamic }
        guard !unknown.isEmpty else { return }
        let flowsOfSound = Set(call.ends[end].streams.filter { streams[$0].isSound }.map { streams[$0].identity.flow })
        for place in unknown {
            streams[place].guessKind(besideSound: flowsOfSound.contains(streams[place].identity.flow))
        }
        for (one, other) in neighbours(among: unknown) where streams[one].sharesTimestamps(with: streams[other]) {
            streams[one].kind = .video
            streams[other].kind = .video
            settleRoles(one, other)
        }
    }

    /// Which of two streams that share their timestamps carries the pictures. Once that was clear of one of them it stays,
    /// however many packets the other brings.
    private mutating func settleRoles(_ one: Int, _ other: Int) {
        let known = [one, other].filter { streams[$0].isRoleClear }
        guard known.count < 2 else { return }
        let isOnePicture = known.first.map { ($0 == one) == (streams[$0].role == .primary) }
        let hasMore = streams[one].hasMorePictures(than: streams[other])
        let (picture, copies) = isOnePicture ?? hasMore ? (one, other) : (other, one)
        streams[picture].settle(as: .primary)
        streams[copies].settle(as: .retransmission)
        guard known.isEmpty, streams[picture].clearlyHasMorePictures(than: streams[copies]) else { return }
        streams[picture].isRoleClear = true
        streams[copies].isRoleClear = true
    }

    /// Pictures that stopped while the sound of the same sender was lost were lost, too: without an answer a sender sends few,
    /// so that few numbers are missing.
    private mutating func settlePauses(of call: WireCall, _ end: Int) {
        let streams = call.ends[end].streams
        for place in streams where self.streams[place].isPicture {
            guard let pause = self.streams[place].meter.doubtfulPause else { continue }
            let outages = streams.filter { self.streams[$0].isSound && isOfSameHosts($0, place) }
                .compactMap { self.streams[$0].meter.lastLossGap }
            guard outages.contains(where: { 2 * $0.secondsInCommon(with: pause) > pause.seconds }) else { continue }
            self.streams[place].meter.countDoubtfulPauseAsOutage()
        }
    }

    private func isOfSameHosts(_ place: Int, _ other: Int) -> Bool {
        let (one, another) = (streams[place].identity.flow, streams[other].identity.flow)
        return one.source.address == another.source.address && one.destination.address == another.destination.address
    }

    /// Whether a snapshot may tell of a stream. What is a picture so far, without a clock of its own, may be found to repeat
    /// one whose clock is still looked for: told of once as a picture, it would be one for ever. So would what comes to a relay.
    func isRipe(_ place: Int, at time: ArrivalTime) -> Bool {
        guard !mayBeHop(place, at: time) else { return false }
        guard streams[place].kind == .video, streams[place].role == .primary, terms[place] == nil,
            streams[place].isDynamic, streams[place].meter.clock == nil,
            let began = streams[place].meter.earliestArrival
        else { return true }
        return time.seconds(since: began) >= Double(options.snapshotSeconds)
    }

    /// The pairs of streams whose clocks could be one: they say nearly the same at one time. In order of that, each has few
    /// others near it, however many there are.
    private func neighbours(among places: [Int]) -> [(Int, Int)] {
        guard places.count > 1 else { return [] }
        let sorted = places.map { (clock: streams[$0].pictureClockOffset, place: $0) }.sorted { $0.clock < $1.clock }
        return sorted.indices.flatMap { index in
            (1..<sorted.count).lazy.map { sorted[(index + $0) % sorted.count] }
                .prefix { $0.clock &- sorted[index].clock < StreamState.nearPictureClocks }
                .map { (sorted[index].place, $0.place) }
        }
    }
}

extension LossGap {
    /// For how long another gap was there at the same time; negative where it was not.
    fileprivate func secondsInCommon(with other: LossGap) -> Double {
        min(end, other.end).seconds(since: max(start, other.start))
    }
}

extension StreamState {
    /// Whether it carries pictures itself.
    fileprivate var isPicture: Bool { kind == .video && role == .primary }

    /// Whether more pictures are its own than another stream's; of as many, it has more bytes.
    func hasMorePictures(than other: StreamState) -> Bool {
        (ownPictures, meter.receivedPayloadBytes) >= (other.ownPictures, other.meter.receivedPayloadBytes)
    }

    /// Whether it has so many more that the other one is nobody's picture: twice as many, and a second or two of them.
    func clearlyHasMorePictures(than other: StreamState) -> Bool {
        let others = UInt64(other.ownPictures)
        return UInt64(ownPictures) >= max(2 * others, others + Self.clearlyMorePictures)
    }

    private static let clearlyMorePictures: UInt64 = 30
}
