extension RTPStreamMeter {
    /// The clock by which the timestamps run, where the size of the packets tells how long each lasts, and it is not the one
    /// that the stream is said to have: some phones count the samples of G.722, 16,000 a second, and not the 8,000 ticks of
    /// [RFC 3551, section 4.5.2](https://www.rfc-editor.org/rfc/rfc3551#section-4.5.2).
    ///
    /// The packets must come as fast as they last, too: who sends a recording at twice its pace has the clock that it is said
    /// to have.
    /// - Parameter bytes: Payload of the last packet, of the stream's payload type; of SRTP, with its tag of 4 or 10 bytes
    ///   ([RFC 4568, section 6.2](https://www.rfc-editor.org/rfc/rfc4568#section-6.2)).
    /// - Returns: A clock of a rate in use; nil where the size tells none, or the one that is known.
    public func clockBySize(ofPacket bytes: Int) -> RTPClock? {
        guard hertz != 0, packetTime.isKnown, let rate = StaticPayloadType.bytesPerMillisecond(of: mainPayloadType),
            let spacing = deltas.meanSeconds
        else { return nil }
        let lengths = Self.tags.map { Double(bytes - $0) / rate / 1000 }
        // One of them is what the packets last by the clock that is known.
        let known = Double(packetTime.ticks) / Double(hertz)
        guard !lengths.contains(where: { abs($0 - known) < 0.02 * known }) else { return nil }
        return lengths.lazy.filter { $0 > 0 && abs($0 - spacing) < 0.1 * $0 }
            .compactMap { Self.rate(inUse: Double(packetTime.ticks) / $0) }
            .first.flatMap { RTPClock(hertz: $0, source: .inferred) }
    }

    /// Bytes of the tag that SRTP has behind the payload, or none.
    private static let tags = [0, 4, 10]

    private static func rate(inUse measured: Double) -> UInt32? {
        ClockInference.candidates.first { abs(Double($0) - measured) < 0.01 * measured }
    }
}
