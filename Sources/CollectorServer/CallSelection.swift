import CallModel
import Hummingbird

/// Which records of a call a request is about.
struct CallSelection: Sendable {
    let identity: CallIdentity
    /// `nil` for all.
    let observer: ObserverID?
    /// `nil` for all.
    let attempt: Int?

    /// The query parameters that select records.
    static let names = ["observer", "attempt"]

    init(_ identity: CallIdentity, _ parameters: QueryParameters) throws {
        self.identity = identity
        observer = parameters.text("observer").map(ObserverID.init(rawValue:))
        attempt = try parameters.integer("attempt", in: 1...Int.max)
    }

    /// Whether it means a record of its call.
    func includes(_ key: CallKey) -> Bool {
        (observer ?? key.observer) == key.observer && (attempt ?? key.attempt) == key.attempt
    }
}

extension CallSelection {
    /// - Throws: ``APIError`` when the path or the query cannot be read.
    init(
        _ request: Request, _ context: CollectorContext, _ limits: IngestLimits, and names: [String] = []
    ) throws {
        try self.init(try context.identity(limits), try QueryParameters(request, names: Self.names + names))
    }
}
