/// How a call was set up to be: what changes the meaning of other figures.
public struct CallConfiguration: Hashable, Sendable, Codable {
    /// When gathering of candidates is cut off (`ICECollectionTimeout`), in seconds; 0 is never.
    public var iceTimeoutSeconds: Double?
    /// Whether candidates are sent as they are found (`iceOption`, RFC 8838).
    public var usesTrickle: Bool?
    /// Seconds between two signs of life (`auditFrequency`).
    public var auditSeconds: Double?
    /// Media sections of the session description, RFC 8866.
    public var mediaSections: Int?
    /// Media sections of the answer to it.
    public var answeredMediaSections: Int?
    /// Most that may be sent to this end for audio, in kbit/s.
    public var audioLimitKilobitsPerSecond: Double?
    /// Most that may be sent to this end for video, in kbit/s.
    public var videoLimitKilobitsPerSecond: Double?
    /// Audio in one packet, in ms (RFC 8866 `ptime`).
    public var packetMilliseconds: Double?
    /// Whether Opus may pause in silence (RFC 7587 `usedtx`).
    public var usesDTX: Bool?
    /// Whether Opus repairs loss (RFC 7587 `useinbandfec`).
    public var usesFEC: Bool?
    /// Mean bit rate Opus may reach (RFC 7587 `maxaveragebitrate`), in kbit/s.
    public var opusKilobitsPerSecond: Double?
    /// Highest rate the far end plays (RFC 7587 `maxplaybackrate`), in Hz.
    public var maximumPlaybackHertz: Int?
    /// Width of the picture that was asked for, in pixels.
    public var wantedWidth: Int?
    /// Height of the picture that was asked for, in pixels.
    public var wantedHeight: Int?
    /// Frames a second that were asked for.
    public var wantedFramesPerSecond: Double?
    /// How long the caller lets it ring (SendBird `startCallTimeout`), in seconds.
    public var ringSeconds: Double?

    /// Nothing was said.
    public init() {}
}
