import CallModel

/// What the ends of a stream said of it by RTCP, to whoever saw it: stands for an end that did not report itself.
struct ControlPoints {
    var sender: PathPoint?
    var receiver: PathPoint?
    /// What a receiving client could have had, by the sender's own count; `nil` when a probe stands nearer.
    private(set) var shortfall: SenderCount?
    /// The first report of a receiver tells little.
    private var most = 1.0

    init(_ sightings: [StreamSighting]) {
        for sighting in sightings {
            guard let stream = sighting.stream else { continue }
            if let wire = stream.wire { takeWire(wire) }
            if sighting.place == .sender { takeFarEnd(sighting) }
            if sighting.place == .receiver, let count = stream.senderCount, sender == nil {
                sender = PathPoint(sent: Double(count.packetsSent))
                shortfall = count
            }
        }
    }

    private mutating func takeWire(_ wire: WireStream) {
        if let sent = wire[.packetsSent], sent > sender?.packets ?? 0 { sender = PathPoint(sent: sent) }
        guard let lost = wire[.receiverPacketsLost], let reports = wire[.receiverReports], reports > most else {
            return
        }
        // Whoever saw more of the reports has the later ones.
        most = reports
        let known = (wire[.packetsReceived] ?? 0) + (wire[.packetsLost] ?? 0)
        receiver = PathPoint(
            received: lost, of: max(wire[.receiverPacketsExpected] ?? wire[.packetsSent] ?? known, lost),
            over: wire.lastPacketAt.seconds(since: wire.firstPacketAt), jitter: wire[.receiverJitter].map { 1000 * $0 })
    }

    /// A client's own record of what it sends has the receiver's reports in it. They count from the beginning: so does
    /// this, for in any shorter time their age weighs more.
    private mutating func takeFarEnd(_ sighting: StreamSighting) {
        guard receiver == nil, let stream = sighting.stream, let lost = stream.packetsLost, let packets = stream.packets
        else { return }
        receiver = PathPoint(
            received: Double(lost), of: Double(packets), over: stream.lastSeen.seconds(since: stream.firstSeen),
            jitter: stream.jitterMilliseconds)
    }
}
