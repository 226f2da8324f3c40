import CallModel

/// Pictures that their sender stopped.
extension PauseMeter {
    /// A picture of which nothing has come for a whole report, or for long, while sound came all the time, the sender's count stands
    /// still, or the path was up. Over a long span what else came tells only where no picture came since, or the sound, which
    /// would have come at once, was found to be stopped, too.
    mutating func measurePicture(
        _ delta: inout StreamDelta, account: SenderAccount?, liveRate: Double?, connection: ConnectionState
    ) {
        let isEmpty = delta.counted.packets == 0
        let stopped = isEmpty ? delta.seconds : min(delta.seconds, age(of: delta))
        notePath(&delta, connection)
        guard isEmpty || stopped >= Self.leastPictureSeconds else {
            // What is called frozen when the picture returns is what is left of the pause.
            delta.endsPause = isPaused
            delta.endsHold = wasAgreed || connection.excusedSeconds > 0
            isPaused = false
            delta.stoppedSecondsBefore = stoppedPictureSeconds
            stoppedPictureSeconds = stopped >= Self.leastOpenPictureSeconds ? stopped : 0
            if !wasPaused { delta.pausedSeconds = pause(within: delta, liveRate: liveRate, connection) }
            return learnPath(from: delta, connection)
        }
        if !isEmpty { stoppedPictureSeconds = 0 }
        let canTell = isEmpty || connection.isSoundPaused || delta.seconds <= Self.longestFineSeconds
        let isUp =
            account?.packets == 0 || connection.isSoundFlowing
            || canTell && stateByCount(silence: stopped, delta, connection) == .up
        isPaused = isUp && !connection.isDark
        guard isPaused else { return }
        delta.pausedSeconds = stopped
        // The report before had the last picture, and the beginning of the pause.
        if isEmpty, emptySeconds <= delta.seconds {
            delta.pausedSecondsBefore = max(0, age(of: delta) - delta.seconds)
        }
    }

    /// Notes whether the path was down while no picture came: over all reports without one, up to that with the next; and in one that
    /// has some, while they stood still or since the last. Not where sound came, be it late.
    private mutating func notePath(_ delta: inout StreamDelta, _ connection: ConnectionState) {
        var still = delta.seconds
        if delta.counted.packets == 0 {
            emptySeconds += delta.seconds
            emptyPackets += connection.controlPackets ?? 0
            let packets = connection.controlPackets.map { _ in emptyPackets }
            isPathDown = path.state(packets: packets, silence: emptySeconds, of: emptySeconds) == .down
            delta.isPathDown = isPathDown
        } else {
            let age = age(of: delta)
            still = min(delta.seconds, max(delta.standstillSeconds ?? 0, age))
            let isDown =
                path.state(packets: connection.controlPackets, silence: still, of: delta.seconds) == .down
            delta.isPathDown = isPathDown || isDown
            isPathDown = isDown && age >= Self.leastOpenPictureSeconds
            (emptySeconds, emptyPackets) = (0, 0)
        }
        let hasSound = connection.mostMissingSoundSeconds.map { $0 < Self.missingShare * still } ?? false
        if connection.isSoundFlowing || hasSound { delta.isPathDown = false }
        delta.isDownWithoutSound = delta.isPathDown && connection.mostMissingSoundSeconds == nil
        // Pictures alone are missing as they are beside sound that is.
        if delta.isDownWithoutSound, delta.counted.packets == 0 { delta.isBesideDarkSound = true }
    }

    /// Seconds for which a picture was stopped within the span, 0 where that cannot be told: it stood still once, while sound came
    /// all the time, no packet was lost, and as many were not sent as the time takes, but for what of it lies before the span. What
    /// a sender holds back comes later.
    private func pause(within delta: StreamDelta, liveRate: Double?, _ connection: ConnectionState) -> Double {
        guard connection.isSoundFlowing, !connection.isDark, delta.standstills == 1,
            let still = delta.standstillSeconds, still >= Self.leastPictureSeconds,
            max(delta.counted.packetsLost ?? 0, delta.repairedPackets) <= 0,
            let packets = delta.firstArrivals, let liveRate, liveRate > 0
        else { return 0 }
        let paused = still - delta.stoppedSecondsBefore
        let missing = delta.seconds - packets / liveRate
        return abs(missing - paused) <= Self.missingShare * paused ? min(delta.seconds, paused) : 0
    }
}
