/// Figures of a stream that only some engines' members allow: each is there when its members are (`docs/metrics.md`).
///
/// All come from differences of W3C counters over a span; the unit is in the name.
public enum StreamMetric: String, Hashable, Sendable, Codable, CaseIterable, CodingKeyRepresentable {
    /// Packets received or sent a second, retransmissions and padding included.
    case packetsPerSecond
    /// Payload and RTP headers, in kbit/s.
    case lineKilobitsPerSecond
    /// Packets that came too late, in percent of those received.
    case discardedPercent
    /// Audio concealed with sound, in percent of the samples played; only while at least 10 packets a second flow.
    case audibleConcealedPercent
    /// How often concealment began, a minute.
    case concealmentsPerMinute
    /// Mean length of a concealment, in ms.
    case meanConcealmentMilliseconds
    /// What the jitter buffer aims at, in ms.
    case jitterBufferTargetMilliseconds
    /// What the jitter buffer would aim at without synchronisation, in ms.
    case jitterBufferMinimumMilliseconds
    /// Standard deviation of the time between frames over its mean, 0 = even.
    case frameIntervalVariation
    /// Requests to send packets again (NACK, RFC 4585), a minute.
    case nacksPerMinute
    /// Picture loss indications (PLI, RFC 4585), a minute.
    case pictureLossesPerMinute
    /// Full intra requests (FIR, RFC 5104), a minute.
    case fullIntraRequestsPerMinute
    /// Key frames decoded or encoded, a minute.
    case keyFramesPerMinute
    /// Retransmissions, in percent of all packets.
    case retransmittedPercent
    /// Forward error correction, in percent of all packets received.
    case fecPercent
    /// Forward error correction that was of no use, in percent of it.
    case fecDiscardedPercent
    /// Frames dropped before display, in percent.
    case framesDroppedPercent
    /// Decoding time of a frame, in ms.
    case decodeMilliseconds
    /// Time of a frame from its first packet to the end of decoding, in ms.
    case processingMilliseconds
    /// Time from the first to the last packet of a frame of several, in ms.
    case assemblyMilliseconds
    /// Encoding time of a frame, in ms.
    case encodeMilliseconds
    /// Frames at least 2.5 times the mean size, in percent.
    case hugeFramesPercent
    /// Time a packet waits to be sent, in ms.
    case packetSendDelayMilliseconds
    /// What was sent, in percent of what the encoder aimed at.
    case bitrateToTargetPercent
    /// Share of the span in which something else than processor and bandwidth limited the encoder, in percent.
    case otherLimitedPercent
    /// Probability that a frame shows corruption, 0...1.
    case corruptionProbability
    /// Peak signal-to-noise ratio of the encoder's luma against its input, in dB.
    case lumaSignalToNoiseDecibels
    /// Packets marked ECT(1) (RFC 9331), in percent of those received.
    case ect1Percent
    /// Packets marked "congestion experienced" (RFC 3168), in percent of those received.
    case congestionMarkedPercent
    /// How much of the sound played the microphone does not pick up, in dB.
    case echoReturnLossDecibels
    /// How much the echo canceller adds to that, in dB.
    case echoReturnLossEnhancementDecibels
}

extension StreamMetric {
    /// Takes in the case; the standard library would take in the name, and every interval has a table of these.
    public func hash(into hasher: inout Hasher) {
        withUnsafeBytes(of: self) { hasher.combine(bytes: $0) }
    }
}
