/// What the transports of a call carried and how they are secured, over all connections.
public struct TransportSummary: Hashable, Sendable, Codable {
    /// `tlsVersion` of the DTLS handshake, as reported (`FEFD` is DTLS 1.2, `FEFC` 1.3).
    public var tlsVersion: String?
    /// `dtlsCipher`, the IANA name.
    public var dtlsCipher: String?
    /// `srtpCipher`, the profile's name.
    public var srtpCipher: String?
    /// `dtlsRole` of this end: client or server.
    public var dtlsRole: String?
    /// Mean rate of everything received, in kbit/s.
    public var receivedKilobitsPerSecond: Double?
    /// Mean rate of everything sent, in kbit/s.
    public var sentKilobitsPerSecond: Double?
    /// Lowest estimate of what could be sent (`availableOutgoingBitrate`), in kbit/s.
    public var leastAvailableKilobitsPerSecond: Double?
    /// Mean estimate of what could be sent, in kbit/s.
    public var meanAvailableKilobitsPerSecond: Double?
    /// Times the estimate fell by more than 30 % from one report to the next.
    public var availableBitrateDrops = 0
    /// STUN requests (checks and consent, RFC 7675) that were answered, in percent.
    public var answeredChecksPercent: Double?
    /// Messages sent over data channels.
    public var messagesSent: Int?
    /// Messages received over data channels.
    public var messagesReceived: Int?
    /// Mean delay of the sound between decoder and loudspeaker (`media-playout`), in ms.
    public var playoutDelayMilliseconds: Double?
    /// Sound the loudspeaker's side made up, in percent of what it played.
    public var synthesizedPercent: Double?
    /// How much later than the sound its picture is shown, in ms; negative when earlier. Mean over the reports.
    public var videoAfterAudioMilliseconds: Double?

    public init() {}
}
