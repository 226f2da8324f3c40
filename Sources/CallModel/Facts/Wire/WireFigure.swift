/// What a probe measures of one RTP stream. Counters run from the first packet of the stream, so that a snapshot that
/// is lost on the way to the collector costs detail and no truth.
public enum WireFigure: Int, Hashable, Sendable, CaseIterable {
    // MARK: Packets

    /// Packets received, each sequence number once.
    case packetsReceived
    /// Sequence numbers that never came, 0 or more (RFC 3550 A.3 without its negative values).
    case packetsLost
    /// Of ``packetsLost``, those that were missing in runs of 0.4 s or more.
    case packetsLostInOutages
    /// How many runs those are; missing while there are none.
    case lossRunsInOutages
    /// Packets that came again later than a fault of the capture explains.
    case packetsDuplicated
    /// Packets that the capture recorded twice (mirror ports, the "any" device): no fault of the network.
    case packetsRecordedTwice
    /// Packets that came after a later one, duplicates not counted.
    case packetsReordered
    /// Sequence numbers that are missing because the capture has a hole (not in ``packetsLost``).
    case packetsMissedByCapture
    /// Sequence numbers that are missing over a hold or another medium, such as T.38 (not in ``packetsLost``).
    case packetsSkipped
    /// Packets of the stream that stood alone far from the others and were left out (RFC 3550 A.1).
    case packetsRejected
    /// Times the sequence numbers started anew.
    case sequenceRestarts
    /// Payload bytes received, without headers and padding, duplicates left out.
    case bytesReceived
    /// Packets without payload (probing).
    case paddingPackets
    /// Packets of comfort noise (RFC 3389).
    case comfortNoisePackets
    /// Packets of telephone events (RFC 4733).
    case telephoneEventPackets
    /// Telephone events: keys pressed, not which.
    case telephoneEvents
    /// Packets with the marker bit: talkspurts of audio, frames of video.
    case markers

    // MARK: Jitter

    /// RFC 3550 jitter now, in seconds; talkspurt starts, other payload types and steps back left out (`docs/wire.md`).
    case jitter
    /// Mean of that over all packets, in seconds.
    case meanJitter
    /// Largest of that, in seconds.
    case maximumJitter
    /// RFC 3550 A.8 jitter over every packet as it came, in seconds: what a receiver's RTCP reports.
    case plainJitter
    /// Largest of that, in seconds.
    case maximumPlainJitter

    // MARK: Arrival

    /// Shortest time between two packets, in seconds.
    case minimumDelta
    /// Mean time between two packets, in seconds.
    case meanDelta
    /// Longest time between two packets, in seconds.
    case maximumDelta
    /// 95th percentile of the delay above the least one, in seconds (packet delay variation, RFC 5481 §4.2).
    case delayVariation95
    /// Largest difference of media time and arrival time, in seconds, signed.
    case maximumSkew
    /// Sender's clock against the probe's, in parts per million.
    case clockDrift
    /// Seconds of audio missing in runs of 0.4 s or more.
    case outageSeconds
    /// Seconds in which the sender sent nothing, longer than 1 s each.
    case pauseSeconds

    // MARK: Jitter buffers

    /// Packets that came after their time in the simulated adaptive jitter buffer.
    case packetsDiscarded
    /// Audio missing in that buffer because packets came after their time, in seconds: it waits for them, then goes on.
    case lateSeconds
    /// Audio stretched or shortened in that buffer to follow the delay, in seconds.
    case stretchedSeconds
    /// Packets too late for a fixed jitter buffer of 60 ms.
    case packetsLateFor60Milliseconds
    /// Packets too late for a fixed jitter buffer of 200 ms.
    case packetsLateFor200Milliseconds
    /// Sum of the packets' stays in the adaptive jitter buffer, in seconds.
    case jitterBufferDelay
    /// Packets that left the adaptive jitter buffer.
    case jitterBufferEmittedCount

    // MARK: Bursts and gaps (RFC 3611 §4.7.2, Gmin 16; discarded packets count as lost)

    /// Fraction of packets lost in bursts, 0...1.
    case burstDensity
    /// Fraction of packets lost in gaps, 0...1.
    case gapDensity
    /// Mean length of a burst, in seconds.
    case burstDuration
    /// Mean length of a gap, in seconds.
    case gapDuration
    /// Longest run of lost packets.
    case longestLossRun

    // MARK: RTCP that passed by

    /// Sender reports (RFC 3550 §6.4.1) of the source.
    case senderReports
    /// Packets the source says it has sent.
    case packetsSent
    /// Reports of the receiver about this stream.
    case receiverReports
    /// Packets lost, as the receiver says; may be negative.
    case receiverPacketsLost
    /// Packets lost between the probe and the receiver: what it lacks, by its reports, beyond what the capture lacks of the same
    /// numbers. Negative where it has packets that the capture has not.
    case packetsLostBehind
    /// Jitter as the receiver says, in seconds.
    case receiverJitter
    /// Round trip from the probe to the receiver and back, last measured, in seconds: by RTCP, and where that cannot be read by
    /// checks of ICE (`docs/wire.md`).
    case receiverRoundTripTime
    /// Sum of the round trips measured, in seconds: probe to either end and back, put together.
    case totalRoundTripTime
    /// How many were measured.
    case roundTripTimeMeasurements
    /// MOS for listening quality that the receiver's XR VoIP metrics block gives, 1...5 (RFC 3611 §4.7.5).
    case receiverListeningMOS
    /// MOS for conversational quality of that block, 1...5.
    case receiverConversationalMOS
    /// R factor of that block, 0...100.
    case receiverRFactor
    /// Requests for a packet again (NACK, RFC 4585), each packet counted.
    case nackedPackets
    /// Picture loss indications and full intra requests.
    case keyFrameRequests
    /// Packets of which the receiver says how many it lost: those up to the highest number in its report (RFC 3550 §6.4.1),
    /// and those that the source counts from before the probe saw it.
    case receiverPacketsExpected

    // MARK: ICMP

    /// Packets of the stream that came back as undeliverable, for nobody listens where they go, or the way there is barred
    /// ([RFC 792](https://www.rfc-editor.org/rfc/rfc792), [RFC 4443 §3.1](https://www.rfc-editor.org/rfc/rfc4443#section-3.1)).
    /// Hosts limit how often they say it. Missing while none has.
    case packetsUndeliverable
}
