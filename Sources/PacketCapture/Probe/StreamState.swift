import CallModel
import RTPMeter

/// A stream that was accepted: what finds it, what measures it, and where it belongs.
///
/// In this order what every packet looks at lies together: up to the front of the meter.
struct StreamState {
    let identity: StreamIdentity
    /// From then on, in nanoseconds, what still comes is not counted: its call is over.
    var closesAt = Int64.max
    /// Whether its clock is still being inferred.
    var needsClock = false
    /// The payload type of the packet before; 255 where the next one is to be looked at all the same.
    var latestType = UInt8.max
    /// Whether that type is sound or picture, whatever its packets look like.
    var isLatestMedia = false
    /// Bytes of payload of the packet before.
    var latestBytes: UInt16 = 0
    /// Packets with a marker, which ends a picture ([RFC 3551, section 4.1](https://www.rfc-editor.org/rfc/rfc3551#section-4.1)),
    /// and a timestamp beyond all of these before. A stream that repeats packets of another, or pads, has few, however many
    /// packets it has ([RFC 4588, section 4](https://www.rfc-editor.org/rfc/rfc4588#section-4)).
    var ownPictures: UInt32 = 0
    /// The last of their timestamps.
    var newestMarked: UInt32 = 0
    var meter: RTPStreamMeter
    /// ``WireStream/source`` and ``WireStream/destination``, which every snapshot names.
    let source: String
    let destination: String
    /// Place of its call.
    var call: Int
    /// The end of the call that receives it: 0 or 1.
    var end: Int
    var kind: MediaKind
    /// The payload type of its first packet.
    let firstPayloadType: UInt8
    private(set) var role = WireStream.Role.primary
    /// Whether its role, which nobody signalled, was once beyond doubt.
    var isRoleClear = false
    /// Whether packets of another source port belong to it too.
    var hasAliases = false
    /// Number of its name among streams of the same SSRC to the same end.
    var ordinal: UInt32 = 1
    /// The clock of ``clockedTypes``, in ticks a second.
    private(set) var clockedHertz: UInt32 = 0
    /// Payload types of which nobody told the clock, and that have that one, as their pace has shown.
    private(set) var clockedTypes = PayloadTypeSet()
    /// The payload types of telephone events and of comfort noise.
    var otherTypes = PayloadTypeSet.staticComfortNoise
    /// Of ``otherTypes``, those of comfort noise.
    var comfortNoiseTypes = PayloadTypeSet.staticComfortNoise
    /// The clocks of the payload types that signalling lists.
    var signalledClocks: [UInt8: RTPClock] = [:]
    /// The payload type whose clock the size of its packets has told, against signalling; 255 without.
    private(set) var sizedType = UInt8.max
    private(set) var sizedClock: RTPClock?
    /// When another stream of sound to the same end followed on it, after a silence; far back without.
    var followedAt = ArrivalTime(nanoseconds: .min)

    /// Meters a packet.
    /// - Returns: whether the clock is still looked for.
    @inline(__always)
    mutating func take(_ header: RTPHeader, at time: ArrivalTime) -> Bool {
        if header.payloadType != latestType { followType(of: header) }
        latestBytes = UInt16(clamping: header.payload.count)
        let isNew = header.hasMarker && Int32(bitPattern: header.timestamp &- newestMarked) > 0
        ownPictures &+= isNew ? 1 : 0
        newestMarked = isNew ? header.timestamp : newestMarked
        let kind = isLatestMedia && !header.payload.isEmpty ? .media : kind(of: header)
        _ = meter.take(header, arrival: time, payloadBytes: header.payload.count, kind: kind)
        return needsClock
    }

    /// Another payload type than that of the packet before: where signalling gives it another clock, timing goes by that;
    /// where nobody tells its clock, that is looked for.
    @inline(never)
    private mutating func followType(of header: RTPHeader) {
        latestType = header.payloadType
        isLatestMedia = !otherTypes.contains(latestType) && hasMeaning(latestType)
        if meter.clock?.source == .static && hasUnknownClock(header) || mayHaveOtherClock(header) { needsClock = true }
        guard let clock = signalledClocks[latestType], kind(of: header) == .media else { return }
        let table = StaticPayloadType.clock(of: latestType)?.hertz ?? clock.hertz
        guard clock.hertz != meter.clock?.hertz || table != clock.hertz && latestType != meter.payloadType else {
            return
        }
        meter.change(toPayloadType: latestType, clock: clock)
    }

