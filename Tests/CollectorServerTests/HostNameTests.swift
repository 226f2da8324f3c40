import Testing

@testable import CollectorServer

@Suite struct HostNameTests {
    private let names = HostNames(origins: ["https://calls.example", "http://[2001:db8::1]:8080"])

    @Test(arguments: [
        "localhost", "localhost:8080", "LOCALHOST", "localhost.:8080", "a.localhost", "127.0.0.1", "127.0.0.1:8080",
        "127.255.255.254", "[::1]", "[::1]:8080", "[::ffff:127.0.0.1]:8080",
    ])
    func `names and addresses of this machine are taken`(authority: String) {
        #expect(names.contain(authority))
    }

    @Test(arguments: ["sidetone:8080", "x", "10.0.0.1", "128.0.0.1:80", "0.0.0.0", "[::]", "[2001:db8::2]:8080"])
    func `addresses and names without a dot are nobody's elsewhere`(authority: String) {
        #expect(names.contain(authority))
    }

    @Test(arguments: ["calls.example", "Calls.Example:443", "calls.example.", "[2001:db8::1]:8080"])
    func `so are the hosts of pages that may use the server`(authority: String) {
        #expect(names.contain(authority))
    }

    @Test(arguments: [
        "evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example",
        "evil.localhost.example", "www.calls.example", "128.0.0.256", "[evil.example",
    ])
    func `no others are`(authority: String) {
        #expect(!names.contain(authority))
    }
}
