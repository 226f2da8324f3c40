/// Builds frames for the decoder's tests, from the inside outwards; lengths are right unless a test asks otherwise.
enum FrameBytes {
    typealias Bytes = [UInt8]

    static let source4: Bytes = [10, 77, 0, 1]
    static let destination4: Bytes = [10, 77, 0, 2]
    static let source6: Bytes = [0x20, 0x01, 0x0D, 0xB8] + Bytes(repeating: 0, count: 11) + [1]
    static let destination6: Bytes = [0x20, 0x01, 0x0D, 0xB8] + Bytes(repeating: 0, count: 11) + [2]

    /// An RTP packet of PCMU with 20 bytes of payload.
    static let rtp: Bytes = [0x80, 0, 0, 7] + be32(160) + be32(0x1234_5678) + Bytes(repeating: 0xD5, count: 20)

    static func be16(_ value: Int) -> Bytes { [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)] }
    static func be32(_ value: Int) -> Bytes { be16(value >> 16) + be16(value & 0xFFFF) }

    // MARK: Transports

    static func udp(_ payload: Bytes, from: Int = 4000, to: Int = 5004, length: Int? = nil) -> Bytes {
        be16(from) + be16(to) + be16(length ?? 8 + payload.count) + [0, 0] + payload
    }

    static func tcp(_ payload: Bytes, flags: UInt8 = 0x18, options: Bytes = []) -> Bytes {
        be16(40_000) + be16(5060) + be32(1000) + be32(2000) + [UInt8((20 + options.count) / 4) << 4, flags] + be16(512)
            + [0, 0, 0, 0] + options + payload
    }

    // MARK: IP

    static func ipv4(
        _ body: Bytes, number: UInt8 = 17, identification: Int = 0x0102, fragment: Int = 0, options: Bytes = [],
        length: Int? = nil
    ) -> Bytes {
        let header = 20 + options.count
        return [UInt8(0x40 | header / 4), 0] + be16(length ?? header + body.count) + be16(identification)
            + be16(fragment) + [64, number, 0, 0] + source4 + destination4 + options + body
    }

    static func ipv6(_ body: Bytes, next: UInt8 = 17, length: Int? = nil) -> Bytes {
        [0x60, 0, 0, 0] + be16(length ?? body.count) + [next, 63] + source6 + destination6 + body
    }

    /// A hop-by-hop, routing or destination options header of eight or more bytes.
    static func extensionHeader(_ body: Bytes, next: UInt8, length: Int = 8) -> Bytes {
        [next, UInt8(length / 8 - 1)] + Bytes(repeating: 0, count: length - 2) + body
    }

    static func fragment6(_ body: Bytes, next: UInt8 = 17, offset: Int, hasMore: Bool, identification: Int = 9) -> Bytes
    {
        [next, 0] + be16(offset | (hasMore ? 1 : 0)) + be32(identification) + body
    }

    // MARK: Link layers

    static func ethernet(_ body: Bytes, type: Int = 0x0800) -> Bytes {
        [2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2] + be16(type) + body
    }

    static func tag(_ body: Bytes, type: Int = 0x0800) -> Bytes { be16(100) + be16(type) + body }

    static func cooked(_ body: Bytes, type: Int = 0x0800, packetType: Int = 0) -> Bytes {
        be16(packetType) + be16(1) + be16(6) + [2, 0, 0, 0, 0, 1, 0, 0] + be16(type) + body
    }

    static func cooked2(_ body: Bytes, type: Int = 0x0800, packetType: UInt8 = 0) -> Bytes {
        be16(type) + [0, 0] + be32(2) + be16(1) + [packetType, 6, 2, 0, 0, 0, 0, 1, 0, 0] + body
    }

    static func pppoe(_ ppp: Bytes) -> Bytes { [0x11, 0] + be16(77) + be16(ppp.count) + ppp }

    // MARK: Tunnels

    static func gre(_ body: Bytes, type: Int = 0x0800, flags: Int = 0, options: Bytes = []) -> Bytes {
        be16(flags) + be16(type) + options + body
    }

    static func vxlan(_ frame: Bytes, flags: Int = 0x0800, policy: Int = 0, reserved: Int = 0) -> Bytes {
        be16(flags) + be16(policy) + be32(42 << 8 | reserved) + frame
    }

    static func gtp(_ packet: Bytes, flags: UInt8 = 0x30, type: UInt8 = 255, options: Bytes = []) -> Bytes {
        [flags, type] + be16(options.count + packet.count) + be32(1) + options + packet
    }

    static func geneve(_ body: Bytes, type: Int = 0x6558, options: Bytes = []) -> Bytes {
        [UInt8(options.count / 4), 0] + be16(type) + be32(5 << 8) + options + body
    }

    static func vxlanGPE(_ body: Bytes, next: UInt8, flags: UInt8 = 0x0C) -> Bytes {
        [flags, 0, 0, next] + be32(5 << 8) + body
    }

    static func l2tp(_ ppp: Bytes, flags: Int = 0x0002, before: Bytes = [], after: Bytes = []) -> Bytes {
        be16(flags) + before + be16(7) + be16(8) + after + ppp
    }

    static func tzsp(_ frame: Bytes, type: UInt8 = 0, content: Int = 1, tags: Bytes = [1]) -> Bytes {
        [1, type] + be16(content) + tags + frame
    }

    /// ESP without encryption: padding to a multiple of four, trailer, and an integrity value.
    static func esp(_ body: Bytes, next: UInt8 = 17, integrity: Int = 12, index: Int = 0xC0DE) -> Bytes {
        let padding = (4 - (body.count + 2) % 4) % 4
        return be32(index) + be32(1) + body + (0..<padding).map { UInt8($0 + 1) } + [UInt8(padding), next]
            + Bytes(repeating: 0xA5, count: integrity)
    }

    static func channelData(_ data: Bytes, padding: Int = 0) -> Bytes {
        [0x40, 0x01] + be16(data.count) + data + Bytes(repeating: 0, count: padding)
    }

    /// A TURN Data indication with an XOR-PEER-ADDRESS before its DATA.
    static func dataIndication(_ data: Bytes) -> Bytes {
        let padded = data + Bytes(repeating: 0, count: (4 - data.count % 4) % 4)
        let attributes =
            be16(0x0012) + be16(8) + [0, 1, 0x21, 0x12, 1, 2, 3, 4] + be16(0x0013) + be16(data.count) + padded
        return be16(0x0017) + be16(attributes.count) + be32(0x2112_A442) + Bytes(repeating: 7, count: 12) + attributes
    }
}
