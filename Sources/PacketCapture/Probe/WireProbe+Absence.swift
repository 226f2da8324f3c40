import CallModel
import RTPMeter

/// A time in which the packets of a stream were to go elsewhere, by what both ends had agreed on.
struct Absence {
    let since: ArrivalTime
    /// When they were to come again; nil before.
    var until: ArrivalTime?
}

// MARK: - Streams that signalling sends elsewhere

/// Media go where the last agreement says ([RFC 3264 §8.3.1](https://www.rfc-editor.org/rfc/rfc3264#section-8.3.1)): what is
/// not sent to the place before is not missing there.
extension WireProbe {
    /// Follows an end of a call that wants to receive elsewhere than it did.
    mutating func move(_ end: CallEnd, of ref: CallRef, from old: Set<Endpoint>, to new: Set<Endpoint>) {
        let place = place(of: ref)
        let now = time(now, ofCall: place)
        for stream in calls[place]?.ends[end.index].streams ?? [] {
            let places = destinations(of: stream)
            if Self.hasCommon(new, places) {
                guard isAbsent(stream) else { continue }
                absences[stream]?.until = now
                streams[stream].meter.forgiveGap(until: now)
            } else if Self.hasCommon(old, places), !dialogs.isStill(streams[stream].kind, to: end, of: ref) {
                absences[stream] = Absence(since: now)
                streams[stream].meter.forgiveNextGap()
            }
        }
    }

    /// Whether one of the places where an end wants to receive is one of those that packets go to. Of a host that has only a name
    /// the port tells.
    private static func hasCommon(_ wanted: Set<Endpoint>, _ places: Set<Endpoint>) -> Bool {
        !wanted.isDisjoint(with: places)
            || wanted.contains { one in one.address.isUnspecified && places.contains { $0.port == one.port } }
    }

    private func destinations(of stream: Int) -> Set<Endpoint> {
        Set(([streams[stream].identity] + (aliases[stream] ?? [])).map(\.flow.destination))
    }

    /// Whether a stream is to go elsewhere.
    func isAbsent(_ stream: Int) -> Bool { absences[stream].map { $0.until == nil } ?? false }

    /// Whether its receiver has named a place since it named those to which the stream has gone.
    func isSent(_ stream: Int, to place: Endpoint) -> Bool {
        destinations(of: stream).allSatisfy {
            directory.hasMoved(from: $0, to: place, of: streams[stream].call)
        }
    }

    /// Takes back that a stream is elsewhere: it comes, whatever was agreed on, and may be lost as ever.
    mutating func endAbsence(of stream: Int) {
        guard isAbsent(stream) else { return }
        absences[stream] = nil
        streams[stream].meter.endForgiving()
    }

    /// A sender that goes on sending to the place before, as one does that answers to where packets come from, follows no
    /// agreement.
    mutating func followAbsences(of call: WireCall) {
        guard !absences.isEmpty else { return }
        for stream in call.ends.flatMap(\.streams) {
            guard let absence = absences[stream], let last = streams[stream].meter.latestArrival,
                last.seconds(since: absence.since) > Self.tailSeconds
            else { continue }
            endAbsence(of: stream)
        }
    }

    /// From when on packets are due to a stream that stands still.
    func due(_ pending: PendingReports) -> ArrivalTime {
        max(pending.since, absences[pending.stream]?.until ?? pending.since)
    }

    /// A stream that flows at `time` is forgiven nothing any more, unless it is to go elsewhere.
    mutating func endForgiving(_ stream: Int, at time: ArrivalTime) {
        if !isAbsent(stream) { streams[stream].meter.endForgiving(at: time) }
    }
}
