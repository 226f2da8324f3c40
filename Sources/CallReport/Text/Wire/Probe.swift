import CallModel

extension CallSummary {
    /// Whether a probe saw this on the wire, and no client reported it.
    var isFromWire: Bool {
        sensor != nil || streams.contains { $0.wire != nil } || !secondaryStreams.isEmpty || isProbe
    }

    private var isProbe: Bool {
        let name = key.observer.rawValue
        return name == Self.probe || name.hasPrefix("\(Self.probe):")
    }

    /// The end that the streams of a probe's record flow to: `callee` of `wire:callee`; `nil` when it has no name.
    var watchedEnd: String? {
        guard isProbe else { return nil }
        let end = key.observer.rawValue.dropFirst(Self.probe.count + 1)
        return end.isEmpty ? nil : String(end)
    }

    private static let probe = "wire"

    /// What is missing of a score's members, without those that no probe can see.
    var missingForReaders: [String] {
        isFromWire ? missing.filter { !Self.unseenByProbes.contains($0) } : missing
    }

    /// What only the receiver itself knows; ``ScoreBasis`` says what was estimated in its place.
    private static let unseenByProbes: Set<String> = [
        "concealedSamples", "removedSamplesForAcceleration", "totalFreezesDuration", "framesDecoded", "roundTripTime",
    ]
}

/// A stream of the report that a probe measured, under the number it has there.
struct NumberedStream {
    let stream: StreamKey
    let wire: WireStream
    /// `#1 audio`.
    let name: String
}

extension ReportContext {
    /// The streams a probe measured and saw packets of, in the order of the report.
    var wireStreams: [NumberedStream] {
        streams.compactMap { stream in stream.packets == 0 ? nil : stream.wire.map { (stream.stream, $0) } }
            .enumerated().map { index, stream in
                NumberedStream(stream: stream.0, wire: stream.1, name: "#\(index + 1) \(stream.0.kind.rawValue)")
            }
    }
}
