import CallModel
import TestSupport
import Testing

/// A filter as a store must apply it and as plain Swift says it.
struct CallFilterSample: Sendable, CustomTestStringConvertible {
    let name: String
    let set: @Sendable (inout CallFilter) -> Void
    let keeps: @Sendable (CallSummary) -> Bool

    var testDescription: String { name }

    init(
        _ name: String, _ set: @escaping @Sendable (inout CallFilter) -> Void,
        _ keeps: @escaping @Sendable (CallSummary) -> Bool
    ) {
        self.name = name
        self.set = set
        self.keeps = keeps
    }

    static let all =
        times + quality + setup + [
            CallFilterSample("none", { _ in }, { _ in true }),
            CallFilterSample(
                "several",
                {
                    $0.startedFrom = at(1000)
                    $0.maximumScore = 75
                    $0.state = .ended
                }, { $0.start >= at(1000) && ($0.score ?? 101) <= 75 && !$0.isLive(at: at(152_000)) }),
        ]

    private static let times = [
        CallFilterSample("from", { $0.startedFrom = at(2000) }, { $0.start >= at(2000) }),
        CallFilterSample("before", { $0.startedBefore = at(2000) }, { $0.start < at(2000) }),
        CallFilterSample("live", { $0.state = .live }, { $0.isLive(at: at(152_000)) }),
        CallFilterSample("ended", { $0.state = .ended }, { !$0.isLive(at: at(152_000)) }),
    ]

    private static let quality = [
        CallFilterSample("minimum", { $0.minimumScore = 50 }, { ($0.score ?? -1) >= 50 }),
        CallFilterSample("maximum", { $0.maximumScore = 50 }, { ($0.score ?? 101) <= 50 }),
        CallFilterSample("band", { $0.narrow(to: .bad) }, { ($0.score ?? 101) <= 59 }),
        CallFilterSample("scored", { $0.isScored = true }, { $0.score != nil }),
        CallFilterSample("unscored", { $0.isScored = false }, { $0.score == nil }),
        CallFilterSample("worst stretch", { $0.maximumWorstScore = 69 }, { ($0.worstScore ?? 101) <= 69 }),
        CallFilterSample("issue", { $0.issue = .packetLoss }, { $0.issues.all.contains { $0.kind == .packetLoss } }),
        CallFilterSample("cause", { $0.leading = .cause(.burst) }, { $0.leadingCause == .burst }),
        CallFilterSample("no cause", { $0.leading = .nothing }, { $0.leadingCause == nil }),
    ]

    private static let setup = [
        CallFilterSample("outcome", { $0.outcomes = [.connected] }, { $0.outcome == .connected }),
        CallFilterSample(
            "outcomes", { $0.outcomes = [.notAnswered, .notConnected] },
            { [.notAnswered, .notConnected].contains($0.outcome(isLive: $0.isLive(at: at(152_000)))) }),
        CallFilterSample(
            "outcome not known", { $0.outcomes = [.unknown] },
            { $0.outcome(isLive: $0.isLive(at: at(152_000))) == .unknown }),
        CallFilterSample(
            "setup from", { $0.setupFromMilliseconds = 500 }, { ($0.setup.answerToMedia ?? -1) >= 500 }),
        CallFilterSample(
            "setup before", { $0.setupBeforeMilliseconds = 500 }, { ($0.setup.answerToMedia ?? 500) < 500 }),
        CallFilterSample("relayed", { $0.relay = .relayed }, { $0.path.isRelayed == true }),
        CallFilterSample("direct", { $0.relay = .direct }, { $0.path.isRelayed == false }),
        CallFilterSample("unknown path", { $0.relay = .unknown }, { $0.path.isRelayed == nil }),
        CallFilterSample("codec", { $0.codec = "OPUS" }, { $0.streams.contains { $0.codec == "audio/opus" } }),
        CallFilterSample("type", { $0.codec = "video/vp8" }, { $0.streams.contains { $0.codec == "video/VP8" } }),
        CallFilterSample("part of a codec", { $0.codec = "opu" }, { $0.streams.contains { $0.codec == "opu" } }),
        CallFilterSample("program", { $0.client = "chrome" }, { $0.client?.hasPrefix("Chrome ") == true }),
        CallFilterSample("version", { $0.client = "CHROME 14" }, { $0.client == "Chrome 14" }),
        CallFilterSample("part of a program", { $0.client = "chrom" }, { $0.client == "Chrom" }),
        CallFilterSample("sign", { $0.client = "C%" }, { $0.client == "C%" }),
        CallFilterSample("observer", { $0.observer = ObserverID(rawValue: "B") }, { $0.key.observer.rawValue == "B" }),
    ]
}

extension CallSummary {
    /// Makes up what lists filter and sort by: few different values, and some that are not known.
    mutating func vary(using source: inout RandomSource) {
        key.observer = ObserverID(rawValue: Bool.random(using: &source) ? "A" : "B")
        client = [nil, "Chrome 14", "Chrome 148", "Chromecast 1", "Chrom", "C%"].randomElement(using: &source) ?? nil
        worstScore = score.map { min($0, Int.random(in: 0...4, using: &source) * 20) }
        setup.mediaSetup = [nil, -40, 0, 499, 500, 7_000].randomElement(using: &source) ?? nil
        setup.connectTime = [nil, 300, 12_000].randomElement(using: &source) ?? nil
        lastActivity = lastActivity.advanced(byMilliseconds: Int64.random(in: 0...3, using: &source) * 500)
        path.localType = [nil, "host", "relay"].randomElement(using: &source) ?? nil
        path.remoteType = [nil, "srflx", "relay"].randomElement(using: &source) ?? nil
        costs = [:]
        for cause in [QualityCause.loss, .burst, .delay] where Bool.random(using: &source) {
            costs[cause] = [0.25, 0.5, 3, 3, 40].randomElement(using: &source)
        }
        streams = ["audio/opus", "video/VP8", "audio/opus", "opu", nil].enumerated().compactMap { index, codec in
            guard Int.random(in: 0...2, using: &source) == 0 else { return nil }
            let stream = StreamKey(connection: .only, direction: .inbound, kind: .audio, source: "\(index)")
            var summary = StreamSummary(stream: stream, firstSeen: start, lastSeen: start)
            summary.codec = codec
            return summary
        }
    }
}
