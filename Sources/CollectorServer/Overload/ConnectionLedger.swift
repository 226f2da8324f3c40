import Synchronization

/// How many connections each sender has open.
///
/// A class, because all connections share it. It remembers only senders with an open connection.
final class ConnectionLedger: Sendable {
    private let open = Mutex<[HostAddress.Network: Int]>([:])

    /// Counts a connection as open.
    /// - Returns: how many the sender has now.
    func enter(_ sender: HostAddress.Network) -> Int {
        open.withLock { open in
            open[sender, default: 0] += 1
            return open[sender, default: 0]
        }
    }

    /// Counts a connection as closed.
    func leave(_ sender: HostAddress.Network) {
        open.withLock { open in
            let left = open[sender, default: 0] - 1
            open[sender] = left > 0 ? left : nil
        }
    }

    /// How many senders have a connection open.
    var senders: Int { open.withLock { $0.count } }
}

/// How many connections one address may have open, and who is exempt.
struct ConnectionLimit: Sendable {
    /// 0 for any number.
    var perAddress: Int
    /// Those speak for many.
    var proxies: TrustedProxies
    let ledger = ConnectionLedger()
}

extension HostAddress {
    /// Who counts as one sender: an address of IPv4, or 64 bits of IPv6, which one customer has to itself.
    struct Network: Hashable, Sendable {
        fileprivate let bytes: [UInt8]
    }

    /// The network that the address is counted as.
    var network: Network { Network(bytes: bytes.count == 16 ? Array(bytes.prefix(8)) : bytes) }
}