    /// Whether a packet is media whose clock neither signalling nor the table of RFC 3551 tells.
    @inline(__always)
    func hasUnknownClock(_ header: RTPHeader) -> Bool {
        signalledClocks[header.payloadType] == nil && StaticPayloadType.clock(of: header.payloadType) == nil
            && kind(of: header) == .media
    }

    /// Whether such a packet has another payload type than the stream, whose clock was told or inferred for that one and need
    /// not be the packet's. The clock of the table is left with its payload type.
    @inline(__always)
    func mayHaveOtherClock(_ header: RTPHeader) -> Bool {
        guard let clock = meter.clock, clock.source != .static, header.payloadType != meter.payloadType else {
            return false
        }
        return hasUnknownClock(header) && !(clockedHertz == clock.hertz && clockedTypes.contains(header.payloadType))
    }

    /// Notes that a payload type has the clock of the stream, or that its own cannot be found.
    mutating func noteClock(of payloadType: UInt8) {
        let hertz = meter.clock?.hertz ?? 0
        if clockedHertz != hertz { (clockedHertz, clockedTypes) = (hertz, PayloadTypeSet()) }
        clockedTypes.insert(payloadType)
    }

    /// What a packet carries, as far as signalling or its looks tell.
    @inline(__always)
    func kind(of header: RTPHeader) -> PacketKind {
        if header.payload.isEmpty { return .padding }
        let type = header.payloadType
        if otherTypes.contains(type) { return comfortNoiseTypes.contains(type) ? .comfortNoise : .telephoneEvent }
        return hasMeaning(type) ? .media : Self.guessedKind(of: header)
    }

    /// Whether a payload type means something by itself (RFC 3551 §6), or because signalling lists it. Some phones send events
    /// by a number of their own, whatever was agreed.
    private func hasMeaning(_ payloadType: UInt8) -> Bool { payloadType < 96 || signalledClocks[payloadType] != nil }

    /// Without signalling: an event is exactly four bytes long (RFC 4733 §2.3), and no codec's packets all are. One of
    /// a codec that is, the meter knows by the others of its payload type.
    @inline(__always)
    static func guessedKind(of header: RTPHeader) -> PacketKind {
        if header.payload.isEmpty { return .padding }
        if StaticPayloadType.isComfortNoise(header.payloadType) { return .comfortNoise }
        return header.payloadType >= 96 && header.payload.count == 4 ? .telephoneEvent : .media
    }

    /// Whether the last of it was told.
    var isClosed: Bool { closesAt == .min }

    /// Whether a silence after its last packet may be its sender's own: it has paused before, or that packet is much smaller
    /// than others are, as a description of the silence is ([RFC 3389](https://www.rfc-editor.org/rfc/rfc3389), SID frames), or it
    /// has sent nothing else.
    var mayFallSilent: Bool {
        meter.hasPaused || meter.payloadType == nil
            || 2 * UInt64(latestBytes) * UInt64(meter.uniquePackets) < meter.receivedPayloadBytes
    }

    /// For how long nothing came between its last packet and the stream that followed on it.
    var secondsUntilFollowed: Double {
        meter.latestArrival.map { max(0, followedAt.seconds(since: $0)) } ?? 0
    }

    /// ``WireStream/id``.
    var name: String {
        ordinal == 1 ? String(identity.ssrc) : "\(identity.ssrc)#\(ordinal)"
    }

    /// The payload type of its media; of a stream without any, that of its first packet.
    var mediaType: UInt8 { meter.payloadType ?? firstPayloadType }

    /// Whether its payload type means nothing by itself: from 96 on (RFC 3551 §6), and, where these do not suffice,
    /// below 64 those that are not assigned (RFC 5761 §4); browsers use both.
    var isDynamic: Bool { meter.payloadType.map { StaticPayloadType.clock(of: $0) == nil } ?? true }

