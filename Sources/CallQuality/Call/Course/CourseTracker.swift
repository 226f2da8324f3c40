import CallModel

/// Follows what happens in a call besides its media.
struct CourseTracker: Archivable {
    private(set) var phases = PhaseTracker()
    private(set) var lanes = LaneTracker()
    private(set) var end = EndTracker()
    private var quality = QualityStepTracker()
    private var configuration = ConfigurationReader()
    private var handovers = 0
    private var retries = 0
    private var mostRetries: Int?
    private var lostConnections = 0
    private var problems: [CallProblem] = []
    private var operations: [String: OperationCount] = [:]
    private var tonesSent = 0
    private var namedSources: Set<UInt32> = []
    private var toldPeriod: Double?
    private var tellsStates = false
    private var registeringSince: Timestamp?

    private static let mostProblems = 50
    private static let mostOperations = 50
    private static let mostSources = 100
    /// Unreachable for so long or less is a change from one network to another.
    private static let handoverMilliseconds: Int64 = 1_000

    /// Takes what one event says.
    mutating func take(_ meaning: EventMeaning, of event: CallEvent) {
        let time = event.time
        switch meaning {
        case .held(let holder): lanes.hold(by: holder, at: time)
        case .active, .established: lanes.release(at: time)
        case .resumed: lanes.resume(at: time)
        case .condition(let kind, isOn: true): lanes.begin(kind, at: time)
        case .condition(let kind, isOn: false): lanes.end(kind, at: time)
        case .audioDevice(let name): lanes.begin(.audioDevice, at: time, value: name)
        case .quality(let value): quality.take(value, at: time)
        case .connectionRetry, .connectionLost, .connectionRestored, .network: takeNetwork(meaning, at: time)
        case .ended(let cause): finish(cause, event)
        case .failed(let cause): if !phases.wasActive { finish(cause, event) }
        case .operation(let name, let isSuccess): count(name, isSuccess, of: event)
        case .problem(let kind): note(kind, of: event)
        case .tones(let count): tonesSent += count
        case .registering: registeringSince = registeringSince ?? time
        case .registered: registeringSince = nil
        case .streams(let sources): namedSources.formUnion(sources.prefix(Self.mostSources - namedSources.count))
        default: break
        }
        phases.take(meaning, at: time)
    }

    /// Takes what an event says of how the call was set up to be.
    mutating func takeConfiguration(of event: CallEvent) {
        // `/reporter.js` tells the end of whatever it has told the beginning of.
        tellsStates =
            tellsStates || ["callstate", "callstatus", "call", "sip"].contains(event.foldedAction)
            || event.detail("source")?.text == "sidetone-web"
        configuration.take(event)
    }

    /// Holds what the client tells against the score computed here.
    mutating func compare(with scores: [ScoreInterval]) {
        for interval in scores where interval.series == .live { quality.compare(with: interval) }
    }

    private mutating func takeNetwork(_ meaning: EventMeaning, at time: Timestamp) {
        switch meaning {
        case .network(isReachable: false): lanes.begin(.networkUnreachable, at: time)
        case .network: reach(at: time)
        case .connectionRetry(let attempt):
            retries += 1
            mostRetries = max(mostRetries ?? 0, attempt ?? retries)
            lanes.begin(.signallingLost, at: time)
        case .connectionLost:
            lostConnections += 1
            lanes.begin(.signallingLost, at: time)
        default:
            retries = 0
            lanes.end(.signallingLost, at: time)
            reach(at: time)
        }
    }

    private mutating func reach(at time: Timestamp) {
        guard let length = lanes.end(.networkUnreachable, at: time) else { return }
        if length <= Self.handoverMilliseconds { handovers += 1 }
    }

    private mutating func finish(_ cause: CallEndCause?, _ event: CallEvent) {
        end.end(cause, by: event, phases: phases)
        lanes.endAll(at: event.time)
        toldPeriod = toldPeriod ?? event.detail("period")?.number
    }

    private mutating func count(_ name: String, _ isSuccess: Bool?, of event: CallEvent) {
        if Self.isHangup(name), isSuccess != false { end.ask(at: event.time) }
        if isSuccess == false { note(.operationFailed, of: event) }
        guard operations[name] != nil || operations.count < Self.mostOperations else { return }
        switch isSuccess {
        case true?: operations[name, default: OperationCount(name: name)].succeeded += 1
        case false?: operations[name, default: OperationCount(name: name)].failed += 1
        case nil: operations[name, default: OperationCount(name: name)].asked += 1
        }
    }

