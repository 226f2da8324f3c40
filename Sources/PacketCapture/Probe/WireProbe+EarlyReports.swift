import RTPMeter

/// A sender's report that came before its packets were known for a stream.
struct EarlyReport {
    var report: SenderReport
    var arrival: ArrivalTime
}

extension WireProbe {
    /// A stream is known for one within seconds, and senders report every few.
    private static let mostEarlyReports = 8

    /// Keeps a sender's report for packets of which it is not known yet whether they are a stream, or with which clock.
    mutating func keep(_ report: SenderReport, of flow: Flow, at time: ArrivalTime) {
        guard let place = candidate(sentBy: report.ssrc, flow),
            candidates[place].reports.count < Self.mostEarlyReports
        else { return }
        let arrival = self.time(time, ofFlow: candidates[place].identity.flow)
        candidates[place].reports.append(EarlyReport(report: report, arrival: arrival))
    }

    /// The candidate of a source to whose port its control packets go, or to the next.
    private func candidate(sentBy ssrc: UInt32, _ flow: Flow) -> Int? {
        for media in [flow, flow.besideControl].compactMap(\.self) {
            let identity = StreamIdentity(flow: media, ssrc: ssrc)
            let coded = index.place(of: identity.mixed) { coded in
                coded & 1 == 1 && candidates[coded >> 1].identity == identity
            }
            if let coded { return coded >> 1 }
        }
        return nil
    }

    /// Takes what was kept, now that the stream is known.
    mutating func take(_ reports: [EarlyReport], ofStream place: Int) {
        for early in reports {
            control[place, default: ControlLedger()].take(early: early.report, at: early.arrival)
        }
    }
}