    /// Whether its packets carry the timestamps of another stream to the same end: pictures, sent again. Over another path
    /// they go where one of the two has moved, or they are the same stream, seen twice.
    ///
    /// Independent streams begin at random timestamps (RFC 3550 §5.1); within five seconds of each other among 2³² is none.
    func sharesTimestamps(with other: StreamState) -> Bool {
        let isApart = other.identity.flow == identity.flow || other.identity.ssrc != identity.ssrc
        guard isApart, other.meter.payloadType != meter.payloadType, !isSound, !other.isSound,
            let latest = meter.latestInstant, let otherLatest = other.meter.latestInstant
        else { return false }
        let passed = max(-3_600, min(3_600, otherLatest.arrival.seconds(since: latest.arrival)))
        let expected = latest.timestamp &+ UInt32(bitPattern: Int32(passed * Self.pictureClock))
        return Int32(bitPattern: otherLatest.timestamp &- expected).magnitude
            < UInt32(Self.oldestCopySeconds * Self.pictureClock)
    }

    /// What a clock of pictures that is at the stream's latest timestamp said at the beginning of time.
    var pictureClockOffset: UInt32 {
        guard let latest = meter.latestInstant else { return 0 }
        return latest.timestamp &- UInt32(truncatingIfNeeded: latest.arrival.nanoseconds / 1_000_000 &* 90)
    }

    /// Streams whose ``pictureClockOffset`` differs by more do not ``sharesTimestamps(with:)``: that, and what is rounded
    /// off.
    static let nearPictureClocks = UInt32(oldestCopySeconds * pictureClock) + 180

    /// So old may a packet be that a sender takes to probe the path: in our recordings, 4.1 s.
    private static let oldestCopySeconds = 5.0

    /// Ticks a second of every video format (RFC 3551 §5).
    private static let pictureClock = 90_000.0

    /// Whether any packet had something to carry: those that only keep a path open have none
    /// ([RFC 6263, section 4](https://www.rfc-editor.org/rfc/rfc6263#section-4)).
    var hasPayload: Bool { meter.receivedPayloadBytes > 0 }

    /// Whether its clock is one that only sound has.
    var isSound: Bool { meter.clock.map { $0.hertz != UInt32(Self.pictureClock) } ?? false }

    /// Audio or video, where nothing but the packets tells: by the clock, else by their markers and size; what is small and
    /// has no pace beside a stream of sound is no sound.
    mutating func guessKind(besideSound hasSound: Bool) {
        guard meter.clock == nil else {
            kind = isSound ? .audio : .video
            return
        }
        let isLarge = meter.receivedPayloadBytes >= 400 * UInt64(max(1, meter.uniquePackets))
        kind = isLarge || hasSound || meter.marksPictures ? .video : .audio
    }

    /// Takes the clock that the size of its packets tells, if it is not the one that signalling or the table says.
    mutating func followSize() {
        guard let type = meter.payloadType, latestType == type,
            let clock = meter.clockBySize(ofPacket: Int(latestBytes))
        else { return }
        (sizedType, sizedClock) = (type, clock)
        signalledClocks[type] = clock
        meter.correct(clock: clock)
    }

    /// Takes what it is for, as signalling or its packets tell; what is on its way to a relay stays that.
    mutating func settle(as role: WireStream.Role) {
        if self.role != .hop { self.role = role }
    }

    /// Takes what signalling says of its packets.
    mutating func apply(_ terms: MediaTerms) {
        comfortNoiseTypes = terms.comfortNoise.union(.staticComfortNoise)
        otherTypes = terms.events.union(comfortNoiseTypes)
        signalledClocks = terms.clocks
        if let clock = sizedClock { signalledClocks[sizedType] = clock }
        latestType = .max
        if terms.dataKind(of: mediaType) != nil { settle(as: .data) }
        guard let type = meter.payloadType, let payload = terms[type] else { return }
        if let told = terms.kind(of: type) { kind = told }
        switch payload.role {
        case .retransmission: settle(as: .retransmission)
        case .errorCorrection: settle(as: .repair)
        default: settle(as: terms.dataKind(of: type) == nil ? .primary : .data)
        }
        if let rate = payload.clockRate, type != sizedType {
            meter.setClock(RTPClock(hertz: rate, source: .signalled))
        }
    }
}
