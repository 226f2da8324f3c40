import CallModel

/// The counters and gauges of one RTP stream in one report, by their W3C names.
///
/// `nil` is "not reported". Counters only grow within a segment; gauges are spot values.
struct StreamSample: Hashable, Archivable {
    var time: Timestamp
    var counters = CounterSet()
    /// `jitter` in seconds.
    var jitterSeconds: Double?
    /// Length of the jitter buffer in seconds, as clients tell it that do not add up what stays in it (`googJitterBufferMs`).
    var jitterBufferSeconds: Double?
    /// `framesReceived`: whole frames that came.
    var framesReceived: Double?
    var frameWidth: Int?
    var frameHeight: Int?
    /// `framesPerSecond`: how many there were in the last second.
    var framesPerSecond: Double?
    /// `targetBitrate` in bit/s.
    var targetBitrate: Double?
    /// `lastPacketReceivedTimestamp`, on the client's clock.
    var lastPacketReceivedAt: Timestamp?
    /// `lastPacketReceivedTimestamp` of the pairs of candidates of its transport: when anything came but checks of ICE.
    var lastPacketOnPathAt: Timestamp?
    /// When the first packet came, as far as a probe saw.
    var firstPacketAt: Timestamp?
    /// The last span in which packets were missing for long, as a probe saw it.
    var lastOutage: TimeSpan?
    /// Length of the audio in one packet, where it is known.
    var packetSeconds: Double?
    /// The far end's figures that came with this report; see ``FarEndSample``.
    var farEnd: FarEndSample?
    var codec: CodecDescription?
    /// Counters for the figures that only some engines allow.
    var metricCounters = MetricCounters()
    var labels = StreamLabels()
    /// Echo return loss and its enhancement in dB, from the media source of a sent stream.
    var echoReturnLoss: Double?
    var echoReturnLossEnhancement: Double?
    /// `qualityLimitationReason`: what holds the encoder back now.
    var limitation: String?
    /// Whether it is of a receiver of Pion, which decodes nothing.
    var isOfPion = false
    /// Whether a probe saw retransmissions or repair packets go beside it.
    var isRepaired = false
}

extension StreamSample {
    /// A first report that comes later than this into the media tells nothing of their beginning: 30 s, three reports.
    private static let longestBeforeFirstReport = 30.0

    /// When the media of a connection began, by how much sound its first report says was played: its counters began
    /// at zero then. `nil` where no sound was played, or for long.
    static func begin(of samples: [KeyedSample]) -> Timestamp? {
        let played = samples.filter(\.key.isInboundAudio)
            .compactMap { $0.sample.counters.playedSeconds(of: $0.sample.codec) }.max()
        guard let played, played > 0, played <= longestBeforeFirstReport, let time = samples.first?.sample.time else {
            return nil
        }
        return time.advanced(byMilliseconds: -played.wholeMilliseconds)
    }
}

/// What RTCP brought from the far end about a stream.
struct FarEndSample: Hashable, Archivable {
    /// RTCP older than this says nothing of now: audio's comes every 4 to 5.5 s, up to 12.7 s under loss (our recordings).
    static let longestAgeSeconds = 15.0

    /// When the RTCP report arrived: a report whose arrival did not move is stale.
    var arrivedAt: Timestamp?
    /// `remoteTimestamp` of `remote-outbound-rtp`: when the far end wrote it, by its own clock (NTP timestamp, RFC 3550 §6.4.1).
    var reportedAt: Timestamp?
    /// `packetsSent` of `remote-outbound-rtp`.
    var packetsSent: Double?
    /// `packetsLost` of `remote-inbound-rtp`.
    var packetsLost: Double?
    /// `jitter` of `remote-inbound-rtp`, in seconds.
    var jitterSeconds: Double?
    /// `roundTripTime` in seconds; 0 means "none yet" in old Chromium and is left out.
    var roundTripSeconds: Double?
    /// `totalRoundTripTime` in seconds.
    var totalRoundTripSeconds: Double?
    /// `roundTripTimeMeasurements`.
    var roundTripMeasurements: Double?
}

