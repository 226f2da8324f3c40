import CallModel

/// The streams of two calls that are alike in direction and kind.
struct ComparedStreams {
    let direction: MediaDirection
    let kind: MediaKind
    /// Their place among those alike, from 0; a call may have several.
    let place: Int
    let first: StreamSummary?
    let second: StreamSummary?

    /// A call of a conference may have any number of streams.
    private static let mostAlike = 8

    /// The streams of both calls in pairs: those that carried packets, inbound first, in the order of a report.
    static func pairs(_ first: CallSummary, _ second: CallSummary) -> [ComparedStreams] {
        [MediaDirection.inbound, .outbound].flatMap { direction in
            [MediaKind.audio, .video].flatMap { kind in
                let (left, right) = (alike(first, direction, kind), alike(second, direction, kind))
                return (0..<max(left.count, right.count)).map { place in
                    ComparedStreams(
                        direction: direction, kind: kind, place: place,
                        first: place < left.count ? left[place] : nil,
                        second: place < right.count ? right[place] : nil)
                }
            }
        }
    }

    private static func alike(
        _ summary: CallSummary, _ direction: MediaDirection, _ kind: MediaKind
    ) -> [StreamSummary] {
        let streams = summary.streams.filter {
            $0.stream.direction == direction && $0.stream.kind == kind && $0.packets != 0
        }
        return Array(streams.sorted { $0.stream < $1.stream }.prefix(mostAlike))
    }

    /// `in audio`, `in audio 2`.
    var title: String {
        "\(direction == .inbound ? "in" : "out") \(kind.rawValue)" + (place > 0 ? " \(place + 1)" : "")
    }

    /// The figures that either stream has.
    var figures: [ComparedFigure] {
        [
            figure("lost", "lossPercent", "%", \.lossPercent),
            figure("jitter mean", "jitterMilliseconds", "ms", \.jitterMilliseconds, least: 1),
            figure("round trip", "roundTripMilliseconds", "ms", \.roundTripMilliseconds, least: 1),
            figure("jitter buffer", "jitterBufferMilliseconds", "ms", \.jitterBufferMilliseconds, least: 1),
            figure("concealed", "concealedPercent", "%", \.concealedPercent),
            figure("stretched", "stretchedPercent", "%", \.stretchedPercent),
            figure("frames a second", "framesPerSecond", "", \.framesPerSecond, preferring: .more, least: 0.5),
            figure("frozen", "frozenSeconds", "s", \.frozenSeconds),
            figure("bit rate", "bitrateKilobitsPerSecond", "kbit/s", \.bitrateKilobitsPerSecond, preferring: .none),
        ].filter(\.isKnown)
    }

    /// A hundredth of a percent or of a second is no difference.
    private func figure(
        _ label: String, _ name: String, _ unit: String, _ value: KeyPath<StreamSummary, Double?>,
        preferring preference: ComparedFigure.Preference = .less, least: Double = 0.01
    ) -> ComparedFigure {
        ComparedFigure(
            label: label, name: name, unit: unit, first: first?[keyPath: value], second: second?[keyPath: value],
            preference: preference, leastDifference: least)
    }
}
