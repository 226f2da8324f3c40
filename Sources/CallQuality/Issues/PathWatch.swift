import CallModel

/// Follows which network the media take: changes of the device's own, and time spent on TCP.
struct PathWatch: Hashable, Archivable {
    /// Media moved to another network of the device.
    struct Move: Hashable, Archivable {
        var time: Timestamp
        var from: String
        var to: String
    }

    private(set) var moves: [Move] = []
    /// Spans over TCP, in order of time.
    private(set) var overTCP: [TimeSpan] = []
    private var networkType: String?
    /// The device's own addresses, the last of each family of IP.
    private var hostAddresses: [String] = []
    private var isOverTCP = false

    private static let mostMoves = 50

    init() {}

    /// Those of several connections, in order of time.
    init(joining watches: [PathWatch]) {
        moves = watches.flatMap(\.moves).sorted { $0.time < $1.time }
        overTCP = watches.flatMap(\.overTCP).sorted { $0.start < $1.start }
    }

    /// The address of another candidate than `host` is that of a translator or relay (W3C webrtc-stats, `address`), and a device
    /// with two families of IP uses either: neither says that it moved.
    mutating func take(_ path: PathSummary, at time: Timestamp) {
        takeProtocol(path, at: time)
        let isHost = path.localType == nil || path.localType == "host"
        let address = isHost ? path.localAddress.flatMap { Self.unnamed.contains($0) ? nil : $0 } : nil
        let known = address.flatMap { address in hostAddresses.first { Self.isIPv6($0) == Self.isIPv6(address) } }
        let before = network
        let hasMoved = Self.differ(networkType, path.networkType) || Self.differ(known, address)
        networkType = path.networkType ?? networkType
        if hasMoved { hostAddresses = [] }
        if let address, known == nil || hasMoved { hostAddresses.append(address) }
        if hasMoved, moves.count < Self.mostMoves { moves.append(Move(time: time, from: before, to: network)) }
    }

    /// In words.
    private var network: String { ([networkType].compactMap { $0 } + hostAddresses.suffix(1)).joined(separator: " ") }

    private static func isIPv6(_ address: String) -> Bool { address.contains(":") }

    /// What stands for an address that is a name.
    private static let unnamed: Set<String> = ["mdns", "name"]

    private static func differ(_ before: String?, _ now: String?) -> Bool {
        zip(before, now).map { $0 != $1 } ?? false
    }

    private mutating func takeProtocol(_ path: PathSummary, at time: Timestamp) {
        let names = [path.transportProtocol, path.localType == "relay" ? path.relayProtocol : nil]
        let isTCP = names.contains { $0 == "tcp" || $0 == "tls" }
        if isTCP, !isOverTCP, overTCP.count < Self.mostMoves { overTCP.append(TimeSpan(start: time, end: nil)) }
        if !isTCP, isOverTCP, let last = overTCP.indices.last { overTCP[last].end = time }
        isOverTCP = isTCP
    }
}

// MARK: - Archive

extension PathWatch.Move {
    func write(to archive: inout ArchiveWriter) {
        archive.put(time, from, to)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (time, from, to) = try archive.get()
    }
}

extension PathWatch {
    func write(to archive: inout ArchiveWriter) {
        archive.put(moves, overTCP, networkType, isOverTCP)
        archive.put(hostAddresses)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (moves, overTCP, networkType, isOverTCP) = try archive.get()
        hostAddresses = try archive.get()
    }
}
