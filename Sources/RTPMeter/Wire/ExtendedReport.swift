/// What the blocks of a sender or receiver report have no room for
/// ([RFC 3611](https://www.rfc-editor.org/rfc/rfc3611)).
public struct ExtendedReport: Hashable, Sendable {
    /// One block of the report. Blocks of other types are skipped by their length and counted.
    public enum Block: Hashable, Sendable {
        /// The wall clock of somebody who sends no media, so that the round trip can be measured from his side
        /// (section 4.4). Like ``SenderReport/ntpTimestamp``.
        case receiverReferenceTime(ntpTimestamp: UInt64)
        /// The answers to such clocks (section 4.5).
        case delaySinceLastReceiverReport([ReceiverReportDelay])
        /// Loss, duplicates, jitter and hop counts over a range of packets (section 4.6).
        case statisticsSummary(StatisticsSummary)
        /// Loss in bursts, delay, levels and quality of a voice stream (section 4.7).
        case voipMetrics(VoIPMetrics)
    }

    /// Who reports.
    public var ssrc: UInt32
    /// The blocks that were understood, in the order of the packet.
    public var blocks: [Block]
    /// How many blocks of other types there were.
    public var skippedBlocks: Int

    /// A report of known fields.
    public init(ssrc: UInt32, blocks: [Block], skippedBlocks: Int = 0) {
        self.ssrc = ssrc
        self.blocks = blocks
        self.skippedBlocks = skippedBlocks
    }
}

/// How long ago somebody's reference time came in: a sub-block of the DLRR block
/// ([RFC 3611, section 4.5](https://www.rfc-editor.org/rfc/rfc3611#section-4.5)).
public struct ReceiverReportDelay: Hashable, Sendable {
    /// Whose reference time it was.
    public var ssrc: UInt32
    /// The middle 32 bits of that time; 0 when none came yet.
    public var lastReceiverReport: UInt32
    /// From its arrival to the sending of this block, in 1/65536 s; 0 when none came yet.
    public var delaySinceLastReceiverReport: UInt32

    /// A sub-block of known fields.
    public init(ssrc: UInt32, lastReceiverReport: UInt32, delaySinceLastReceiverReport: UInt32) {
        self.ssrc = ssrc
        self.lastReceiverReport = lastReceiverReport
        self.delaySinceLastReceiverReport = delaySinceLastReceiverReport
    }
}

extension ExtendedReport {
    init?(_ packet: RawSpan, _ body: inout RTCPBody) {
        guard body.has(.sender, upTo: body.offset + 8) else { return nil }
        self.init(ssrc: packet.networkOrder(at: body.offset + 4), blocks: [])
        var offset = body.offset + 8
        while offset < body.declaredEnd, offset < body.end || body.isCut {
            guard body.has(.blockHeader, upTo: offset + 4) else { break }
            let words: UInt16 = packet.networkOrder(at: offset + 2)
            let end = offset + 4 + 4 * Int(words)
            guard body.has(.block, upTo: end) else { break }
            readBlock(packet, offset..<end, &body)
            offset = end
        }
    }

    /// Reads one block, whose bytes are all there; one too short for its type is an error and counts as skipped.
    private mutating func readBlock(_ packet: RawSpan, _ block: Range<Int>, _ body: inout RTCPBody) {
        let start = block.lowerBound
        switch packet.networkOrder(at: start, as: UInt8.self) {
        case 4 where body.holds(block, bytes: 12):
            blocks.append(.receiverReferenceTime(ntpTimestamp: packet.networkOrder(at: start + 4)))
        case 5:
            let count = (block.count - 4) / ReceiverReportDelay.size
            blocks.append(
                .delaySinceLastReceiverReport(
                    (0..<count).map { .init(packet, at: start + 4 + $0 * ReceiverReportDelay.size) }))
        case 6 where body.holds(block, bytes: StatisticsSummary.size):
            blocks.append(.statisticsSummary(StatisticsSummary(packet, at: start)))
        case 7 where body.holds(block, bytes: VoIPMetrics.size):
            blocks.append(.voipMetrics(VoIPMetrics(packet, at: start)))
        default:
            skippedBlocks += 1
        }
    }
}

extension ReceiverReportDelay {
    static let size = 12

    init(_ packet: RawSpan, at offset: Int) {
        ssrc = packet.networkOrder(at: offset)
        lastReceiverReport = packet.networkOrder(at: offset + 4)
        delaySinceLastReceiverReport = packet.networkOrder(at: offset + 8)
    }
}

extension RTCPBody {
    /// Whether a block of an extended report is as long as its type must be. A no is an error of the packet.
    fileprivate mutating func holds(_ block: Range<Int>, bytes: Int) -> Bool {
        if block.count >= bytes { return true }
        note(.missing(.block, needed: block.lowerBound - offset + bytes, found: block.upperBound - offset))
        return false
    }
}
