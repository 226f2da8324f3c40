import CallModel
import RTPMeter

// MARK: - Holds that sound ends

extension WireProbe {
    /// Ends a hold once sound that had stopped with it has come again, the ways that were held, from one snapshot to the next. Music
    /// goes the way that is not held.
    mutating func watchHold(_ place: Int, of call: WireCall, at time: ArrivalTime) {
        guard var watch = holdWatches[place], let ref = call.ref else { return }
        let still = CallEnd.allCases.filter { dialogs.isStill(.audio, to: $0, of: ref) }.map(\.index)
        for end in still {
            let latest = call.ends[end].streams.filter { isSound($0) }.max { isEarlier(streams[$0], streams[$1]) }
            watch.note(
                end, last: latest.flatMap { streams[$0].meter.latestArrival },
                first: latest.flatMap { beginning(of: $0, since: watch.since) }, at: time)
        }
        holdWatches[place] = watch
        guard let resumed = watch.resumption(at: still, for: Double(options.snapshotSeconds), at: time) else { return }
        apply(dialogs.endHold(of: ref, at: resumed.advanced(byNanoseconds: -call.clockStep)))
    }

    /// When sound of a stream began to come during a hold: its own first packet, or the first after it had stopped.
    private func beginning(of stream: Int, since hold: ArrivalTime) -> ArrivalTime? {
        let meter = streams[stream].meter
        return meter.earliestArrival.flatMap { $0 > hold ? $0 : nil }
            ?? meter.announcedGapEnd.flatMap { $0 > hold ? $0 : nil }
    }
}
