import RTPMeter

/// The bytes of a text of hexadecimal digits; white space between them is for the reader.
func hex(_ digits: String) -> [UInt8] {
    let values = digits.compactMap(\.hexDigitValue).map(UInt8.init)
    return stride(from: 0, to: values.count - 1, by: 2).map { values[$0] << 4 | values[$0 + 1] }
}

/// The four bytes of an integer in network byte order.
func word(_ value: UInt32) -> [UInt8] {
    [UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
}

/// An RTCP packet around a body that is a multiple of four bytes.
func rtcp(type: UInt8, count: UInt8, _ body: [UInt8]) -> [UInt8] {
    [0x80 | count, type] + word(UInt32(body.count / 4))[2...] + body
}

/// Reads an RTP header from an array, as a span of a temporary may not escape into a test macro.
func header(_ bytes: [UInt8], wireLength: Int? = nil) throws(RTPHeaderError) -> RTPHeader {
    try RTPHeader(parsing: bytes.span.bytes, wireLength: wireLength ?? bytes.count)
}

/// Reads a compound RTCP packet from an array.
func compound(_ bytes: [UInt8], wireLength: Int? = nil, isEncrypted: Bool = false) -> RTCPCompound {
    RTCPCompound.parse(bytes.span.bytes, wireLength: wireLength ?? bytes.count, isEncrypted: isEncrypted)
}

/// Whether the RTCP packets of an array fill it exactly.
func fitsExactly(_ bytes: [UInt8], wireLength: Int? = nil) -> Bool {
    RTCPCompound.fitsExactly(bytes.span.bytes, wireLength: wireLength ?? bytes.count)
}

/// The bytes behind the last packet of a datagram from an array.
func bytesBehind(_ bytes: [UInt8]) -> Int? {
    RTCPCompound.bytesBehind(bytes.span.bytes, wireLength: bytes.count)
}

/// Classifies a UDP payload from an array.
func packetClass(_ bytes: [UInt8], wireLength: Int? = nil) -> PacketClass {
    PacketClass.of(bytes.span.bytes, wireLength: wireLength ?? bytes.count)
}

/// Packets with every field different from every other.
enum Sample {
    /// 4 bytes of payload behind 12 of header.
    static let plain = hex("80 e0 fffe 89abcdef deadbeef 01020304")
    /// Two contributing sources, an extension of one word, 5 bytes of payload, 3 of padding.
    static let everything = hex("b2 6f 0001 00000002 00000000 11111111 22222222 bede0001 aabbccdd 0102030405 000003")

    static let block = hex("0a0b0c0d 400000ff 0002abcd 00000055 fc76d123 00020000")
    static let senderReport = rtcp(
        type: 200, count: 1, hex("01020304 eb1fc0de 12345678 0009fb00 000003e8 00027100") + block)
    static let receiverReport = rtcp(type: 201, count: 2, hex("05060708") + block + block)
    /// A CNAME, a TOOL, and the null that ends the chunk; then a chunk without items.
    static let description = rtcp(
        type: 202, count: 2, hex("01020304 01 05 6140622e63 06 02 7878 00 0a0b0c0d 00000000"))
    static let goodbye = rtcp(type: 203, count: 2, hex("01020304 0a0b0c0d 03 627965"))
    static let application = rtcp(type: 204, count: 5, hex("01020304 62617265 00000001 00000002"))
    static let missing = rtcp(type: 205, count: 1, hex("01020304 0a0b0c0d 0064 8003 00c8 0000"))
    static let extended = rtcp(
        type: 207, count: 0,
        hex("01020304") + referenceTime + delays + summary + foreign + voip)
    static let referenceTime = hex("04 00 0002 eb1fc0de 12345678")
    static let delays = hex("05 00 0006 0a0b0c0d c0de1234 00018000 0e0f1011 00000000 00000000")
    static let summary =
        hex("06 e8 0009 0a0b0c0d 0064 00c8 00000003 00000002 00000001 00000050 00000014 0000000a 3f 40 40 01")
    static let foreign = hex("2a 00 0001 ffffffff")
    static let voip = hex(
        """
        07 00 0008 0a0b0c0d 10 08 80 01 00c8 1388 0064 0028 ec 7f 7f 10 5d 7f 2a 29 e5 00 0028 003c 012c
        """)

    static let rtp = [plain, everything]
    static let control = [
        senderReport, receiverReport, description, goodbye, application, missing, extended,
        senderReport + description + extended + goodbye,
    ]
}