/// The codec object a stream points to.
struct CodecDescription: Hashable, Archivable {
    var mimeType: String
    var clockRate: Int?
    var formatParameters: String?
    /// Whether it is a guess: nothing describes the sound.
    var isGuess = false

    /// Samples a second of its sound: those of its clock, but for G.722 (RFC 3551 §4.5.2); `nil` when not known.
    var playoutRate: Double? {
        mimeType.lowercased() == "audio/g722" ? 16_000 : clockRate.map(Double.init)
    }

    var isOpus: Bool { mimeType.lowercased() == "audio/opus" }

    /// Whether the sender may fall silent between words: Opus says so in its fmtp (RFC 7587 §6.1), others by a
    /// comfort-noise codec beside them (RFC 3389), which clients' reports do not show.
    ///
    /// `nil` where the report does not tell.
    var mayUseDTX: Bool? {
        isOpus && !isGuess ? hasParameter("usedtx=1") : nil
    }

    /// Whether lost packets can be rebuilt from later ones (Opus in-band FEC, RFC 7587; RED, RFC 2198), or may be: of a guess
    /// nothing else is known.
    var hasRedundancy: Bool {
        isRED || hasParameter("useinbandfec=1") ?? isGuess
    }

    /// Whether each packet brings the one before once more (RED, RFC 2198).
    var isRED: Bool { mimeType.lowercased() == "audio/red" }

    /// Whether a parameter is given so; `nil` where none are told.
    private func hasParameter(_ wanted: String) -> Bool? {
        formatParameters.map { parameters in
            parameters.utf8.split(separator: UInt8(ascii: ";")).contains { parameter in
                parameter.lazy.filter { $0 != UInt8(ascii: " ") }.elementsEqual(wanted.utf8)
            }
        }
    }
}

// MARK: - Archive

extension StreamSample {
    func write(to archive: inout ArchiveWriter) {
        archive.put(time, counters, jitterSeconds, frameWidth)
        archive.put(frameHeight, targetBitrate, lastPacketReceivedAt, firstPacketAt)
        archive.put(lastOutage, packetSeconds, farEnd, codec)
        archive.put(metricCounters, labels, echoReturnLoss, echoReturnLossEnhancement)
        archive.put(limitation, jitterBufferSeconds, framesReceived, framesPerSecond)
        archive.put(isOfPion, lastPacketOnPathAt)
        // Only a probe tells of any: the archive of a client's call goes without.
        if counters.outageSeconds != nil { archive.put(isRepaired) }
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (time, counters, jitterSeconds, frameWidth) = try archive.get()
        (frameHeight, targetBitrate, lastPacketReceivedAt, firstPacketAt) = try archive.get()
        (lastOutage, packetSeconds, farEnd, codec) = try archive.get()
        (metricCounters, labels, echoReturnLoss, echoReturnLossEnhancement) = try archive.get()
        (limitation, jitterBufferSeconds, framesReceived, framesPerSecond) = try archive.get()
        (isOfPion, lastPacketOnPathAt) = try archive.get()
        if counters.outageSeconds != nil { isRepaired = try archive.get() }
    }
}

extension FarEndSample {
    func write(to archive: inout ArchiveWriter) {
        archive.put(arrivedAt, packetsSent, packetsLost, jitterSeconds)
        archive.put(roundTripSeconds, totalRoundTripSeconds, roundTripMeasurements, reportedAt)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (arrivedAt, packetsSent, packetsLost, jitterSeconds) = try archive.get()
        (roundTripSeconds, totalRoundTripSeconds, roundTripMeasurements, reportedAt) = try archive.get()
    }
}

extension CodecDescription {
    func write(to archive: inout ArchiveWriter) {
        archive.put(mimeType, clockRate, formatParameters, isGuess)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (mimeType, clockRate, formatParameters, isGuess) = try archive.get()
    }
}
