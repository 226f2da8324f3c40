import CallModel

/// What two call records have that can be held against each other.
struct ComparedCalls {
    let first: CallSummary
    let second: CallSummary

    /// The score, its worst stretch, R and the mean opinion scores.
    var quality: [ComparedFigure] {
        [
            figure("score", "score", "", preferring: .more, places: 0) { $0.score.map(Double.init) },
            figure("worst stretch", "worstScore", "", preferring: .more, places: 0) { $0.worstScore.map(Double.init) },
            figure("R", "rFactor", "", preferring: isOnOneScale ? .more : .none, places: 1, least: 0.05) {
                $0.rating?.rFactor
            },
            figure("MOS-LQ", "mosLQ", "", preferring: .more, places: 2, least: 0.005) { $0.rating?.mosLQ },
            figure("MOS-CQ", "mosCQ", "", preferring: .more, places: 2, least: 0.005) { $0.rating?.mosCQ },
        ]
    }

    /// Whether R of the two may be compared: ratings of different bands are on different scales.
    var isOnOneScale: Bool {
        guard let first = first.rating?.band, let second = second.rating?.band else { return true }
        return first == second
    }

    /// Points lost by cause, the largest difference first; causes that cost neither call anything are left out.
    var costs: [ComparedFigure] {
        costsByCause.map(\.figure).filter { figure in
            [figure.first, figure.second].contains { ($0 ?? 0) >= 0.05 }
        }
    }

    /// ``costs`` in the tenths of a point that the text report of each call shows.
    var roundedCosts: [ComparedFigure] {
        let shares = (CostShares(first), CostShares(second))
        return costsByCause.map { cause, figure in
            var rounded = figure
            rounded.first = figure.first.map { _ in shares.0.points(of: cause) }
            rounded.second = figure.second.map { _ in shares.1.points(of: cause) }
            return rounded
        }.filter { figure in
            [figure.first, figure.second].contains { ($0 ?? 0) > 0 }
        }
    }

    private var costsByCause: [(cause: QualityCause, figure: ComparedFigure)] {
        guard first.score != nil || second.score != nil else { return [] }
        return QualityCause.allCases.map { cause in
            let figure = figure(cause.name, cause.rawValue, "", places: 1, least: 0.05) { summary in
                summary.score == nil ? nil : summary.costs[cause] ?? 0
            }
            return (cause, figure)
        }.sorted {
            (abs($1.figure.difference ?? 0), $0.figure.name) < (abs($0.figure.difference ?? 0), $1.figure.name)
        }
    }

    /// Setup latencies that either call has, and interruptions.
    var setup: [ComparedFigure] {
        [
            latency("L1 request sent", "restSentDelayMilliseconds", \.restSentDelay),
            latency("L2 post-dial delay", "postDialDelayMilliseconds", \.postDialDelay),
            latency("L3 ringing", "ringTimeMilliseconds", \.ringTime, preferring: .none),
            latency("L4 answered", "answerDelayMilliseconds", \.answerDelay, preferring: .none),
            latency("L5 ICE connected", "iceConnectTimeMilliseconds", \.iceConnectTime, preferring: .none),
            latency("L6 answer to ICE", "mediaSetupMilliseconds", \.mediaSetup),
            latency("L7 ICE gathering", "iceGatheringUpperBoundMilliseconds", \.iceGatheringUpperBound),
            latency("SRD", "sessionRequestDelayMilliseconds", \.sessionRequestDelay),
        ].filter(\.isKnown)
    }

    /// What interrupted the calls; a probe sees nothing of ICE.
    var interruptions: [ComparedFigure] {
        [
            figure("blackouts", "outages", "", places: 0) { Double($0.outages.count) },
            figure("without sound", "outageSeconds", "s", least: 0.1) { $0.outages.reduce(0) { $0 + $1.seconds } },
            figure("ICE disconnects", "iceDisconnects", "", places: 0) {
                $0.isFromWire ? nil : Double($0.iceDisconnects.count)
            },
            figure("changes of path", "pathChanges", "", places: 0) {
                $0.isFromWire ? nil : Double($0.path.changes.count)
            },
            figure("on hold", "heldSeconds", "s", preferring: .none, least: 0.1) { $0.heldSeconds },
        ].filter { ($0.first ?? 0) > 0 || ($0.second ?? 0) > 0 }
    }

    var streams: [ComparedStreams] { ComparedStreams.pairs(first, second) }

    private func latency(
        _ label: String, _ name: String, _ value: KeyPath<SetupLatencies, Int64?>,
        preferring preference: ComparedFigure.Preference = .less
    ) -> ComparedFigure {
        figure(label, name, "ms", preferring: preference, places: 0) { $0.setup[keyPath: value].map(Double.init) }
    }

    private func figure(
        _ label: String, _ name: String, _ unit: String, preferring preference: ComparedFigure.Preference = .less,
        places: Int? = nil, least: Double = 0, _ value: (CallSummary) -> Double?
    ) -> ComparedFigure {
        ComparedFigure(
            label: label, name: name, unit: unit, first: value(first), second: value(second), preference: preference,
            places: places, leastDifference: least)
    }
}
