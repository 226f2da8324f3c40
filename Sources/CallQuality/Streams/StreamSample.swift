import CallModel

/// The counters and gauges of one RTP stream in one report, by their W3C names.
///
/// `nil` is "not reported". Counters only grow within a segment; gauges are spot values.
struct StreamSample: Hashable, Codable {
    var time: Timestamp
    var counters = CounterSet()
    /// `jitter` in seconds.
    var jitterSeconds: Double?
    var frameWidth: Int?
    var frameHeight: Int?
    /// `targetBitrate` in bit/s.
    var targetBitrate: Double?
    /// `lastPacketReceivedTimestamp`, on the client's clock.
    var lastPacketReceivedAt: Timestamp?
    /// The far end's figures that came with this report; see ``FarEndSample``.
    var farEnd: FarEndSample?
    var codec: CodecDescription?
    /// Counters for the figures that only some engines allow.
    var metricCounters = MetricCounters()
    var labels = StreamLabels()
    /// Echo return loss and its enhancement in dB, from the media source of a sent stream.
    var echoReturnLoss: Double?
    var echoReturnLossEnhancement: Double?
}

/// What RTCP brought from the far end about a stream.
struct FarEndSample: Hashable, Codable {
    /// When the RTCP report arrived: a report whose arrival did not move is stale.
    var arrivedAt: Timestamp?
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
struct CodecDescription: Hashable, Codable {
    var mimeType: String
    var clockRate: Int?
    var formatParameters: String?

    /// Whether the sender may fall silent between words: Opus says so in its fmtp, others by a comfort-noise codec.
    ///
    /// `nil` where the report does not tell.
    var mayUseDTX: Bool? {
        guard mimeType.lowercased() == "audio/opus" else { return nil }
        return formatParameters.map { $0.replacing(" ", with: "").split(separator: ";").contains("usedtx=1") }
    }

    /// Whether lost packets can be rebuilt from later ones (Opus in-band FEC, RFC 7587; RED, RFC 2198).
    var hasRedundancy: Bool {
        mimeType.lowercased() == "audio/red" || (formatParameters?.contains("useinbandfec=1") ?? false)
    }
}

/// The cumulative members of `inbound-rtp` and `outbound-rtp` that are used.
struct CounterSet: Hashable, Codable {
    var packets: Double?
    var packetsLost: Double?
    var packetsDiscarded: Double?
    var retransmittedPackets: Double?
    var bytes: Double?
    var samples: Double?
    var samplesSeconds: Double?
    var concealedSamples: Double?
    var silentConcealedSamples: Double?
    var concealmentEvents: Double?
    var insertedSamples: Double?
    var removedSamples: Double?
    var audioEnergy: Double?
    var jitterBufferSeconds: Double?
    var jitterBufferEmitted: Double?
    var frames: Double?
    var quantizerSum: Double?
    var freezes: Double?
    var frozenSeconds: Double?
    var pauses: Double?
    var pausedSeconds: Double?
    var cpuLimitedSeconds: Double?
    var bandwidthLimitedSeconds: Double?
}

extension CounterSet {
    /// Every counter, for arithmetic over all of them.
    static let all: [any WritableKeyPath<CounterSet, Double?> & Sendable] = [
        \.packets, \.packetsLost, \.packetsDiscarded, \.retransmittedPackets, \.bytes, \.samples, \.samplesSeconds,
        \.concealedSamples, \.silentConcealedSamples, \.concealmentEvents, \.insertedSamples, \.removedSamples,
        \.audioEnergy, \.jitterBufferSeconds, \.jitterBufferEmitted, \.frames, \.quantizerSum, \.freezes,
        \.frozenSeconds, \.pauses, \.pausedSeconds, \.cpuLimitedSeconds, \.bandwidthLimitedSeconds,
    ]

    /// What was counted since `earlier`; a counter that is missing on either side stays unknown.
    func difference(since earlier: CounterSet) -> CounterSet {
        var result = CounterSet()
        for counter in Self.all {
            guard let now = self[keyPath: counter], let before = earlier[keyPath: counter] else { continue }
            result[keyPath: counter] = now - before
        }
        return result
    }

    /// Samples inserted and removed to follow the jitter buffer; `nil` when neither was reported, never negative.
    var stretchedSamples: Double? {
        insertedSamples == nil && removedSamples == nil ? nil : max(0, (insertedSamples ?? 0) + (removedSamples ?? 0))
    }

    /// Adds what `other` counted; a counter that only one side knows keeps that side's value.
    static func += (left: inout CounterSet, right: CounterSet) {
        for counter in all {
            guard let more = right[keyPath: counter] else { continue }
            left[keyPath: counter] = (left[keyPath: counter] ?? 0) + more
        }
    }

    /// Whether the counters started anew between `earlier` and this: one that can only grow has shrunk.
    ///
    /// `packetsLost` may shrink by itself (RFC 3550 A.3: late and duplicate packets), so it does not tell.
    func hasRestarted(since earlier: CounterSet) -> Bool {
        let growing = [\CounterSet.packets, \.bytes, \.samples, \.frames]
        return growing.contains { counter in
            guard let now = self[keyPath: counter], let before = earlier[keyPath: counter] else { return false }
            return now < before
        }
    }

    /// The counters of a stream that has just begun: zero wherever `like` knows a value.
    static func zero(like sample: CounterSet) -> CounterSet {
        var result = CounterSet()
        for counter in all where sample[keyPath: counter] != nil {
            result[keyPath: counter] = 0
        }
        return result
    }
}
