import ArgumentParser
import ClientStats

/// What is shown of the IP addresses in a file.
enum AddressChoice: String, CaseIterable, ExpressibleByArgument {
    /// The network: /24 and /48.
    case cut
    /// The address.
    case full

    /// The same for what clients wrote.
    var policy: AddressPolicy {
        switch self {
        case .cut: .cut
        case .full: .full
        }
    }
}
