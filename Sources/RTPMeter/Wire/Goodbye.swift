/// Sources that leave: a BYE packet ([RFC 3550, section 6.6](https://www.rfc-editor.org/rfc/rfc3550#section-6.6)).
public struct Goodbye: Hashable, Sendable {
    /// The sources that leave; at most 31.
    public var sources: [UInt32]
    /// Why, in words for people. Nil when no reason was given.
    public var reason: String?

    /// A goodbye of known fields.
    public init(sources: [UInt32], reason: String? = nil) {
        self.sources = sources
        self.reason = reason
    }
}

extension Goodbye {
    init(_ packet: RawSpan, _ body: inout RTCPBody) {
        let start = body.offset + 4
        let end = start + 4 * body.count
        guard body.has(.sources, upTo: end) else {
            sources = packet.words(in: start..<max(start, body.end))
            return
        }
        sources = packet.words(in: start..<end)
        guard end < body.end else { return }
        let reasonEnd = end + 1 + Int(packet.networkOrder(at: end, as: UInt8.self))
        guard reasonEnd > end + 1, body.has(.reason, upTo: reasonEnd) else { return }
        reason = packet.text(in: end + 1..<reasonEnd)
    }
}
