import CallModel
import Foundation
import TestSupport

/// An issue that what was done to a call must bring about, or may.
struct ExpectedIssue {
    var kind: IssueKind
    /// Seconds since 1970 in which the impairment was strong enough to be heard.
    var span: ClosedRange<Double>
    /// The same, with the time in which it was weaker.
    var widest: ClosedRange<Double>
    /// Whether a probe could see it, too: it happened at the router.
    var isOnWire = true

    /// Whether it may be found in several spells, for what is lost at random may be little for a while.
    var lasts: Bool { [.packetLoss, .lossBursts, .jitter, .delay].contains(kind) }
}

/// What was done to the media on their way to one end, and so what its observers must find, and may find.
///
/// Strong enough to be heard: 3 % of loss; runs of four packets and more; a second without any packet; a round trip of
/// 300 ms (ITU-T G.114); jitter of 30 ms as it left the router. From a third of that on, a finding is no false alarm.
struct Impairments {
    private(set) var must: [ExpectedIssue] = []
    /// When anything at all was done to the packets, beyond a short delay.
    private(set) var touched: [ClosedRange<Double>] = []
    /// When nothing passed.
    private(set) var downtimes: [ClosedRange<Double>] = []
    let mayDelay: Bool

    private static let heardLoss = 3.0
    private static let heardRun = 4.0
    private static let heardDown = 1.0
    private static let heardRoundTrip = 300.0
    private static let heardJitter = 30.0

    init(_ script: RouterScript, towards end: RecordedCall.End, isAudioOnly: Bool) {
        let way = RouterScript.Way.towards(end)
        let segments = script.segments[way] ?? []
        mayDelay = script.roundTripMilliseconds >= Self.heardRoundTrip / 2
        addLoss(segments)
        addDowntimes(segments, all: script)
        if script.roundTripMilliseconds >= Self.heardRoundTrip, let media = script.media {
            must.append(ExpectedIssue(kind: .delay, span: media, widest: media))
        }
        if let jitter = script.meanJitter(way, isAudioOnly: isAudioOnly), let media = script.media {
            if jitter >= Self.heardJitter { must.append(ExpectedIssue(kind: .jitter, span: media, widest: media)) }
            if jitter >= Self.heardJitter / 3 { touched.append(media) }
        }
        downtimes = segments.filter(\.isDown).map { $0.start...$0.end }
        touched += segments.filter {
            $0.value("loss") > 0 || $0.value("jitter") > 0 || $0.value("reorder") > 0 || $0.isDown
        }.map { $0.start...$0.end }
    }

    private mutating func addLoss(_ segments: [RouterScript.Segment]) {
        guard let heard = Self.joined(segments.filter { $0.value("loss") >= Self.heardLoss }),
            let any = Self.joined(segments.filter { $0.value("loss") > 0 })
        else { return }
        must.append(ExpectedIssue(kind: .packetLoss, span: heard, widest: any))
        if segments.contains(where: { $0.value("burst") >= Self.heardRun }) {
            must.append(ExpectedIssue(kind: .lossBursts, span: heard, widest: any))
        }
    }

    private mutating func addDowntimes(_ segments: [RouterScript.Segment], all: RouterScript) {
        for (index, segment) in segments.enumerated() where segment.isDown && index > 0 {
            guard segment.end - segment.start >= Self.heardDown else { continue }
            let isForGood = index == segments.count - 1
            let span = segment.start...segment.end
            must.append(ExpectedIssue(kind: isForGood ? .oneWayAudio : .blackout, span: span, widest: span))
        }
    }

    private static func joined(_ segments: [RouterScript.Segment]) -> ClosedRange<Double>? {
        guard let first = segments.first, let last = segments.last else { return nil }
        return first.start...last.end
    }

    /// Adds what the log of the router does not tell.
    mutating func add(_ kind: IssueKind, _ span: ClosedRange<Double>, widest: ClosedRange<Double>? = nil) {
        must.append(ExpectedIssue(kind: kind, span: span, widest: widest ?? span, isOnWire: false))
        touched.append(span)
        if kind == .blackout { downtimes.append(span) }
    }

    /// Adds a time in which findings are no false alarms.
    mutating func allow(_ span: ClosedRange<Double>) {
        touched.append(span)
    }
}
