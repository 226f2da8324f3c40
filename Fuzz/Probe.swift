import CallModel

@testable import PacketCapture

/// A whole capture through the whole probe.
func fuzzProbe(_ input: RawSpan) {
    var probe = WireProbe(linkType: .chosen(by: input))
    var open: Set<CallID> = []
    var frames = 0
    forEachFrame(in: input) { frame, wireLength, time in
        frames += 1
        probe.take(frame, wireLength: wireLength, at: time)
        note(probe.takeOutput(), &open)
    }
    require(probe.figures.frames == frames, "\(frames) frames were taken, \(probe.figures.frames) counted")
    probe.finish()
    note(probe.takeOutput(), &open)
    require(open.isEmpty, "every call told of has ended, yet \(open.map(\.rawValue)) have not")
    let figures = probe.figures
    require(figures.rtpPackets + figures.rejectedRTPPackets <= frames, "there are no more RTP packets than frames")
}

private func note(_ output: [ProbeOutput], _ open: inout Set<CallID>) {
    for item in output {
        switch item {
        case .fact(let call, _, let fact):
            open.insert(call)
            if case .wire(let report) = fact { check(report) }
        case .ended(let call): open.remove(call)
        }
    }
}

/// A snapshot comes out of its JSON as it went in: that is how it is stored and posted.
private func check(_ report: WireReport) {
    do {
        let again = try WireReport(members: report.members, time: report.time, receivedAt: report.receivedAt)
        require(again == report, "a snapshot survives its JSON: \(again) was \(report)")
    } catch {
        require(false, "a snapshot can be read back: \(error)")
    }
}
