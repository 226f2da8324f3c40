/// What an event says, whatever vocabulary it says it in. One event may say several things.
public enum EventMeaning: Hashable, Sendable {
    // How a call comes about.

    /// This end began to place the call.
    case created
    /// This end was told of a call to it.
    case alerted
    /// The request went out.
    case requestSent
    /// The server took the request (SendBird).
    case requestAccepted
    /// The far end rings, as the network said.
    case ringing
    /// The far end rings, as the app shows it; may be later than ``ringing``.
    case ringingShown
    /// Sound before the answer (SIP 183).
    case earlyMedia
    /// The call was answered.
    case answered
    /// Answered, and waiting for media (Cisco, FCSDK).
    case mediaPending
    /// The pictures' buffers are made ready (FCSDK).
    case preparingViews
    /// Answered, or back from a hold; says nothing of media (Kandy, SIP).
    case established
    /// Answered, and media flow; also back from a hold.
    case active
    /// Gathering of ICE candidates ended.
    case gathered(SetupLatencies.IceOutcome)
    /// A path stands.
    case iceConnected
    /// The path broke; it may come back.
    case iceDisconnected
    /// The far end's media stream came, or went.
    case remoteMedia(isPresent: Bool)

    // What happens to it.

    /// Media stopped because someone holds the call; `nil` where it is not said who.
    case held(CallHolder?)
    /// The hold this app made has ended.
    case resumed
    /// The device's address is changing.
    case addressChangeStarted
    /// The device has its new address.
    case addressChangeEnded
    /// A condition began or ended.
    case condition(CallLane.Kind, isOn: Bool)
    /// The sound goes to and comes from this device from now on.
    case audioDevice(String)
    /// The client's own inbound quality, 0...100, from now on; `nil` where it has none.
    case quality(Double?)
    /// The connection to the server is tried again.
    case connectionRetry(attempt: Int?)
    /// The connection to the server is given up.
    case connectionLost
    /// The connection to the server stands again.
    case connectionRestored
    /// The device's network can be used, or not.
    case network(isReachable: Bool)
    /// The client registers with its server.
    case registering
    /// The client is registered.
    case registered

    // How it ends.

    /// The call ended; `nil` where the event does not say why.
    case ended(CallEndCause?)
    /// Something failed that ends a call which is not active yet.
    case failed(CallEndCause)

    // What else is told of it.

    /// The app was asked to do something, and it worked, or did not; `nil` where it was only asked.
    case operation(String, isSuccess: Bool?)
    /// Something is wrong.
    case problem(CallProblem.Kind)
    /// Tones were sent.
    case tones(Int)
    /// How the call was set up to be.
    case configured
    /// Which streams belong to the call.
    case streams([UInt32])
    /// Known, and without effect on any figure.
    case noted
}

/// Who holds a call.
public enum CallHolder: String, Hashable, Sendable, Codable, CaseIterable {
    /// This end.
    case local
    /// The far end.
    case remote
    /// Each end holds the other.
    case both
}
