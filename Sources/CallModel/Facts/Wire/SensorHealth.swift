/// What the capture itself did wrong while a call was watched: faults of the sensor, not of the network.
public struct SensorHealth: Hashable, Sendable, Codable {
    /// Packets the kernel had no room for (`ps_drop` of pcap_stats) since the call was first seen; `nil` for a file.
    public var packetsDroppedByKernel: Int?
    /// Packets the network interface dropped (`ps_ifdrop`); `nil` for a file, or where the driver does not tell.
    public var packetsDroppedByInterface: Int?
    /// Spans in which nothing at all was recorded although many streams were flowing.
    public var holes: [TimeSpan]
    /// Packets of the call that were recorded twice.
    public var packetsRecordedTwice: Int
    /// Packets of the call of which the capture kept less than the figures need (snap length).
    public var packetsCutShort: Int
    /// Media that pass where the capture does not see them, so that their absence says nothing of the network; `nil` where it
    /// could have seen all.
    public var unseenMedia: UnseenMedia?
    /// Until when a probe watched for media of the call, where that is after the last report of it: it lets go of a call that
    /// nothing ends only once that has been silent for a while. `nil` while the call goes on.
    public var watchedUntil: Timestamp?

    public init(
        packetsDroppedByKernel: Int? = nil, packetsDroppedByInterface: Int? = nil, holes: [TimeSpan] = [],
        packetsRecordedTwice: Int = 0, packetsCutShort: Int = 0, unseenMedia: UnseenMedia? = nil,
        watchedUntil: Timestamp? = nil
    ) {
        self.packetsDroppedByKernel = packetsDroppedByKernel
        self.packetsDroppedByInterface = packetsDroppedByInterface
        self.holes = holes
        self.packetsRecordedTwice = packetsRecordedTwice
        self.packetsCutShort = packetsCutShort
        self.unseenMedia = unseenMedia
        self.watchedUntil = watchedUntil
    }

    /// Whether loss may be the capture's and not the network's.
    public var isDoubtful: Bool {
        (packetsDroppedByKernel ?? 0) > 0 || (packetsDroppedByInterface ?? 0) > 0 || !holes.isEmpty
    }
}

/// What of a call's media a capture cannot have, by its place or its filter.
public enum UnseenMedia: String, Hashable, Sendable, Codable, CaseIterable {
    /// Of an answered call none: so far none of any other, either, for the capture sees signalling alone; or its media are to
    /// pass between hosts of which the capture has seen none; or the RTCP of both ends reports on packets that it does not
    /// have.
    case all
    /// Those of one end: what it signalled must have passed elsewhere, too, or the other end's RTCP reports on packets that
    /// the capture does not have ([RFC 3550 §6.4](https://www.rfc-editor.org/rfc/rfc3550#section-6.4)).
    case oneDirection
    /// Those of this leg, whose ends send straight to those of another leg of the conversation, which tells of them: a B2BUA
    /// that keeps out of the media.
    case otherLeg
}
