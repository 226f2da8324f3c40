/// Who is behind a source: one chunk of an SDES packet
/// ([RFC 3550, section 6.5](https://www.rfc-editor.org/rfc/rfc3550#section-6.5)).
///
/// Names, addresses and telephone numbers, which a chunk may also hold, are not read.
public struct SourceDescription: Hashable, Sendable {
    /// The source.
    public var ssrc: UInt32
    /// The name that stays the same over the streams of one sender; often `user@host`. Nil when the chunk has none.
    public var canonicalName: String?

    /// A description of known fields.
    public init(ssrc: UInt32, canonicalName: String?) {
        self.ssrc = ssrc
        self.canonicalName = canonicalName
    }
}

extension SourceDescription {
    /// Reads as many of the announced chunks as there are.
    static func list(_ packet: RawSpan, _ body: inout RTCPBody) -> [SourceDescription] {
        var chunks: [SourceDescription] = []
        var offset = body.offset + 4
        for _ in 0..<body.count {
            guard body.has(.chunk, upTo: offset + 4) else { break }
            var chunk = SourceDescription(ssrc: packet.networkOrder(at: offset), canonicalName: nil)
            let next = chunk.readItems(packet, at: offset + 4, &body)
            chunks.append(chunk)
            guard let next else { break }
            offset = next
        }
        return chunks
    }

    /// Reads the items up to the null byte that ends the chunk.
    ///
    /// - Returns: Where the next chunk begins, or nil when the packet ended before the chunk did.
    private mutating func readItems(_ packet: RawSpan, at start: Int, _ body: inout RTCPBody) -> Int? {
        var offset = start
        while body.has(.item, upTo: offset + 1) {
            let type: UInt8 = packet.networkOrder(at: offset)
            if type == 0 {  // Null bytes up to the next 32-bit word of the packet, at least one.
                return body.offset + (offset - body.offset) / 4 * 4 + 4
            }
            guard body.has(.item, upTo: offset + 2) else { return nil }
            let end = offset + 2 + Int(packet.networkOrder(at: offset + 1, as: UInt8.self))
            guard body.has(.item, upTo: end) else { return nil }
            if type == 1 {
                canonicalName = packet.text(in: offset + 2..<end)
            }
            offset = end
        }
        return nil
    }
}
