import CallModel
import ClientStats
import Testing

/// The moment the test's collector receives everything.
let received = Timestamp(milliseconds: 1_800_000_000_000)

extension ParsingContext {
    /// A request for the statistics of the call `call`.
    static let stats = ParsingContext(call: CallID(rawValue: "call"), receivedAt: received)
    /// A request that brings events.
    static let events = ParsingContext(receivedAt: received)
}

extension ParsedBody {
    /// The reports in it, whatever call and observer they belong to.
    var reports: [StatsReport] {
        submissions.flatMap(\.facts).compactMap { if case .report(let report) = $0.fact { report } else { nil } }
    }

    /// The events in it, whatever call and observer they belong to.
    var events: [CallEvent] {
        submissions.flatMap(\.facts).compactMap { if case .event(let event) = $0.fact { event } else { nil } }
    }
}

extension ParsedBody {
    /// The wire reports in it, whatever call and observer they belong to.
    var wireReports: [WireReport] {
        submissions.flatMap(\.facts).compactMap { if case .wire(let report) = $0.fact { report } else { nil } }
    }
}

extension StatsReport {
    /// The first object of a type, or of a type and kind.
    func object(_ type: StatsType, kind: MediaKind? = nil) -> StatsObject? {
        objects.first { $0.type == type && (kind == nil || $0.members["kind"]?.text == kind?.rawValue) }
    }
}

func parseStats(_ text: String, in context: ParsingContext = .stats) throws -> ParsedBody {
    try StatsBody.parse(Array(text.utf8), in: context)
}

func parseEvents(_ text: String, in context: ParsingContext = .events) throws -> ParsedBody {
    try EventsBody.parse(Array(text.utf8), in: context)
}

func parseWire(_ text: String, in context: ParsingContext = .events) throws -> ParsedBody {
    try WireBody.parse(Array(text.utf8), in: context)
}

/// The text of the error that refuses a whole body.
func statsError(_ text: String, in context: ParsingContext = .stats) -> ClientStatsError? {
    #expect(throws: ClientStatsError.self) { try parseStats(text, in: context) }
}
