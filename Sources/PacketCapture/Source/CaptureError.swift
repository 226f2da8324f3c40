/// Why a capture could not be read or made.
public enum CaptureError: Error, Hashable, Sendable {
    /// There is no such file.
    case missingFile(path: String)
    /// The path is that of a directory.
    case directory(path: String)
    /// The system does not let the file be read; its reason.
    case unreadableFile(path: String, reason: String)
    /// The file has no bytes, or is compressed and inflates to none.
    case emptyFile(path: String)
    /// The file begins with these bytes, as no capture does; they are not known of what is piped in.
    case notACapture(path: String, firstBytes: [UInt8])
    /// The file begins as a capture does, but its own header is wrong; libpcap's reason.
    case damagedHeader(path: String, reason: String)
    /// The link layer is one that cannot be decoded; libpcap's number and name. `source` is a file or an interface.
    case unsupportedLinkType(source: String, number: Int, name: String)
    /// The file ends inside a record; what came before counts. `byte` is its length.
    case truncated(path: String, byte: Int, frames: Int)
    /// A record contradicts itself near `byte`; what came before counts. libpcap's or zlib's reason.
    case damaged(path: String, byte: Int, frames: Int, reason: String)
    /// The filter is no BPF expression; libpcap's reason.
    case badFilter(filter: String, reason: String)
    /// The file holds what libpcap, which filters, does not read; what that is. Frames before it count.
    case filterNotPossible(path: String, reason: String)
    /// There is no such interface; those there are.
    case noSuchInterface(name: String, available: [String])
    /// The process may not capture.
    case permissionDenied(interface: String)
    /// The interface is there, but not up.
    case interfaceDown(name: String)
    /// libpcap cannot capture on the interface, or no longer; its reason.
    case captureFailed(interface: String, reason: String)
}

extension CaptureError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .missingFile(let path):
            "cannot read \(path): there is no such file"
        case .directory(let path):
            "cannot read \(path): it is a directory, expected a capture file"
        case .unreadableFile(let path, let reason):
            "cannot read \(path): \(reason)"
        case .emptyFile(let path):
            "\(path) is empty; perhaps the program that writes it was stopped early"
        case .notACapture(let path, let firstBytes):
            "\(path) is not a capture file\(Self.beginning(firstBytes)), "
                + "expected pcap (D4 C3 B2 A1, …), pcapng (0A 0D 0D 0A) or one of them in gzip (1F 8B)"
        case .damagedHeader(let path, let reason):
            "\(path) is not a whole capture file: \(reason)"
        case .unsupportedLinkType(let source, let number, let name):
            "\(source) has link type \(name) (\(number)), which cannot be decoded; "
                + "expected one of \(Self.supportedLinkTypes)"
        case .truncated(let path, let byte, let frames):
            "\(path) ends at byte \(byte), inside a frame; \(Self.counting(frames))"
        case .damaged(let path, let byte, let frames, let reason):
            "\(path) is damaged near byte \(byte): \(reason); \(Self.counting(frames))"
        case .badFilter(let filter, let reason):
            "\"\(filter)\" is not a capture filter: \(reason); man pcap-filter describes them"
        case .filterNotPossible(let path, let reason):
            "cannot filter \(path): \(reason), and libpcap, which filters, does not read such files; "
                + "without a filter it can be read"
        case .noSuchInterface(let name, let available):
            "there is no interface \(name); \(Self.choice(available))"
        case .permissionDenied(let interface):
            "not allowed to capture on \(interface): run as root, or give the program CAP_NET_RAW "
                + "(setcap cap_net_raw+ep FILE)"
        case .interfaceDown(let name):
            "interface \(name) is down; ip link set \(name) up starts it"
        case .captureFailed(let interface, let reason):
            "cannot capture on \(interface): \(reason)"
        }
    }

    /// The names of the link types there are, each once.
    private static var supportedLinkTypes: String {
        var names: [String] = []
        for type in LinkType.allCases where !names.contains(type.name) { names.append(type.name) }
        return names.joined(separator: ", ")
    }

    private static func counting(_ frames: Int) -> String {
        switch frames {
        case 0: "no frame is before it"
        case 1: "the one frame before it counts"
        default: "the \(frames) frames before it count"
        }
    }

    private static func choice(_ names: [String]) -> String {
        names.isEmpty ? "none can be captured on" : "there are \(names.joined(separator: ", "))"
    }

    private static func beginning(_ bytes: [UInt8]) -> String {
        bytes.isEmpty ? "" : ": it begins with \(listing(bytes))"
    }

    /// Bytes as hexadecimal numbers, with the text they are if they are one.
    private static func listing(_ bytes: [UInt8]) -> String {
        let numbers = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
        let isText = bytes.allSatisfy { (0x20...0x7E).contains($0) }
        let text = isText ? " (\"\(String(decoding: bytes, as: UTF8.self))\")" : ""
        return numbers.joined(separator: " ") + text
    }
}
