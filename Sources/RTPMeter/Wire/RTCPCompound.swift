/// The RTCP packets of one datagram ([RFC 3550, section 6.1](https://www.rfc-editor.org/rfc/rfc3550#section-6.1)), and
/// the first thing in it that did not fit.
///
/// Reading is lenient. A packet that is too short for what it announces gives what it has, and the packets behind it
/// are read; only when the next packet cannot be found does reading end. Datagrams of several compound packets, one
/// after the other, read like one.
public struct RTCPCompound: Hashable, Sendable {
    /// What could be read, in the order of the datagram.
    public var packets: [RTCPPacket]
    /// The first thing that did not fit. Nil when all did.
    public var error: RTCPError?

    /// A datagram of known contents.
    public init(packets: [RTCPPacket], error: RTCPError? = nil) {
        self.packets = packets
        self.error = error
    }
}

extension RTCPCompound {
    /// Reads the RTCP packets of a datagram.
    ///
    /// - Parameters:
    ///   - packet: The payload of a UDP datagram, of which a capture may have kept only the beginning.
    ///   - wireLength: How many bytes that payload had on the wire; bytes beyond are not looked at.
    ///   - isEncrypted: Whether it is SRTCP, of which only the first eight bytes are in the clear.
    /// - Returns: What could be read, and the first thing that did not fit.
    public static func parse(_ packet: RawSpan, wireLength: Int, isEncrypted: Bool = false) -> RTCPCompound {
        var compound = RTCPCompound(packets: [])
        compound.error = forEachPacket(in: packet, wireLength: wireLength, isEncrypted: isEncrypted) {
            compound.packets.append($0)
        }
        return compound
    }

    /// Hands the RTCP packets of a datagram over one by one, in its order, without making a list of them.
    ///
    /// - Parameters:
    ///   - packet: The payload of a UDP datagram, of which a capture may have kept only the beginning.
    ///   - wireLength: How many bytes that payload had on the wire; bytes beyond are not looked at.
    ///   - isEncrypted: Whether it is SRTCP, of which only the first eight bytes are in the clear.
    ///   - take: Takes one packet.
    /// - Returns: The first thing that did not fit, or nil when all did.
    public static func forEachPacket(
        in packet: RawSpan, wireLength: Int, isEncrypted: Bool = false, _ take: (RTCPPacket) -> Void
    ) -> RTCPError? {
        var first: RTCPError?
        var offset = 0
        while offset < wireLength || offset == 0 {
            do {
                var body = try RTCPBody(packet, at: offset, wireLength: wireLength)
                if isEncrypted {
                    RTCPPacket(encrypted: packet, &body).map(take)
                    return body.error
                }
                RTCPPacket(packet, &body).map(take)
                if body.isCut { body.note(body.cutProblem) }
                first = first ?? body.error
                if body.isCut { return first }
                offset = body.declaredEnd
            } catch {
                return first ?? error
            }
        }
        return first
    }

    /// Whether the lengths lead from packet to packet exactly to the end of the datagram.
    ///
    /// RTCP in the clear does that. SRTCP does not: behind the first header its lengths are ciphertext, and it ends in
    /// an index and a tag that belong to no packet
    /// ([RFC 3711, section 3.4](https://www.rfc-editor.org/rfc/rfc3711#section-3.4)).
    ///
    /// - Parameters:
    ///   - packet: The payload of a UDP datagram, of which a capture may have kept only the beginning.
    ///   - wireLength: How many bytes that payload had on the wire.
    /// - Returns: False, too, when the headers were not all captured.
    public static func fitsExactly(_ packet: RawSpan, wireLength: Int) -> Bool {
        bytesBehind(packet, wireLength: wireLength) == 0
    }

    /// How many bytes a datagram has behind the last packet that the lengths lead to.
    ///
    /// The index and the tag of SRTCP are eight bytes and more
    /// ([RFC 3711, section 3.4](https://www.rfc-editor.org/rfc/rfc3711#section-3.4)); some senders leave a few of their own.
    ///
    /// - Parameters:
    ///   - packet: The payload of a UDP datagram, of which a capture may have kept only the beginning.
    ///   - wireLength: How many bytes that payload had on the wire.
    /// - Returns: 0 where the lengths lead exactly to the end; nil where not even the first packet fits. What was not captured
    ///   counts as behind.
    public static func bytesBehind(_ packet: RawSpan, wireLength: Int) -> Int? {
        var offset = 0
        repeat {
            guard let body = try? RTCPBody(packet, at: offset, wireLength: wireLength) else {
                return offset > 0 ? wireLength - offset : nil
            }
            offset = body.declaredEnd
        } while offset < wireLength
        return 0
    }
}
