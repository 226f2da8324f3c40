extension RTPStreamMeter {
    /// When the last packet arrived, whatever it was; nil before the first.
    public var latestArrival: ArrivalTime? {
        sequence.unique > 0 ? ArrivalTime(nanoseconds: lastArrival) : nil
    }

    /// When the first packet arrived; nil before.
    public var earliestArrival: ArrivalTime? {
        sequence.unique > 0 ? ArrivalTime(nanoseconds: firstArrival) : nil
    }

    /// The RTP timestamp of the last packet.
    public var latestTimestamp: UInt32 { lastTimestamp }

    /// The last packet of the stream's payload type, when it arrived and its RTP timestamp; of any while there is none. What
    /// has another one, such as padding before a codec is agreed upon, may be on another line of time.
    public var latestInstant: (arrival: ArrivalTime, timestamp: UInt32)? {
        guard sequence.unique > 0 else { return nil }
        return hasReference
            ? (ArrivalTime(nanoseconds: referenceArrival), referenceTimestamp)
            : (ArrivalTime(nanoseconds: lastArrival), lastTimestamp)
    }

    /// Bytes of payload of packets with a new number so far.
    public var receivedPayloadBytes: UInt64 { payloadBytes }

    /// Distinct numbers received so far.
    public var uniquePackets: Int { Int(clamping: sequence.unique) }

    /// Distinct numbers received so far, and those that are missing between them.
    public var expectedPackets: UInt64 { closedExpected &+ sequence.expected }

    /// ``expectedPackets`` when the highest number was this one, of which the lower 16 bits count; nil where it is too far
    /// from the highest number now to be told from one of another segment.
    public func expectedPackets(upTo number: UInt32) -> UInt64? {
        let ahead = Int(Int16(bitPattern: sequence.step(to: UInt16(truncatingIfNeeded: number))))
        guard abs(ahead) <= Int(SequenceTracker.maximumDropout) else { return nil }
        return UInt64(max(0, Int(clamping: expectedPackets) + ahead))
    }

    /// How many numbers this meter and another one have both received, at least: so many more than there are between the
    /// lowest and the highest of either. 0 where it may be none, and where one has seen the numbers begin anew.
    public func numbersInCommon(with other: RTPStreamMeter) -> Int {
        guard closedExpected == 0, other.closedExpected == 0, sequence.unique > 0, other.sequence.unique > 0 else {
            return 0
        }
        let lead = numbersAhead(of: other)
        let lowest = min(-Int(clamping: sequence.expected), -lead - Int(clamping: other.sequence.expected))
        return max(0, uniquePackets + other.uniquePackets - (max(0, -lead) - lowest))
    }

    /// By how many numbers the highest of this meter is ahead of another one's, if both are of one source; less than half of
    /// the 65,536 that there are.
    public func numbersAhead(of other: RTPStreamMeter) -> Int {
        Int(Int16(truncatingIfNeeded: sequence.highest &- other.sequence.highest))
    }

    /// Whether the sender has been silent for more than a second before, without a number missing, and went on: it sends
    /// nothing while there is nothing to say. What ``forgiveNextGap()`` announced is no such pause.
    public var hasPaused: Bool { gaps.hasPaused || isCaughtUp == false }

    /// Whether comfort noise came ([RFC 3389](https://www.rfc-editor.org/rfc/rfc3389)).
    public var hasComfortNoise: Bool { others.comfortNoise > 0 }

    /// Whether as many packets carry the marker as only those of pictures do: there it ends each picture, and with sound it
    /// begins a talkspurt ([RFC 3551, section 4.1](https://www.rfc-editor.org/rfc/rfc3551#section-4.1)). A sender of sound
    /// that sets it as often tells of no talkspurt with it, either.
    public var marksPictures: Bool { markers > 3 && UInt64(markers) * 4 > sequence.unique }

    /// Pictures, at most: packets with a marker, which ends a picture
    /// ([RFC 3551, section 4.1](https://www.rfc-editor.org/rfc/rfc3551#section-4.1)), and with another timestamp than the
    /// packet before.
    public var markedInstants: Int { min(Int(markers), max(0, uniquePackets - Int(sharedTimestamps))) }

    /// Whether a packet of the same source continues this stream: its number follows closely on the last one.
    public func isNext(_ header: RTPHeader) -> Bool {
        (1...100).contains(sequence.step(to: header.sequenceNumber))
    }

    /// Whether a packet of the same source goes on with this stream after a silence of any length: its number lies ahead, and
    /// its time stamp as far as time has passed.
    /// - Parameters:
    ///   - header: The packet.
    ///   - time: When it arrived.
    /// - Returns: False also while the clock is not known.
    public func isResumed(by header: RTPHeader, at time: ArrivalTime) -> Bool {
        guard hertz > 0, header.payloadType == mainPayloadType, let silence = openGap(at: time) else { return false }
        let media = Double(Int32(bitPattern: header.timestamp &- lastTimestamp)) * secondsPerTick
        // Of numbers that wrap, the nearer half lies ahead (RFC 1982 §3.2).
        return (1..<0x8000).contains(sequence.step(to: header.sequenceNumber)) && abs(media - silence) < 0.5
    }
}
