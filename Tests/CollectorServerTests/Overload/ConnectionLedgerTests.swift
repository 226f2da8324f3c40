import Testing

@testable import CollectorServer

/// Who counts as one sender, and that nobody is remembered who is gone.
@Suite struct ConnectionLedgerTests {
    private func network(_ text: String) throws -> HostAddress.Network {
        try #require(HostAddress(text)).network
    }

    @Test(arguments: [
        ("10.0.0.1", "10.0.0.1", true), ("10.0.0.1", "10.0.0.2", false), ("10.0.0.1", "::ffff:10.0.0.1", true),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true), ("2001:db8:1:2::1", "2001:db8:1:3::1", false),
    ])
    func `an address of IPv4 is one sender, and so are 64 bits of IPv6`(one: String, other: String, isSame: Bool) throws
    {
        #expect((try network(one) == network(other)) == isSame)
    }

    @Test func `connections are counted for each sender, and forgotten when they are closed`() throws {
        let ledger = ConnectionLedger()
        let (one, other) = (try network("10.0.0.1"), try network("10.0.0.2"))
        #expect([ledger.enter(one), ledger.enter(one), ledger.enter(other)] == [1, 2, 1])
        ledger.leave(one)
        #expect(ledger.enter(one) == 2)
        for sender in [one, one, other] { ledger.leave(sender) }
        #expect(ledger.senders == 0)
        #expect(ledger.enter(one) == 1)
    }
}
