import CallModel

/// Whether two ends of a call told of it under one name, so that their figures lie in one record.
struct MixedEnds {
    /// The SSRC that shows it.
    private let source: String

    /// - Returns: `nil` where nothing shows it: no connection both sends and receives a source (RFC 3550 §8).
    init?(_ summary: CallSummary) {
        let streams = summary.streams.map(\.stream)
        let sent = Set(streams.filter { $0.direction == .outbound && $0.isNumbered })
        let both = Set(summary.streams.filter { $0.packets ?? 0 > 0 && $0.stream.direction == .inbound }.map(\.stream))
            .filter { sent.contains($0.turned) }
        guard let found = both.min() else { return nil }
        source = found.source
    }

    /// What is the matter, and the mend.
    var words: String {
        "two ends told of it as one observer, give each its own with observer= (ssrc \(source.printable) was both sent "
            + "and received)"
    }
}

extension StreamKey {
    /// Whether it is named by an SSRC, and not by an id that only means something to one end.
    fileprivate var isNumbered: Bool { !source.isEmpty && source.utf8.allSatisfy { (0x30...0x39).contains($0) } }

    /// The same source, in the other direction.
    fileprivate var turned: StreamKey {
        StreamKey(
            connection: connection, direction: direction == .inbound ? .outbound : .inbound, kind: kind, source: source)
    }
}
