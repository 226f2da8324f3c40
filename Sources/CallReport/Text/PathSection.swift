import CallModel

/// The network path: the candidate pair in use, its changes, and what went over it.
struct PathSection: ReportSection {
    let context: ReportContext

    var lines: [Line] {
        let path = context.summary.path
        let transport = TransportWords(context.summary.transport).all
            .flatMap { Wrap.lines($0, columns: context.columns, hanging: 4) }
        if context.summary.isFromWire, path == PathSummary(), transport.isEmpty { return [] }
        guard path != PathSummary() else {
            return [Line("Path", .heading) + Line(": not reported")] + transport
        }
        return [Line("Path", .heading)]
            + Wrap.lines(facts(path), separator: ", ", columns: context.columns)
            + addresses(path) + changes(path) + times(path) + transport
    }

    private func facts(_ path: PathSummary) -> [String] {
        [
            "\(text(path.localType)) to \(text(path.remoteType))",
            "over \(text(path.transportProtocol))",
            relay(path),
            "network \(text(path.networkType))",
            "round trip \(Figures.number(path.roundTripMilliseconds, "ms"))",
        ]
    }

    private func relay(_ path: PathSummary) -> String {
        switch path.isRelayed {
        case .some(true): "relayed (\(text(path.relayProtocol)) to the relay)"
        case .some(false): "no relay"
        case .none: "relay \(Figures.unknown)"
        }
    }

    private func addresses(_ path: PathSummary) -> [Line] {
        guard path.localAddress != nil || path.remoteAddress != nil else { return [] }
        let text = "\(text(path.localAddress)) to \(text(path.remoteAddress))"
        return Wrap.lines(text, columns: context.columns, hanging: 4)
    }

    /// How long each kind of path was used, when there was more than one.
    private func times(_ path: PathSummary) -> [Line] {
        guard path.secondsByKind.count > 1 else { return [] }
        let items = PathSummary.Kind.allCases.compactMap { kind in
            path.secondsByKind[kind].map { "\(kind.rawValue) \(Words.duration(seconds: $0))" }
        }
        return Wrap.lines("time: " + items.joined(separator: ", "), columns: context.columns, hanging: 4)
    }

    private func changes(_ path: PathSummary) -> [Line] {
        guard !path.changes.isEmpty else { return [] }
        let times = path.changes.prefix(10).map { context.offset(of: $0) }
        let more = path.changes.count > 10 ? ["… \(path.changes.count - 10) more"] : []
        let items = ["pair changed \(Words.counted(path.changes.count, "time")):"] + times + more
        return Wrap.lines(items, separator: " ", columns: context.columns, hanging: 4)
    }

    private func text(_ value: String?) -> String {
        value?.printable ?? Figures.unknown
    }
}
