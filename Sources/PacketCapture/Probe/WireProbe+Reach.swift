// MARK: - Which media a capture could see

/// A capture may see the SIP of a call whose media pass elsewhere: straight between phones past a proxy, or on the other side
/// of a B2BUA.
extension WireProbe {
    /// So many hosts of media are known at most; with more, a capture is taken to see those of any.
    private static let mostMediaHosts = 16_384

    /// Notes that media were seen between two hosts.
    mutating func noteMediaHosts(of flow: Flow) {
        guard mediaHosts.count < Self.mostMediaHosts else { return }
        mediaHosts.insert(flow.source.address)
        mediaHosts.insert(flow.destination.address)
    }

    /// Whether media of a call would have been seen: its SIP goes straight between the hosts that were to send them, or media
    /// of one of these were seen before, of whichever call. Where an end has not said where it expects any, or SIP stays on
    /// one host, that is taken to be so.
    func couldSeeMedia(of call: WireCall) -> Bool {
        guard let way = call.signallingWay, let place = call.ref.flatMap({ signalled[$0] }),
            mediaHosts.count < Self.mostMediaHosts
        else { return true }
        let (here, there) = (directory.hosts(of: place, end: 0), directory.hosts(of: place, end: 1))
        guard !here.isEmpty, !there.isEmpty, mediaHosts.isDisjoint(with: here.union(there)) else { return true }
        let (asking, asked) = (way.source.address, way.destination.address)
        return here.contains(asking) && there.contains(asked) || here.contains(asked) && there.contains(asking)
    }
}
