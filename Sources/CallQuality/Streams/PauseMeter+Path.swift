import CallModel

/// What else came over the connection while a stream was silent, and so whether its path was up.
extension PauseMeter {
    /// In a conference over one connection somebody is silent while others speak: what stops a path stops them all.
    ///
    /// With pictures the far end asks for more and reports more often after an interruption: over a long span that hides
    /// what was missing, and the pictures themselves tell. Where no sound came since it fell silent there was no time after an
    /// interruption: the next packet of sound is due in 20 ms, of DTX in 400 ms.
    func pathState(
        silence: Double, _ delta: StreamDelta, mayFallSilent: Bool, _ connection: ConnectionState
    ) -> PathActivity.State? {
        if let missing = connection.otherMissingSeconds, missing < Self.missingShare * silence { return .up }
        let goesOn = !mayFallSilent && age(of: delta) + SilenceMeter.packetGapSeconds >= silence
        let isEmpty = delta.counted.packets == 0
        let isFine = delta.seconds <= Self.longestFineSeconds
        // In a short span pictures that were held back may come all at once: standstills tell.
        let isTold = isEmpty || !isFine || connection.mostMissingPictureSeconds != nil
        if let missing = connection.missingPictureSeconds, isTold {
            if missing < Self.missingShare * silence { return .up }
            guard goesOn || isEmpty || isFine else { return nil }
        }
        let counted = stateByCount(silence: silence, delta, isEven: !mayFallSilent, connection)
        // What the far end asks for after an interruption makes up for the rest, but not for pictures that were sent and did not come.
        if counted == .up, connection.lostPictureSeconds > (1 - Self.missingShare) * silence { return .down }
        if counted == nil, goesOn, hasOutlasted(silence, delta, connection) { return .up }
        return counted
    }

    /// Whether something else came over the path late in a silence that goes on, by when its last packet came. In a short span, or
    /// where pictures were missing as well, that may have been just before the first packet of sound after an interruption: sound
    /// would have come since. In a short span it is late in the silence since sound came last.
    private func hasOutlasted(_ silence: Double, _ delta: StreamDelta, _ connection: ConnectionState) -> Bool {
        guard let last = delta.sample.lastPacketOnPathAt else { return false }
        let without = max(0, delta.end.seconds(since: last))
        let age = age(of: delta)
        let isFine = delta.seconds <= Self.longestFineSeconds
        let isWithPictures = connection.mostMissingPictureSeconds ?? 0 > (1 - Self.missingShare) * silence
        guard !(isFine || isWithPictures) || without >= Self.longestUntilSoundSeconds else { return false }
        return without < Self.missingShare * (isFine ? age : silence) && age - without >= Concealment.leastDarkSeconds
    }

    /// By how much else came over the connection. What came before the silence is no sign that the path was up.
    func stateByCount(
        silence: Double, _ delta: StreamDelta, isEven: Bool = true, _ connection: ConnectionState
    ) -> PathActivity.State? {
        let state =
            path.state(packets: connection.controlPackets, silence: silence, of: delta.seconds, isEven: isEven)
            ?? stateByChecks(silence: silence, delta, connection)
        guard state == .up, let last = delta.sample.lastPacketOnPathAt else { return state }
        let isOld = delta.end.seconds(since: last) + SilenceMeter.packetGapSeconds >= silence
        return isOld ? nil : .up
    }

    /// Whether the path was down for what of a silence does not belong to the hold that ended in the span, as events tell.
    func isDownAfterHold(
        _ silence: Double, _ delta: StreamDelta, mayFallSilent: Bool, _ connection: ConnectionState
    ) -> Bool {
        guard connection.excusedSeconds > 0, !connection.isExcusedAtEnd else { return false }
        let rest = silence - max(0, connection.excusedSeconds - delta.hold.unplayedSeconds)
        guard rest >= Concealment.leastDarkSeconds else { return false }
        return stateByCount(silence: rest, delta, isEven: !mayFallSilent, connection) == .down
    }

    /// Checks of ICE come at the same pace all the time (RFC 7675 §5.1), and are not made up for.
    private func stateByChecks(
        silence: Double, _ delta: StreamDelta, _ connection: ConnectionState
    ) -> PathActivity.State? {
        guard silence >= Self.longestConsentSeconds else { return nil }
        let state = checks.state(
            packets: connection.checksReceived, silence: silence, of: delta.seconds, least: Self.leastChecks)
        return state == .up ? .up : nil
    }
}
