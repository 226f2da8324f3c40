/// What the audio score of a call rests on, over all the time that was scored: shown beside it, so that it can be checked.
public struct ScoreBasis: Hashable, Sendable, Codable {
    /// Version of the rules and constants (`docs/score.md`).
    public var rulesVersion: Int
    /// The row of the codec table that was used; `nil` when the codec is not known.
    public var codec: String?
    /// Whether lost packets were taken to be repairable (FEC, RED); `nil` when concealment was reported itself.
    public var isRepairAssumed: Bool?
    /// Packets lost on the network, outages left out, in percent.
    public var lossPercent: Double
    /// Mean length of a loss in packets; `nil` without loss or where lengths are not known.
    public var meanLossRun: Double?
    /// Packets too late to be played, in percent; `nil` when concealment was reported itself.
    public var latePercent: Double?
    /// Audio concealed, in percent: reported, or estimated from loss and late packets.
    public var concealedPercent: Double
    /// Audio time-stretched, in percent: reported, or estimated.
    public var stretchedPercent: Double
    /// Time without any sound, in percent.
    public var silentPercent: Double
    /// Half the round trip, in ms; `nil` when none was measured.
    public var networkDelayMilliseconds: Double?
    /// Stay in the jitter buffer, in ms: reported, simulated or estimated.
    public var bufferDelayMilliseconds: Double
    /// Packet length and codec look-ahead, in ms.
    public var codecDelayMilliseconds: Double

    public init(
        rulesVersion: Int, codec: String?, isRepairAssumed: Bool?, lossPercent: Double, meanLossRun: Double?,
        latePercent: Double?, concealedPercent: Double, stretchedPercent: Double, silentPercent: Double,
        networkDelayMilliseconds: Double?, bufferDelayMilliseconds: Double, codecDelayMilliseconds: Double
    ) {
        self.rulesVersion = rulesVersion
        self.codec = codec
        self.isRepairAssumed = isRepairAssumed
        self.lossPercent = lossPercent
        self.meanLossRun = meanLossRun
        self.latePercent = latePercent
        self.concealedPercent = concealedPercent
        self.stretchedPercent = stretchedPercent
        self.silentPercent = silentPercent
        self.networkDelayMilliseconds = networkDelayMilliseconds
        self.bufferDelayMilliseconds = bufferDelayMilliseconds
        self.codecDelayMilliseconds = codecDelayMilliseconds
    }
}
