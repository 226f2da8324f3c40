import CallModel

extension CallSession {
    /// Whether nothing came since a probe last told of the call. It leaves out what it would only tell again, as while the whole
    /// capture is silent.
    func isStill(_ report: WireReport) -> Bool {
        guard report.audioPacketsSent == wire.audioPacketsSent else { return false }
        let reader = WireReader(report: report)
        return report.streams.allSatisfy { stream in
            guard stream.role == .primary else {
                return wire.secondaryStreams.first { $0.id == stream.id }.map { stream.isStill(since: $0) } ?? false
            }
            return streams.index(of: reader.key(of: stream), near: 0).map { streams[$0].isStill(in: stream) } ?? false
        }
    }
}

extension WireStream {
    /// Whether neither a packet nor RTCP came since an earlier report told of the stream.
    func isStill(since former: WireStream) -> Bool {
        lastPacketAt == former.lastPacketAt && lastControlAt == former.lastControlAt
    }
}
