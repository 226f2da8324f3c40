import CallModel

/// Collects what the parts of a body hold, in the order in which they stand.
struct SubmissionBuilder {
    let context: ParsingContext
    private var body = ParsedBody()
    private var positions: [Key: Int] = [:]
    private var types: Set<String> = []
    private var properties: Set<String> = []
    private var objectCount = 0

    /// So many unknown names are told; more help no one.
    private static let maximumNames = 100

    private struct Key: Hashable {
        var call: CallID
        var observer: ObserverID
    }

    init(_ context: ParsingContext) {
        self.context = context
    }

    /// Counts statistics objects or events against the limit of the body.
    mutating func count(_ number: Int) throws(ClientStatsError) {
        objectCount += number
        try check(objectCount)
    }

    /// Refuses a body with so many parts, before each of them makes work.
    func check(_ number: Int) throws(ClientStatsError) {
        guard number <= context.limits.objects else {
            throw ClientStatsError(.tooMany(limit: context.limits.objects))
        }
    }

    mutating func add(_ fact: Fact, call: CallID, observer: ObserverID, index: Int, names: [CallName] = []) {
        let key = Key(call: call, observer: observer)
        let item = Submission.Item(index: index, fact: fact, names: names)
        guard let position = positions[key] else {
            positions[key] = body.submissions.count
            let identity = CallIdentity(tenant: context.tenant, call: call)
            body.submissions.append(Submission(identity: identity, observer: observer, facts: [item]))
            return
        }
        body.submissions[position].facts.append(item)
    }

    mutating func refuse(_ problem: Problem, at place: BodyPlace) {
        let problem = problem.prefixed(place.name)
        body.refusals.append(Refusal(index: place.index, reason: problem.reason, message: problem.message))
    }

    mutating func noteUnknown(type: String) { types.insert(type) }

    mutating func noteUnknown(properties names: some Sequence<String>) { properties.formUnion(names) }

    /// What was collected.
    var result: ParsedBody {
        var body = body
        body.unknownTypes = Array(types.sorted().prefix(Self.maximumNames))
        body.unknownProperties = Array(properties.sorted().prefix(Self.maximumNames))
        return body
    }
}

/// Where in a body a part stands.
struct BodyPlace {
    var index: Int
    /// For messages; empty when the part is the whole body.
    var name: String

    var isWhole: Bool { name.isEmpty }

    static let whole = BodyPlace(index: 0, name: "")

    static func element(_ index: Int) -> BodyPlace { BodyPlace(index: index, name: "element \(index)") }

    static func line(_ index: Int, number: Int) -> BodyPlace { BodyPlace(index: index, name: "line \(number)") }
}

extension SubmissionBuilder {
    /// Reads one report and adds it as a fact of a call, which may have a session.
    /// - Throws: when the report is the whole body and of no known shape, or there are too many objects.
    mutating func addReport(
        _ statistics: JSONValue, call: CallID, session: String?, observer: ObserverID, connection: ConnectionID,
        carried: Timestamp?, isTimeOfSampling: Bool = false, notes: [String] = [], at place: BodyPlace
    ) throws(ClientStatsError) {
        var goog = GoogReports()
        try addReport(
            statistics, call: call, session: session, observer: observer, connection: connection, carried: carried,
            isTimeOfSampling: isTimeOfSampling, notes: notes, at: place, goog: &goog)
    }

    /// The same for a report of a series; with `isTimeOfSampling` a clock by which the objects were sampled before they could
    /// be is put right by the time carried. `goog` remembers what must be known of the reports before.
    mutating func addReport(
        _ statistics: JSONValue, call: CallID, session: String? = nil, observer: ObserverID,
        connection: ConnectionID, carried: Timestamp?, isTimeOfSampling: Bool = false, notes: [String],
        at place: BodyPlace, goog: inout GoogReports
    ) throws(ClientStatsError) {
        var notes = notes
        var raw: RawReport
        do {
            raw = try RawReport(statistics, limits: context.limits)
        } catch {
            if place.isWhole || error.reason == .tooLarge { throw ClientStatsError(error) }
            return refuse(error, at: place)
        }
        let sent = raw.objects.count
        try count(sent)
        for index in raw.objects.indices { Flattening.apply(to: &raw.objects[index].members) }
        Spelling.apply(to: &raw.objects)
        notes += FlatRows.unfold(&raw.objects)
        let isGoog = goog.translate(&raw.objects, of: connection, carried: carried)
        if isGoog { notes.append(GoogReports.note) } else { OldNames.retype(&raw.objects) }
        // Rows that were taken apart are as much work as if they had come so.
        try count(raw.objects.count - sent)
        let normal = Normaliser(
            raw.objects, carried: carried, receivedAt: context.receivedAt, addresses: context.addresses,
            limits: context.limits)
        guard isGoog || normal.objects.isEmpty || KnownTypes.areAmong(normal.objects) else {
            let problem = RawReport.withoutKnownType(raw.objects)
            if place.isWhole { throw ClientStatsError(problem) }
            return refuse(problem, at: place)
        }
        for problem in raw.problems + normal.problems { refuse(problem, at: place) }
        guard !normal.objects.isEmpty else { return }
        let unknown = KnownTypes.unknown(among: normal.objects, isGoog: isGoog)
        for type in unknown { noteUnknown(type: type.rawValue) }
        if normal.objects.contains(where: { unknown.contains($0.type) && $0.members["ssrc"] != nil }) {
            notes.append(KnownTypes.note)
        }
        if normal.objects.contains(where: { $0.type == .unknown }) { notes.append(KnownTypes.withoutTypeNote) }
        var report = StatsReport(
            connection: connection, time: normal.time, receivedAt: context.receivedAt, objects: normal.objects,
            notes: notes + normal.notes)
        if isTimeOfSampling, let carried { report = report.sampled(at: carried) }
        let names = [session].compactMap { $0 }.map { CallName(.session, $0, source: "sessionId") }
        add(.report(report), call: call, observer: observer, index: place.index, names: names)
    }
}
