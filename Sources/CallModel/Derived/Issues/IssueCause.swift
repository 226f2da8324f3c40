/// What an issue probably comes from, by what went wrong at the same time.
public enum IssueCause: String, Hashable, Sendable, Codable, CaseIterable {
    /// Packets are lost on the network, both ways as far as is known.
    case networkLoss
    /// Packets are lost on the network, in this direction only.
    case networkLossOneWay
    /// The network delivers packets unevenly.
    case networkJitter
    /// A queue on the way fills: jitter or loss come with a growing round trip.
    case congestion
    /// Nothing passed the network.
    case pathDown
    /// The device moved to another network.
    case networkChange
    /// Media go over a relay.
    case relay
    /// The way is long, by itself.
    case distance
    /// The network has less bandwidth than the encoder could use.
    case bandwidth
    /// A firewall or NAT lets no media through.
    case blockedMedia
    /// ICMP says that what is sent does not reach its destination: nobody listens there, or the way is barred.
    case destinationUnreachable
    /// A server that helps to find the path does not answer.
    case unreachableServer
    /// Sound or picture were not ready in time although the network brought them: a computer is busy, mostly this one.
    case busyComputer
    /// The far end sends nothing.
    case farEndSendsNothing
    /// Nothing reaches the far end, or this end sends nothing.
    case nothingSent
    /// The microphone, or its setting, gives no sound.
    case microphone
    /// A picture that others build on was lost, and no new one came.
    case lostKeyFrame
    /// The app did not run, in the background or asleep, or its reports were lost.
    case appSuspended
    /// Someone, or the system, set the clock.
    case clockSet

    /// Whether it lies in the network.
    public var isOfNetwork: Bool {
        switch self {
        case .networkLoss, .networkLossOneWay, .networkJitter, .congestion, .pathDown, .networkChange, .relay,
            .distance, .bandwidth, .blockedMedia, .destinationUnreachable, .unreachableServer:
            true
        case .busyComputer, .farEndSendsNothing, .nothingSent, .microphone, .lostKeyFrame, .appSuspended, .clockSet:
            false
        }
    }
}
