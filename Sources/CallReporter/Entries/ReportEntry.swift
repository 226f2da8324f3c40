/// One event or report as it is sent: a JSON object on one line
/// ([docs/ingest-api.md](../../../docs/ingest-api.md#members)).
struct ReportEntry: Hashable, Sendable {
    /// The line, without its end.
    let line: [UInt8]

    /// A collector takes bodies of 1 MiB; with less there is room for the rest of one.
    static let mostBytes = 900_000

    /// - Parameter members: what the event says; `action` and `type` must be among it.
    /// - Throws: ``Flaw``.
    init(_ members: [String: ReportValue]) throws(Flaw) {
        for name in ["action", "type"] {
            guard case .text(let text)? = members[name], !text.isEmpty else { throw .missing(name) }
        }
        line = ReportValue.members(members).json
        guard line.count <= Self.mostBytes else { throw .tooLong(bytes: line.count) }
    }

    /// Why something cannot be sent.
    enum Flaw: Error, Hashable, CustomStringConvertible {
        case missing(String)
        case tooLong(bytes: Int)

        var description: String {
            switch self {
            case .missing(let name): "an event has no \(name); expected text in action and type"
            case .tooLong(let bytes): "an entry has \(bytes) bytes; expected at most \(ReportEntry.mostBytes)"
            }
        }
    }
}
