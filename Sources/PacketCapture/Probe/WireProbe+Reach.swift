// MARK: - Which media a capture could see

/// A capture may see the SIP of a call whose media pass elsewhere: straight between phones past a proxy, or on the other side
/// of a B2BUA.
extension WireProbe {
    /// Whether media of a call would have been seen: its SIP goes straight between the hosts that were to send them, or media
    /// of one of these were seen before, of whichever call. Where an end has not said where it expects any, or SIP stays on
    /// one host, that is taken to be so.
    func couldSeeMedia(of call: WireCall) -> Bool {
        guard let way = call.signallingWay, let place = call.ref.flatMap({ signalled[$0] }) else { return true }
        let (here, there) = (directory.hosts(of: place, end: 0), directory.hosts(of: place, end: 1))
        guard !here.isEmpty, !there.isEmpty, !mediaHosts.has(any: here.union(there)) else { return true }
        let (asking, asked) = (way.source.address, way.destination.address)
        return here.contains(asking) && there.contains(asked) || here.contains(asked) && there.contains(asking)
    }
}

/// The hosts between which media were seen lately.
struct MediaHosts {
    private var latest: Set<IPAddress> = []
    private var earlier: Set<IPAddress> = []

    /// Of so many, and at most twice as many, the latest are known.
    private static let maximum = 16_384

    /// Notes that media were seen between two hosts.
    mutating func note(_ flow: Flow) {
        if latest.count >= Self.maximum { (earlier, latest) = (latest, []) }
        latest.insert(flow.source.address)
        latest.insert(flow.destination.address)
    }

    /// Whether media of one of these were seen.
    func has(any hosts: Set<IPAddress>) -> Bool {
        !latest.isDisjoint(with: hosts) || !earlier.isDisjoint(with: hosts)
    }
}
