import RTPMeter

/// Knows an RTCP datagram that came a moment ago and comes again: mirror ports and the device `any` record it twice, and a
/// network may repeat it. What it reports and asks for counts once.
struct ControlCopies {
    private struct Datagram {
        var flow: Flow
        var bytes: [UInt8]
        var time: ArrivalTime
    }

    /// No sender says the same again so soon; in nanoseconds.
    private static let close: Int64 = 5_000_000
    /// So many of the latest are known.
    private static let most = 16

    private var latest: [Datagram] = []
    private var oldest = 0

    /// Whether the same came a moment ago; if not, it is remembered.
    mutating func isCopy(_ payload: RawSpan, flow: Flow, at time: ArrivalTime) -> Bool {
        let datagram = Datagram(flow: flow, bytes: payload.copy(0..<payload.byteCount), time: time)
        if latest.contains(where: { isSame(datagram, $0) }) { return true }
        if latest.count < Self.most {
            latest.append(datagram)
        } else {
            latest[oldest] = datagram
            oldest = (oldest + 1) % Self.most
        }
        return false
    }

    private func isSame(_ one: Datagram, _ other: Datagram) -> Bool {
        one.time.nanoseconds(since: other.time).magnitude < Self.close.magnitude && one.flow == other.flow
            && one.bytes == other.bytes
    }
}
