import HTTPTypes
import Testing

@testable import CollectorServer

@Suite struct ProxyTests {
    private static let ranges: [(range: String, inside: [String], outside: [String])] = [
        ("10.0.0.0/8", ["10.0.0.1", "10.255.255.255", "::ffff:10.1.2.3"], ["11.0.0.0", "9.255.255.255", "::1"]),
        ("192.0.2.128/25", ["192.0.2.128", "192.0.2.255"], ["192.0.2.127", "192.0.3.128"]),
        ("192.0.2.7", ["192.0.2.7", "192.0.2.7:4000"], ["192.0.2.8", "192.0.2.70"]),
        ("2001:db8::/33", ["2001:db8:7fff::1", "[2001:db8::1]:443"], ["2001:db8:8000::", "10.0.0.1"]),
        ("fe80::/10", ["fe80::1%eth0", "[fe80::1%25eth0]:443", "febf::1"], ["fec0::1%eth0", "10.0.0.1"]),
        ("::/0", ["::1", "2001:db8::"], ["10.0.0.1"]), ("0.0.0.0/0", ["203.0.113.9"], ["::1"]),
    ]

    @Test(arguments: ranges) func `a range has its addresses and no others`(
        range: String, inside: [String], outside: [String]
    ) throws {
        let range = try #require(AddressRange(range))
        let taken = try inside.filter { range.contains(try #require(HostAddress($0))) }
        let refused = try outside.filter { range.contains(try #require(HostAddress($0))) }
        #expect(taken == inside && refused == [])
    }

    @Test(arguments: [
        "", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0/8", "::1/129", "host", "10.0.0.1:80", "fe80::1%eth0",
    ])
    func `what is no range is none`(text: String) {
        #expect(AddressRange(text) == nil)
    }

    /// Trusted are 10.0.0.0/8 and 2001:db8::/32.
    private static let hops: [(peer: String, forwarded: [String], sender: String)] = [
        ("203.0.113.9", [], "203.0.113.9"),
        ("203.0.113.9", ["198.51.100.1"], "203.0.113.9"),
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["198.51.100.66, 198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["198.51.100.66, 198.51.100.1, 10.0.0.2"], "198.51.100.1"),
        ("10.0.0.1", ["198.51.100.66", "198.51.100.1,10.0.0.2"], "198.51.100.1"),
        ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        ("10.0.0.1", ["198.51.100.66, unknown, 10.0.0.2"], "10.0.0.2"),
        ("2001:db8::1", ["198.51.100.66, [2001:7f8::1]:5000"], "2001:7f8::1"),
        ("10.0.0.1", ["", " , ,"], "10.0.0.1"),
    ]

    @Test(arguments: hops) func `the sender is the last hop that is not trusted`(
        peer: String, forwarded: [String], sender: String
    ) throws {
        let proxies = TrustedProxies(ranges: ["10.0.0.0/8", "2001:db8::/32"].compactMap(AddressRange.init))
        var headers = HTTPFields()
        let name = try #require(HTTPField.Name("X-Forwarded-For"))
        for value in forwarded { headers.append(HTTPField(name: name, value: value)) }
        #expect(proxies.sender(of: headers, peer: HostAddress(peer)) == HostAddress(sender))
        #expect(TrustedProxies(ranges: []).sender(of: headers, peer: HostAddress(peer)) == HostAddress(peer))
    }
}
