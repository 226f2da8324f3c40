/// The payload types whose meaning is fixed by [RFC 3551, section 6](https://www.rfc-editor.org/rfc/rfc3551#section-6).
public enum StaticPayloadType {
    /// What a payload type carries.
    public enum Media: String, Hashable, Sendable {
        case audio
        case video
        /// MPEG transport streams carry both.
        case audioVideo
    }

    /// One row of the table.
    public struct Entry: Hashable, Sendable {
        /// Encoding name as in SDP, such as `PCMU`.
        public var name: String
        /// Ticks of the RTP timestamp per second. For G722 that is 8000 although it samples at 16000 (RFC 3551, 4.5.2).
        public var clockHertz: UInt32
        /// Audio, video or both.
        public var media: Media
        /// Bytes of payload per millisecond of sound; nil where the size of a packet does not tell its duration.
        public var bytesPerMillisecond: Double?
    }

    /// The clock of a static payload type; nil for a dynamic, reserved or unassigned one.
    public static func clock(of payloadType: UInt8) -> RTPClock? {
        RTPClock(hertz: hertz(of: payloadType), source: .static)
    }

    /// Whether `payloadType` is comfort noise: 13 (RFC 3389), or 19 as older systems have it.
    public static func isComfortNoise(_ payloadType: UInt8) -> Bool {
        payloadType == 13 || payloadType == 19
    }

    /// Ticks per second, 0 where the table has none. No strings, so that streams can be opened without allocating.
    private static func hertz(of payloadType: UInt8) -> UInt32 {
        switch payloadType {
        case 0, 3, 4, 5, 7, 8, 9, 12, 13, 15, 18, 19: 8000
        case 6: 16000
        case 10, 11: 44100
        case 16: 11025
        case 17: 22050
        case 14, 25, 26, 28, 31...34: 90000
        default: 0
        }
    }

    /// The row of `payloadType`; nil for a dynamic, reserved or unassigned one.
    public static func entry(for payloadType: UInt8) -> Entry? {
        guard let row = row(payloadType) else { return nil }
        return Entry(
            name: row.name, clockHertz: hertz(of: payloadType), media: row.media, bytesPerMillisecond: row.bytes)
    }

    /// ``Entry/bytesPerMillisecond`` of `payloadType`; nil also for one that is not in the table.
    static func bytesPerMillisecond(of payloadType: UInt8) -> Double? { row(payloadType)?.bytes }

    private static func row(_ payloadType: UInt8) -> (name: String, media: Media, bytes: Double?)? {
        // A table: length is no complexity here.
        switch payloadType {
        case 0: ("PCMU", .audio, 8)
        case 3: ("GSM", .audio, 1.65)
        case 4: ("G723", .audio, nil)
        case 5, 6, 16, 17: ("DVI4", .audio, nil)
        case 7: ("LPC", .audio, 0.7)
        case 8: ("PCMA", .audio, 8)
        case 9: ("G722", .audio, 8)
        case 10: ("L16", .audio, 176.4)
        case 11: ("L16", .audio, 88.2)
        case 12: ("QCELP", .audio, nil)
        case 13, 19: ("CN", .audio, nil)
        case 14: ("MPA", .audio, nil)
        case 15: ("G728", .audio, 2)
        case 18: ("G729", .audio, 1)
        case 25: ("CelB", .video, nil)
        case 26: ("JPEG", .video, nil)
        case 28: ("nv", .video, nil)
        case 31: ("H261", .video, nil)
        case 32: ("MPV", .video, nil)
        case 33: ("MP2T", .audioVideo, nil)
        case 34: ("H263", .video, nil)
        default: nil
        }
    }
}
