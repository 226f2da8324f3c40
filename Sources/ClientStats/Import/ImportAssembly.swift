import CallModel

/// Turns what the readers of files find into facts: whose they are, when they were made, in W3C names and units.
struct ImportAssembly {
    let context: ParsingContext
    private var odd = ImportNotes()
    /// The time of the fact that was added last.
    private(set) var lastTime = RelativeTime.start
    private var body = ParsedBody()
    private var googReports = GoogReports()
    private var clocks: [RecordName: ClockSteps] = [:]
    private var steps: [EndName: ClockStep] = [:]
    private var names: [String: CallID] = [:]
    private var hasTimelessReport = false
    /// What to add to the times of events of an observer that do not count from 1970.
    private var eventShifts: [EndName: Int64] = [:]
    private var pendingEnd: [String: PendingEnd] = [:]
    private var unclaimed = UnclaimedEvents()

    /// One connection as one observer saw it.
    private struct RecordName: Hashable {
        var call: CallID
        var observer: ObserverID
        var connection: ConnectionID
    }

    /// What one observer told of a call.
    private struct EndName: Hashable {
        var call: CallID
        var observer: ObserverID
    }

    /// A report on its way to a fact.
    struct Report {
        /// The call it names; `nil` for the one of its file or page.
        var call: CallID?
        /// The session of the call that the message names beside it.
        var session: String?
        /// What tells pages of one file apart; calls without a name are named by page.
        var page = ""
        /// The observer it names.
        var observer: ObserverID?
        var connection = ConnectionID.only
        var statistics: JSONValue
        /// The time of the message around it, in any unit.
        var time: JSONValue?
        /// Whether that is when it was sampled.
        var isTimeOfSampling = false
        var notes: [String] = []
    }

    init(_ context: ParsingContext) {
        self.context = context
    }

    /// Hands over what was found since the last time.
    mutating func take() -> ParsedBody {
        defer { body = ParsedBody() }
        return body
    }

    /// What is odd about the file, each once, in order of appearance.
    var notes: [String] { odd.told }

    mutating func note(_ words: String) { odd.add(words) }

    mutating func refuse(_ problem: Problem, at place: BodyPlace) {
        let problem = problem.prefixed(place.name)
        body.refusals.append(Refusal(index: place.index, reason: problem.reason, message: problem.message))
    }

    mutating func noteUnknown(types: some Sequence<String>, properties: some Sequence<String>) {
        body.noteUnknown(types: types, properties: properties)
    }
}

// MARK: - Reports

extension ImportAssembly {
    mutating func add(_ report: Report, at place: BodyPlace) {
        let observer = report.observer ?? context.observer ?? .client
        var builder = SubmissionBuilder(context)
        do {
            try builder.addReport(
                report.statistics, call: report.call ?? CallID(rawValue: ""), observer: observer,
                connection: report.connection, carried: try moment(of: report),
                isTimeOfSampling: report.isTimeOfSampling, notes: report.notes, at: place, goog: &googReports)
        } catch let error as Problem {
            return refuse(error, at: place)
        } catch let error as ClientStatsError {
            return refuse(Problem(error.reason, error.description), at: place)
        } catch {
            return
        }
        take(builder.result, of: report)
    }

    private mutating func take(_ parsed: ParsedBody, of report: Report) {
        body.refusals += parsed.refusals
        body.noteUnknown(types: parsed.unknownTypes, properties: parsed.unknownProperties)
        let names = report.session.map { [CallName(.session, $0, source: "sessionId")] } ?? []
        for submission in parsed.submissions {
            for item in submission.facts {
                guard case .report(var fact) = item.fact else { continue }
                let call = report.call ?? callOfPage(report.page, first: item.fact)
                let name = RecordName(call: call, observer: submission.observer, connection: fact.connection)
                let told = fact.time
                if let words = clocks[name, default: ClockSteps()].correct(&fact) {
                    note("\(words)\(fact.connection == .only ? "" : " (connection \(fact.connection.rawValue))")")
                }
                steps[EndName(call: call, observer: submission.observer)] = ClockStep(
                    told: told, offset: fact.time.milliseconds(since: told))
                fact.receivedAt = fact.time
                append(.report(fact), call: call, observer: submission.observer, index: item.index, names: names)
            }
        }
    }

