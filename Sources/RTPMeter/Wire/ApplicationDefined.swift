/// A packet of some application's own ([RFC 3550, section 6.7](https://www.rfc-editor.org/rfc/rfc3550#section-6.7)).
public struct ApplicationDefined: Hashable, Sendable {
    /// Who sent it.
    public var ssrc: UInt32
    /// 0...31, with a meaning under the name only.
    public var subtype: UInt8
    /// Four letters that name the application.
    public var name: String
    /// How many bytes the application's data has; they are not read.
    public var dataBytes: Int

    /// A packet of known fields.
    public init(ssrc: UInt32, subtype: UInt8, name: String, dataBytes: Int) {
        self.ssrc = ssrc
        self.subtype = subtype
        self.name = name
        self.dataBytes = dataBytes
    }
}

extension ApplicationDefined {
    init?(_ packet: RawSpan, _ body: inout RTCPBody) {
        let offset = body.offset
        guard body.has(.sender, upTo: offset + 8), body.has(.name, upTo: offset + 12) else { return nil }
        ssrc = packet.networkOrder(at: offset + 4)
        subtype = UInt8(truncatingIfNeeded: body.count)
        name = packet.text(in: offset + 8..<offset + 12)
        dataBytes = (body.isCut ? body.declaredEnd : body.end) - offset - 12
    }
}
