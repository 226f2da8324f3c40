import CallModel

/// Pairs `iceDisconnected` and `iceConnected` of each connection of a call.
struct ConnectivityTracker: Archivable {
    private var connections: [String: SpanTracker] = [:]

    /// More connections are not told apart.
    private static let mostConnections = 100

    /// Takes an event of ICE. One that names no connection is of the only one.
    ///
    /// Of a named connection that was never connected, ICE has failed, which is no interruption.
    mutating func take(_ meaning: EventMeaning, of event: CallEvent) {
        let name = Self.connection(in: event.members)
        guard connections[name] != nil || connections.count < Self.mostConnections else { return }
        var spans = connections[name] ?? SpanTracker()
        if meaning == .iceConnected {
            spans.close(at: event.time)
        } else if name.isEmpty || spans.strayEnds > 0 || !spans.spans.isEmpty {
            spans.open(at: event.time)
        }
        connections[name] = spans
    }

    /// Leaves out that a connection was lost since it was closed; `isOnly` is whether it is the only one of the call.
    mutating func close(_ connection: ConnectionID, at time: Timestamp, isOnly: Bool) {
        connections[connection.rawValue]?.dropOpen(since: time)
        if isOnly { connections[""]?.dropOpen(since: time) }
    }

    /// When a connection was lost, by the events that name it or none; `nil` when it has not been since its last report.
    func disconnectedAt(_ connection: ConnectionID, since last: Timestamp?) -> Timestamp? {
        [connection.rawValue, ""].compactMap { name in
            connections[name].flatMap { spans in last.map { spans.openedAt(since: $0) } ?? spans.openedAt }
        }
        .max()
    }

    /// What the members call the connection; a number counts as its digits. Empty where they name none.
    private static func connection(in members: JSONObject) -> String {
        for name in ConnectionID.memberNames {
            switch members[name] {
            case .string(let text) where !text.isEmpty: return text
            case .integer(let number): return String(number)
            default: continue
            }
        }
        return ""
    }

    /// How many of ``disconnects`` are not kept.
    var leftOut: Int { connections.values.reduce(0) { $0 + $1.leftOut } }

    /// The spans without a connection, in order of time.
    var disconnects: [TimeSpan] {
        connections.values.flatMap(\.spans).sorted {
            ($0.start, $0.milliseconds ?? .max) < ($1.start, $1.milliseconds ?? .max)
        }
    }
}

// MARK: - Archive

extension ConnectivityTracker {
    func write(to archive: inout ArchiveWriter) {
        archive.put(connections)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        connections = try archive.get()
    }
}
