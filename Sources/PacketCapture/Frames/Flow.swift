/// An address and a port.
struct Endpoint: Hashable, Sendable {
    var address: IPAddress
    var port: UInt16
}

extension Endpoint: CustomStringConvertible {
    /// `192.0.2.1:5060` or `[2001:db8::1]:5060`.
    var description: String {
        address.isIPv4 ? "\(address):\(port)" : "[\(address)]:\(port)"
    }

    /// The network and the port, as they are kept: `192.0.2.0/24:5060`.
    var cut: String { "\(address.cut):\(port)" }

    /// As the options of a probe say.
    func told(by options: ProbeOptions) -> String { options.tellsAddresses ? description : cut }
}

/// Where packets go from and to, in this direction. Link layer, VLAN and tunnel are not part of it.
struct Flow: Hashable, Sendable {
    var source: Endpoint
    var destination: Endpoint

    /// The flow of the answers.
    var reversed: Flow { Flow(source: destination, destination: source) }
}

extension Flow: CustomStringConvertible {
    var description: String { "\(source) > \(destination)" }
}