    /// Whether the app asked to end the call, or not to take it: `endCall`, `endCallWithReason`, `linphone_core_terminate_call`,
    /// `rejectCall`, `linphone_call_decline`.
    private static func isHangup(_ name: String) -> Bool {
        let name = name.lowercased()
        return name == "end" || name.hasPrefix("endcall") || name.contains("terminate_call") || name == "hangup"
            || name.hasPrefix("reject") || name.contains("decline")
    }

    private mutating func note(_ kind: CallProblem.Kind, of event: CallEvent) {
        guard problems.count < Self.mostProblems else { return }
        let code = event.detail("code").flatMap { $0.text ?? $0.wholeNumber.map(String.init) }
        let words = [event.type, code, event.detail("reason")?.text].compactMap { $0 }
        problems.append(CallProblem(time: event.time, kind: kind, name: words.joined(separator: ", ")))
    }

    /// The course so far. `isConnected` is whether media flowed; `activeSince` is when they began, for what the client says of
    /// the call's length.
    func current(end: Timestamp, isConnected: Bool, activeSince: Timestamp?) -> CallCourse {
        var result = CallCourse()
        result.phases = phases.changes
        result.tellsStates = tellsStates
        // A client that does not tell of the answer may have media all the same; what comes while it rings is early media.
        result.endCause = self.end.cause(isUp: isConnected && !phases.wasRinging)
        result.lanes = lanes.lanes.filter { !isHandover($0) }
            .sorted { ($0.span.start, $0.kind.rawValue) < ($1.span.start, $1.kind.rawValue) }
        (result.handovers, result.mostRetries, result.lostConnections) = (handovers, mostRetries, lostConnections)
        result.problems = problems + [notRegistered(at: end)].compactMap { $0 }
        result.operations = operations.values.sorted { $0.name < $1.name }
        result.tonesSent = tonesSent
        result.configuration = configuration.current
        result.reportedQuality = quality.current(end: end)
        result.namedSources = namedSources.sorted()
        if let toldPeriod, let activeSince {
            result.reportedDurationMilliseconds = Self.period(toldPeriod, like: end.milliseconds(since: activeSince))
        }
        if result.reportedDurationMilliseconds == nil { result.unfittingDuration = toldPeriod }
        return result
    }

    /// An answer that has not come for so long is none (liblinphone waits for as long before it goes to sleep).
    private static let registrationMilliseconds: Int64 = 4_000

    private func notRegistered(at end: Timestamp) -> CallProblem? {
        guard let since = registeringSince, end.milliseconds(since: since) >= Self.registrationMilliseconds else {
            return nil
        }
        return CallProblem(time: since, kind: .notRegistered, name: "no answer to the registration")
    }

    /// Counted, and no gap.
    private func isHandover(_ lane: CallLane) -> Bool {
        lane.kind == .networkUnreachable && lane.span.milliseconds.map { $0 <= Self.handoverMilliseconds } == true
    }

    /// A length whose unit is not stated: seconds or milliseconds, whichever is near what was measured.
    private static func period(_ value: Double, like measured: Int64) -> Int64? {
        let tolerance = max(2_000, 0.05 * Double(measured))
        return [value * 1000, value].first { abs($0 - Double(measured)) <= tolerance }.map {
            ($0 / 1000).wholeMilliseconds
        }
    }
}

// MARK: - Archive

extension CourseTracker {
    func write(to archive: inout ArchiveWriter) {
        archive.put(phases, lanes, end, quality)
        archive.put(configuration, handovers, retries, mostRetries)
        archive.put(lostConnections, problems, operations, tonesSent)
        archive.put(namedSources, toldPeriod, tellsStates, registeringSince)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (phases, lanes, end, quality) = try archive.get()
        (configuration, handovers, retries, mostRetries) = try archive.get()
        (lostConnections, problems, operations, tonesSent) = try archive.get()
        (namedSources, toldPeriod, tellsStates, registeringSince) = try archive.get()
    }
}
