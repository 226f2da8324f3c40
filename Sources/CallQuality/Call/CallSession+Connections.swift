import CallModel

// MARK: - Connections that report

extension CallSession {
    /// Of more connections than this the one that has told nothing for longest is forgotten.
    static let mostConnections = 100

    /// Forgets a connection where there are too many for one that is new.
    mutating func makeRoom(for connection: String) {
        guard paces[connection] == nil, paces.count >= Self.mostConnections else { return }
        let latest = paces.compactMap { name, pace in pace.latest.map { (time: $0, name: name) } }
        guard let silent = latest.min(by: { $0 < $1 })?.name else { return }
        (paces[silent], lastReport[silent], lastControlPackets[silent]) = (nil, nil, nil)
        (pictures[silent], sounds[silent]) = (nil, nil)
        connections.forget(silent)
        path.forget(silent)
        transport.forget(silent)
    }

    /// Notes that a report of a connection has come.
    /// - Returns: the usual seconds between its reports, and between those of all connections, each after a gap.
    mutating func takePace(of connection: String, at time: Timestamp) -> (own: Double?, ofAll: Double?) {
        var own = paces[connection] ?? ReportPace()
        let gap = own.take(time)
        paces[connection] = own
        lastReport[connection] = own.lastReport
        return (gap, pace.take(time))
    }
}
