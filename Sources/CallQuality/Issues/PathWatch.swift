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
    private var network: String?
    private var isOverTCP = false

    private static let mostMoves = 50

    init() {}

    /// Those of several connections, in order of time.
    init(joining watches: [PathWatch]) {
        moves = watches.flatMap(\.moves).sorted { $0.time < $1.time }
        overTCP = watches.flatMap(\.overTCP).sorted { $0.start < $1.start }
    }

    mutating func take(_ path: PathSummary, at time: Timestamp) {
        takeProtocol(path, at: time)
        let now = [path.networkType, path.localAddress].compactMap { $0 }.joined(separator: " ")
        guard !now.isEmpty else { return }
        if let network, network != now, moves.count < Self.mostMoves {
            moves.append(Move(time: time, from: network, to: now))
        }
        network = now
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
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (moves, overTCP, network, isOverTCP) = try archive.get()
    }
}
