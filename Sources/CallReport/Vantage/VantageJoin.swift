import CallModel

/// The streams of a record, each with all observers of the call that saw it.
///
/// Streams are joined by SSRC, kind and time, and by the direction in which they flow: some programs send the same SSRC
/// both ways. Everything is counted from what is stored. It is here and not in the model, for only reports need it: no
/// score and no issue rests on who else happened to watch.
struct VantageJoin {
    private let own: VantageView
    private let others: [VantageView]

    init(_ record: CallRecord) {
        own = VantageView(own: record)
        others = record.others.prefix(CallRecord.mostJoined).map {
            VantageView($0, intervals: record.otherIntervals[$0.key] ?? [], beside: record.summary)
        }
    }

    /// In the order of a report; streams of which only one thing is known are left out.
    var paths: [StreamPath] {
        (seen + missing + notSentOn).filter { $0.points.count > 1 || $0.observers == 1 && !$0.findings.isEmpty }
    }

    // MARK: Streams of the record

    private var seen: [StreamPath] {
        own.summary.streams.sorted { $0.stream < $1.stream }.compactMap { stream in
            guard stream.packets ?? 0 > 0 else { return nil }
            let place: StreamSighting.Place =
                own.isProbe ? .probe : stream.stream.direction == .inbound ? .receiver : .sender
            let sightings = [StreamSighting(stream, in: own, at: place)] + sightings(of: stream, at: place)
            let path = StreamPath(
                sightings + unseen(stream, at: place, sightings), isInbound: stream.stream.direction == .inbound,
                kind: stream.stream.kind, source: stream.stream.source)
            // Where the others saw it at another time there is still what RTCP told.
            return path
                ?? StreamPath(
                    [sightings[0]], isInbound: stream.stream.direction == .inbound, kind: stream.stream.kind,
                    source: stream.stream.source)
        }
    }

    private func sightings(of stream: StreamSummary, at place: StreamSighting.Place) -> [StreamSighting] {
        var found: [StreamSighting] = []
        for view in others where !(view.isProbe && own.isProbe && view.sensor == own.sensor) {
            for other in view.streams(like: stream.stream) where isAtTheSameTime(other, in: view, as: stream) {
                let otherPlace: StreamSighting.Place =
                    view.isProbe ? .probe : other.stream.direction == .inbound ? .receiver : .sender
                guard otherPlace == .probe || otherPlace != place else { continue }
                found.append(StreamSighting(other, in: view, at: otherPlace))
            }
        }
        return unambiguous(found, of: stream)
    }

    private func isAtTheSameTime(_ other: StreamSummary, in view: VantageView, as stream: StreamSummary) -> Bool {
        other.packets ?? 0 > 0
            && view.time(other.firstSeen) <= stream.lastSeen && stream.firstSeen <= view.time(other.lastSeen)
    }

    /// Of a sensor that saw the SSRC on its way to both ends, the one that is named like the end it flows to.
    private func unambiguous(_ found: [StreamSighting], of stream: StreamSummary) -> [StreamSighting] {
        Dictionary(grouping: found) { $0.view.isProbe ? "probe \($0.view.sensor)" : $0.place.rawValue }
            .sorted { $0.key < $1.key }.compactMap { _, candidates in
                guard candidates.count > 1 else { return candidates.first }
                let isToHere = stream.stream.direction == .inbound
                let fitting = candidates.filter { ($0.view.end == own.end) == (isToHere == ($0.place != .sender)) }
                return fitting.count == 1 ? fitting.first : nil
            }
    }

    /// The one client that should have received what this one sends, and has nothing of its kind at all.
    private func unseen(
        _ stream: StreamSummary, at place: StreamSighting.Place, _ found: [StreamSighting]
    ) -> [StreamSighting] {
        guard place == .sender, !found.contains(where: { $0.place == .receiver }), let other = onlyOtherClient,
            !other.receives(stream.stream.kind)
        else { return [] }
        return [StreamSighting(nil, in: other, at: .receiver)]
    }

    /// The other end of a call of two; `nil` when there are more, or it is a guess that it is of this call.
    private var onlyOtherClient: VantageView? {
        let clients = others.filter { !$0.isProbe && $0.summary.key.identity == own.summary.key.identity }
        return clients.count == 1 ? clients.first : nil
    }

    // MARK: Streams that should be in the record

    /// What others saw on its way to this end, of a kind of which nothing came here.
    private var missing: [StreamPath] {
        [MediaKind.audio, .video].filter { !own.receives($0) }.flatMap { kind -> [StreamPath] in
            let candidates = others.flatMap { view in view.summary.streams.map { (view, $0) } }.filter { view, stream in
                stream.stream.kind == kind && stream.packets ?? 0 > 0 && isToHere(stream, in: view)
            }
            let bySource = Dictionary(grouping: candidates) { $0.1.stream.source }
            return bySource.sorted { $0.key < $1.key }.compactMap { source, candidates in
                let sightings = candidates.map { view, stream in
                    StreamSighting(stream, in: view, at: view.isProbe ? .probe : .sender)
                }
                return StreamPath(
                    sightings + [StreamSighting(nil, in: own, at: own.isProbe ? .probe : .receiver)],
                    isInbound: true, kind: kind, source: source)
            }
        }
    }

    /// What came to a relay on its way to this end, of a kind of which the relay sent on nothing.
    private var notSentOn: [StreamPath] {
        own.summary.secondaryStreams.filter { $0.role == .hop && !own.receives($0.kind) }.compactMap {
            StreamPath(notSentOn: $0, seenBy: own)
        }
    }

    private func isToHere(_ stream: StreamSummary, in view: VantageView) -> Bool {
        if view.isProbe { return view.end == own.end && view.sensor != own.sensor }
        return !own.isProbe && stream.stream.direction == .outbound && stream.layer == nil
            && view.summary.key == onlyOtherClient?.summary.key
    }
}
