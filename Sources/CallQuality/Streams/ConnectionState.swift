import CallModel

/// What the inbound audio of a connection has told of a span, for the streams that say less.
struct ConnectionState {
    /// Seconds for which the playout stood still.
    var heldSeconds = 0.0
    /// Seconds in which, as the client says, nobody could expect media of the stream's kind.
    var excusedSeconds = 0.0
    /// Seconds of such time since the stream's last packet, whenever that came.
    var excusedSinceLastPacket = 0.0
    /// Whether the span ended in such time.
    var isExcusedAtEnd = false
    /// Those of them that lie in the stream's last outage, of which a probe knows when it was.
    var excusedOutageSeconds = 0.0
    /// Seconds in which the client had left the connection for another one; see ``ConnectionUse``.
    var leftSeconds = 0.0
    /// Seconds up to the report for which this end has not sent the sound that it had sent before, over all reports.
    var unsentSeconds = 0.0
    /// Whether it has sent any sound since the report before.
    var isSending = false
    /// Seconds for which sound was missing, of the stream of which most was; 0 without any.
    var darkSeconds = 0.0
    /// Packets that arrived over the connection beside media; see ``PathActivity``.
    var controlPackets: Double?
    /// Checks of ICE that came since the report before; `nil` where they have never been counted.
    var checksReceived: Double?
    /// When ICE lost the connection, as the client says; `nil` where it has not, or had found it again by the last report.
    var disconnectedAt: Timestamp?
    /// Seconds of pictures that are missing, infinite with a gap among them; `nil` without pictures.
    var missingPictureSeconds: Double?
    /// Seconds for which pictures can have been missing at most; `nil` where the client does not tell when they stood still.
    var mostMissingPictureSeconds: Double?
    /// Seconds of pictures that were sent and did not come: their packets count as lost, beyond what is usual.
    var lostPictureSeconds = 0.0
    /// Whether sound came all the time, so that the path was up.
    var isSoundFlowing = false
    /// Seconds for which sound can have been missing at most: of the stream of which most came, as if no packet held more than
    /// 20 ms; `nil` without one.
    var mostMissingSoundSeconds: Double?
    /// Whether sound was stopped by its sender.
    var isSoundPaused = false
    /// Seconds for which a probe saw a stream of sound stopped by its sender.
    var soundPausedSeconds = 0.0
    /// Seconds of sound that did not come of another stream of the connection, of which the most came, or of all streams
    /// together, whichever is less; `nil` without another one.
    var otherMissingSeconds: Double?
    /// Seconds of the usual sound of all streams that did not come; see ``SoundWatch``.
    var missingSoundSeconds: Double?
    /// Whether its streams had been taken away, and came back.
    var hasReturned = false
    /// The usual seconds between reports, where far more have passed and no more came and went than in as many; see
    /// ``ReportPace``.
    var gapPeriod: Double?
    /// When the connection reported last, with the stream or without it.
    var lastReport: Timestamp?

    /// Whether sound was missing, or nothing ran at this end for a while, or was played.
    var isInterrupted: Bool { isDark || gapPeriod != nil || heldSeconds > 0 }

    /// Whether sound was missing.
    var isDark: Bool { darkSeconds > 0 }

    /// Takes in what a stream of inbound sound has told, for those that come after it.
    mutating func learn(from delta: StreamDelta, excusedSeconds: Double) {
        hasReturned = hasReturned || delta.isReturn
        isSoundFlowing = isSoundFlowing || delta.isFlowing
        if let packets = delta.counted.packets {
            let missing = max(0, delta.seconds - AudioScore.ordinaryPacketSeconds * packets)
            mostMissingSoundSeconds = min(mostMissingSoundSeconds ?? missing, missing)
        }
        darkSeconds = max(darkSeconds, delta.darkSeconds)
        isSoundPaused = isSoundPaused || delta.pausedSeconds > 0
        if delta.counted.senderPausedSeconds != nil {
            soundPausedSeconds = max(soundPausedSeconds, delta.stoppedSeconds)
        }
        // What only sound is excused for holds up no picture.
        let own = delta.heldSeconds - delta.stoppedSeconds
        if own > max(excusedSeconds, leftSeconds) { heldSeconds = max(heldSeconds, own) }
    }
}
