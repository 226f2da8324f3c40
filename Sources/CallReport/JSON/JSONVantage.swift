import CallModel

/// The streams of a record, with what each observer saw of them and where they were impaired.
struct JSONVantage {
    let value: JSONValue

    init(_ record: CallRecord) {
        value = .array(VantageJoin(record).paths.map(Self.path))
    }

    private static func path(_ path: StreamPath) -> JSONValue {
        [
            "direction": .string(path.isInbound ? "inbound" : "outbound"), "kind": .string(path.kind.rawValue),
            "source": .string(path.source), "start": JSONValue(path.span?.lowerBound),
            "end": JSONValue(path.span?.upperBound), "points": .array(path.points.map(point)),
            "findings": .array(zip(path.findings, path.sentences).map(finding)),
        ]
    }

    private static func point(_ point: PathPoint) -> JSONValue {
        [
            "place": .string(point.place.rawValue), "observer": JSONValue(point.observer?.rawValue),
            "packets": JSONValue(point.packets?.rounded()), "packetsLost": JSONValue(point.lost?.rounded()),
            "lossPercent": JSONValue(point.lossPercent),
            "uncertainPercent": JSONValue(point.lossPercent.map { _ in point.uncertainPercent }),
            "jitterMilliseconds": JSONValue(point.jitterMilliseconds),
            "packetsDiscarded": JSONValue(point.discarded?.rounded()),
            "concealedPercent": JSONValue(point.concealedPercent),
        ]
    }

    private static func finding(_ finding: PathFinding, _ sentence: String) -> JSONValue {
        let (what, size, unit, from, to): (String, Double?, String, Int?, Int) =
            switch finding {
            case .lost(let percent, let from, let to): ("lost", percent, "percent", from, to)
            case .unrecorded(let percent, let at): ("unrecorded", percent, "percent", at, at)
            case .cutOff(let seconds, let from, let to): ("cutOff", seconds, "seconds", from, to)
            case .neverArrived(let from, let to): ("neverArrived", nil, "", from, to)
            case .forwardedInPart(let percent, let from, let to): ("forwardedInPart", percent, "percent", from, to)
            case .jitter(let milliseconds, let from, let to): ("jitter", milliseconds, "milliseconds", from, to)
            case .late(let percent, let at): ("late", percent, "percent", at, at)
            case .discarded(let percent, let at): ("discarded", percent, "percent", at, at)
            case .concealedWithoutLoss(let percent, let at): ("concealedWithoutLoss", percent, "percent", at, at)
            }
        return [
            "what": .string(what), "percent": JSONValue(unit == "percent" ? size : nil),
            "seconds": JSONValue(unit == "seconds" ? size : nil),
            "milliseconds": JSONValue(unit == "milliseconds" ? size : nil), "from": JSONValue(from),
            "to": JSONValue(to), "sentence": .string(sentence),
        ]
    }
}