    /// Adds a report that was exported, as it stands.
    mutating func add(_ exported: ExportedReport, call: CallID, index: Int) {
        let observer = exported.observer ?? context.observer ?? .client
        append(.report(exported.report), call: call, observer: observer, index: index, names: exported.names)
    }

    private mutating func append(
        _ fact: Fact, call: CallID, observer: ObserverID, index: Int, names: [CallName] = []
    ) {
        if case .report = fact {
            let claimed = unclaimed.takeReport(of: observer, call: call)
            for item in claimed.items { append(item, observer: claimed.observer) }
        }
        var fact = fact
        if case .event(var event) = fact, let step = steps[EndName(call: call, observer: observer)], step.offset != 0 {
            let isReceiptTold = event.receivedAt != event.time
            event.time = step.moment(of: event.time)
            if !isReceiptTold { event.receivedAt = event.time }
            fact = .event(event)
        }
        lastTime = fact.time
        // Retention goes by receipts: nothing was received later than now, whatever a file says.
        fact.receivedAt = min(fact.receivedAt, context.receivedAt)
        body.append(
            fact, identity: CallIdentity(tenant: context.tenant, call: call), observer: observer, index: index,
            names: names)
    }

    /// The time of the message, else what the objects say where they do not count from 1970.
    private mutating func moment(of report: Report) throws(Problem) -> Timestamp? {
        func moment(_ time: JSONValue) -> Timestamp? { EpochTime(time, receivedAt: context.receivedAt)?.timestamp }
        if let time = report.time.flatMap(moment) { return time }
        let raw = try? RawReport(report.statistics, limits: context.limits)
        let times = (raw?.objects ?? []).compactMap { object in
            EpochTime.value(in: object.members)
        }
        if let latest = times.compactMap(moment).max() { return latest }
        guard raw?.objects.isEmpty == false else { return nil }
        let counted = [report.time?.number, times.compactMap(\.number).max()].compactMap { $0 }.first
        guard let relative = counted.flatMap(RelativeTime.moment) else { return try timeless() }
        note(RelativeTime.note)
        return relative
    }

    /// A report that tells no time can be read once; a second one would be taken for the same.
    private mutating func timeless() throws(Problem) -> Timestamp {
        guard !hasTimelessReport else {
            throw Problem(.missingMember, "nothing says when this report was taken, nor did the one before")
        }
        hasTimelessReport = true
        note(RelativeTime.note)
        return RelativeTime.start
    }
}

/// Times that count from something else than 1970.
private enum RelativeTime {
    static let start = EpochTime.plausible.lowerBound
    static let note = "times do not count from 1970; they are shown as if they counted from 2000-01-01"
    static let eventNote =
        "times of events do not count from 1970; they keep their distances, the first is shown at the fact before it, "
        + "else at 2000-01-01"

    /// Ten days in milliseconds.
    private static let mostMilliseconds = 864e6
    /// Fifty days in microseconds, as libwebrtc counts from the start of a machine.
    private static let mostMicroseconds = 4.32e12

    /// - Returns: `nil` for a number that is neither.
    static func moment(_ told: Double) -> Timestamp? {
        guard (0...mostMicroseconds).contains(told) else { return nil }
        let milliseconds = told <= mostMilliseconds ? told : told / 1000
        return start.advanced(byMilliseconds: Int64(milliseconds.rounded()))
    }
}

// MARK: - Events

