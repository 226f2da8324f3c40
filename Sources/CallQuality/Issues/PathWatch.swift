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
    /// The network in words, its type, and the device's own address by family of IP.
    private var network: String?
    private var networkType: String?
    private var hostAddresses: [String: String] = [:]
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
        let family = address?.contains(":") == true ? "IPv6" : "IPv4"
        let hasMoved =
            Self.differ(networkType, path.networkType)
            || Self.differ(hostAddresses[family], address)
        let now = [path.networkType ?? networkType, address].compactMap { $0 }.joined(separator: " ")
        guard !now.isEmpty else { return }
        if hasMoved {
            hostAddresses = [:]
            if let network, moves.count < Self.mostMoves { moves.append(Move(time: time, from: network, to: now)) }
        }
        networkType = path.networkType ?? networkType
        if let address { hostAddresses[family] = address }
        if hasMoved || network == nil || address != nil { network = now }
    }

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
        archive.put(moves, overTCP, network, isOverTCP)
        archive.put(networkType, hostAddresses)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (moves, overTCP, network, isOverTCP) = try archive.get()
        (networkType, hostAddresses) = try archive.get()
    }
}
