import Synchronization

/// When each call was created, for what is measured from there. One a call: calls overlap.
///
/// A class, for callbacks come on any thread.
final class CallAnchors: Sendable {
    /// The calls that are remembered; the oldest is forgotten.
    private static let mostCalls = 100

    private struct Anchor {
        var call: String
        var time: Int64
    }

    private let state = Mutex<[Anchor]>([])

    /// How long after its call's `callCreate` an event happened; `nil` where either is not known. Negative where the
    /// device's clock was set meanwhile.
    func sinceCreation(of event: [String: ReportValue]) -> Duration? {
        guard case .text(let call)? = event["callId"], let time = Self.time(event["time"]) else { return nil }
        return state.withLock { anchors in
            if event["type"] == .text("callCreate") {
                anchors.removeAll { $0.call == call }
                anchors.append(Anchor(call: call, time: time))
                if anchors.count > Self.mostCalls { anchors.removeFirst() }
            }
            guard let anchor = anchors.first(where: { $0.call == call }) else { return nil }
            let (length, overflow) = time.subtractingReportingOverflow(anchor.time)
            return overflow ? nil : .milliseconds(length)
        }
    }

    /// SDKs write it as text, too.
    private static func time(_ value: ReportValue?) -> Int64? {
        switch value {
        case .whole(let number): number
        case .number(let number): Int64(exactly: number.rounded())
        case .text(let text): Int64(text) ?? Double(text).flatMap { Int64(exactly: $0.rounded()) }
        default: nil
        }
    }
}

/// Counts what happens on any thread.
final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func increment() {
        count.withLock { $0 += 1 }
    }
}