extension ImportAssembly {
    /// Adds an event of a call that names itself. One without an observer is of the end that reports.
    mutating func add(_ event: CallEvent, call: CallID, observer: ObserverID?, receivedAt: Timestamp?, index: Int) {
        var event = event
        event.receivedAt = receivedAt ?? event.time
        if let observer = observer ?? context.observer {
            return append(.event(event), call: call, observer: observer, index: index)
        }
        lastTime = event.time
        unclaimed.keep(UnclaimedEvents.Item(call: call, event: event, index: index))
        if unclaimed.isFull { addUnclaimed() }
    }

    private mutating func addUnclaimed() {
        for (item, observer) in unclaimed.takeAll() { append(item, observer: observer) }
    }

    private mutating func append(_ item: UnclaimedEvents.Item, observer: ObserverID) {
        append(.event(item.event), call: item.call, observer: observer, index: item.index)
    }

    /// When an event happened whose time does not count from 1970: the first one of its end of a call at the fact before
    /// it, and others as far from it as they tell. Their times may have lost all but 32 bits.
    mutating func moment(counted: Int64, call: CallID, observer: ObserverID?) -> Timestamp {
        note(RelativeTime.eventNote)
        let name = EndName(call: call, observer: observer ?? context.observer ?? .client)
        if let shift = eventShifts[name] {
            let distance = Int64(Int32(truncatingIfNeeded: counted &+ shift &- lastTime.milliseconds))
            // Further from the fact before it, it is of another clock.
            if abs(distance) <= 86_400_000 { return lastTime.advanced(byMilliseconds: distance) }
        }
        eventShifts[name] = lastTime.milliseconds &- counted
        return lastTime
    }

    /// Adds what a probe saw.
    mutating func add(_ report: WireReport, call: CallID, observer: ObserverID, index: Int) {
        append(.wire(report), call: call, observer: observer, index: index)
    }

    /// Adds an event that was concluded from what a page did.
    mutating func add(_ event: CallEvent, ofPage page: String, index: Int) {
        let call = callOfPage(page, first: .event(event))
        add(event, call: call, observer: .client, receivedAt: nil, index: index)
    }

    /// An event to be added when nothing more comes of its page.
    private struct PendingEnd {
        var event: CallEvent
        var index: Int
    }

    /// Remembers when all connections of a page were closed; `nil` takes it back.
    mutating func setEnd(_ event: CallEvent?, ofPage page: String, index: Int) {
        pendingEnd[page] = event.map { PendingEnd(event: $0, index: index) }
    }

    /// Adds what is known only at the end of the file.
    mutating func finish() {
        for (page, end) in pendingEnd.sorted(by: { $0.key < $1.key }) {
            add(end.event, ofPage: page, index: end.index)
        }
        pendingEnd = [:]
        addUnclaimed()
    }
}

// MARK: - Names of calls

extension ImportAssembly {
    /// The call of a page that does not name it: what the caller named, else a name made of the page's first fact.
    ///
    /// The first fact of a file stays the same however often it is read, and when it has grown, so that a second import
    /// repeats the first one.
    private mutating func callOfPage(_ page: String, first fact: Fact) -> CallID {
        if let name = names[page] { return name }
        let name: CallID
        if let given = context.call {
            name = names.isEmpty ? given : CallID(rawValue: "\(given.rawValue)-\(names.count + 1)")
        } else {
            let hash = ContentHash(of: "\(page)\u{1}\(fact.imprint)").rawValue
            let digits = String(hash, radix: 16)
            name = CallID(rawValue: "import-\(fact.time.milliseconds)-\(digits.suffix(8))")
        }
        names[page] = name
        return name
    }
}

extension Fact {
    /// What tells this fact from those of another call made in the same millisecond.
    fileprivate var imprint: String {
        switch self {
        case .report(let report):
            report.objects.map { "\($0.type.rawValue) \($0.id) \($0.contentHash.rawValue)" }.joined(separator: "\n")
        case .event(let event): "\(event.action) \(event.type)"
        case .wire: ""
        }
    }
}
