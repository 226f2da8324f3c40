public import CallModel

/// What a capture file holds, as a whole.
public struct CaptureFigures: Hashable, Sendable {
    /// The file's name, as the reader knows it.
    public var name: String
    /// The link type in words, such as `Ethernet`; `nil` when the file has several or says none.
    public var linkType: String?
    /// Frames read.
    public var frames: Int
    /// Time stamp of the first frame; `nil` without frames.
    public var firstFrameAt: Timestamp?
    /// Time stamp of the last frame; `nil` without frames.
    public var lastFrameAt: Timestamp?
    /// RTP packets of the streams that were accepted, duplicates included.
    public var rtpPackets: Int
    /// RTCP packets.
    public var rtcpPackets: Int
    /// SIP messages, retransmissions included.
    public var sipMessages: Int
    /// RTP streams, secondary ones included.
    public var streams: Int
    /// Calls, each once however many ends of it were seen.
    public var calls: Int
    /// Packets that were looked at and are neither RTP nor RTCP nor SIP, by what they are.
    public var otherPackets: [String: Int]
    /// Frames that could not be read, by reason.
    public var refusals: [String: Int]
    /// What is odd about the file, such as that it ends in the middle of a packet; in whole sentences without a period.
    public var notes: [String]

    public init(name: String) {
        self.name = name
        frames = 0
        rtpPackets = 0
        rtcpPackets = 0
        sipMessages = 0
        streams = 0
        calls = 0
        otherPackets = [:]
        refusals = [:]
        notes = []
    }
}
