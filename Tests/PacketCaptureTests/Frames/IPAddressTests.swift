import Testing

@testable import PacketCapture

@Suite struct IPAddressTests {
    /// The examples of RFC 5952 §4 and §5 among them.
    @Test(
        arguments: [
            (0x2001_0DB8_0000_0000, 0x0000_0000_0000_0001, "2001:db8::1", "2001:db8::/48"),
            (0x2001_0DB8_0000_0001, 0x0001_0001_0001_0001, "2001:db8:0:1:1:1:1:1", "2001:db8::/48"),
            (0x2001_0000_0000_0001, 0x0000_0000_0000_0001, "2001:0:0:1::1", "2001::/48"),
            (0x2001_0DB8_0000_0000, 0x0001_0000_0000_0001, "2001:db8::1:0:0:1", "2001:db8::/48"),
            (0x2001_0DB8_0001_0002, 0x0003_0004_0005_0006, "2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"),
            (0xFE80_0000_0000_0000, 0x0000_0000_0000_0000, "fe80::", "fe80::/48"),
            (0, 0, "::", "::/48"),
            (0, 1, "::1", "::/48"),
            (0, 0x0000_FFFF_0A4D_0001, "10.77.0.1", "10.77.0.0/24"),
            (0, 0x0000_FFFF_FFFF_FFFF, "255.255.255.255", "255.255.255.0/24"),
        ] as [(UInt64, UInt64, String, String)]) func `an address is written as people write it`(
            high: UInt64, low: UInt64, text: String, cut: String
        )
    {
        let address = IPAddress(high: high, low: low)
        #expect(address.description == text)
        #expect(address.cut == cut)
        #expect(address.isIPv4 == text.contains("."))
    }

    @Test func `a flow names both ends`() {
        let four = Endpoint(address: IPAddress(v4: 0x0A4D_0001), port: 5060)
        let six = Endpoint(address: IPAddress(high: 0x2001_0DB8_0000_0000, low: 1), port: 4000)
        let flow = Flow(source: four, destination: six)
        #expect(flow.description == "10.77.0.1:5060 > [2001:db8::1]:4000")
        #expect(flow.reversed == Flow(source: six, destination: four))
    }
}
