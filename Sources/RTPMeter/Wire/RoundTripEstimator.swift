/// Measures round trips from RTCP that passes by, without a part in the call.
///
/// A sender report of A passes at t₁. A report block of B that names it passes at t₂ and says that it was held for d.
/// From here to B and back it took t₂ − t₁ − d
/// ([RFC 3550, section 6.4.1](https://www.rfc-editor.org/rfc/rfc3550#section-6.4.1), figure 2, with the observer in the
/// place of A). The same for reports of B and blocks of A gives the other half of the way; the sum of the two is the
/// round trip of the call. Only this observer's clock is used, and B's for the length of d.
///
/// A receiver's reference time and the answer to it
/// ([RFC 3611, sections 4.4 and 4.5](https://www.rfc-editor.org/rfc/rfc3611#section-4.4)) work in the same way.
///
/// Keep one estimator for a source. Reports are remembered by SSRC, so a few sources may share one, at the cost of how
/// far back it remembers.
public struct RoundTripEstimator: Sendable {
    /// How many reports are remembered; at the usual 5 s between reports, 80 s.
    public static let capacity = 16
    /// Round trips above this, in seconds, are taken for errors.
    public static let longest = 10.0
    /// A result that is below zero by no more than this, in seconds, is a round trip of 0.
    ///
    /// The clocks of two machines may differ by 100 millionths, which is 1 ms over a report that is held for 10 s: an
    /// observer next to B sees every other round trip a little below zero.
    public static let tolerance = 0.001

    private struct SentReport {
        var at: ArrivalTime
        var ssrc: UInt32
        var ntpMiddle: UInt32
    }

    private var reports: [SentReport] = []
    /// Where the next report goes once all places are taken: the place of the oldest.
    private var next = 0

    /// Knows no report yet, and takes no memory before the first.
    public init() {}

    /// Remembers a sender report; a copy of one that is remembered changes nothing.
    ///
    /// - Parameters:
    ///   - ssrc: The sender.
    ///   - ntpMiddle: The middle 32 bits of the report's NTP time; 0 cannot be told from "none" and is not remembered.
    ///   - time: When the report passed by.
    public mutating func noteSenderReport(ssrc: UInt32, ntpMiddle: UInt32, at time: ArrivalTime) {
        guard ntpMiddle != 0, !reports.contains(where: { $0.ssrc == ssrc && $0.ntpMiddle == ntpMiddle }) else { return }
        let report = SentReport(at: time, ssrc: ssrc, ntpMiddle: ntpMiddle)
        guard reports.count == Self.capacity else {
            reports.append(report)
            return
        }
        reports[next] = report
        next = (next + 1) % Self.capacity
    }

    /// Remembers the reference time of a receiver (block type 4 of an extended report).
    ///
    /// - Parameters:
    ///   - ssrc: Who reported.
    ///   - ntpTimestamp: The whole reference time.
    ///   - time: When the report passed by.
    public mutating func noteReferenceTime(ssrc: UInt32, ntpTimestamp: UInt64, at time: ArrivalTime) {
        noteSenderReport(ssrc: ssrc, ntpMiddle: UInt32(truncatingIfNeeded: ntpTimestamp >> 16), at: time)
    }

    /// From here to who sent `block` and back, in seconds.
    ///
    /// A block that names the same report as an earlier one, with a longer delay, is as good as the first.
    ///
    /// - Parameters:
    ///   - block: What was said about a source whose reports are remembered here.
    ///   - time: When it passed by.
    /// - Returns: Nil when the block names no report, or none that is remembered, does not say how long it was held, or
    ///   the result is negative or above ``longest``.
    public func roundTrip(_ block: ReportBlock, at time: ArrivalTime) -> Double? {
        roundTrip(
            of: block.ssrc, ntpMiddle: block.lastSenderReport, held: block.delaySinceLastSenderReport, at: time)
    }

    /// From here to who sent `answer` and back, in seconds; the same for the answer to a receiver's reference time.
    public func roundTrip(_ answer: ReceiverReportDelay, at time: ArrivalTime) -> Double? {
        roundTrip(
            of: answer.ssrc, ntpMiddle: answer.lastReceiverReport, held: answer.delaySinceLastReceiverReport, at: time)
    }

    private func roundTrip(of ssrc: UInt32, ntpMiddle: UInt32, held: UInt32, at time: ArrivalTime) -> Double? {
        guard ntpMiddle != 0, held != 0 else { return nil }
        guard let sent = reports.first(where: { $0.ssrc == ssrc && $0.ntpMiddle == ntpMiddle }) else { return nil }
        let seconds = time.seconds(since: sent.at) - Double(held) / 65536
        guard seconds >= -Self.tolerance, seconds <= Self.longest else { return nil }
        return max(0, seconds)
    }
}
