import CallModel

/// Reads one message: a report in any shape, an event, or what a probe saw, also as ``ExportedFact`` writes them.
///
/// A report that names no call belongs to its session, if it names one and nobody else names the call, else to the call
/// that was named last before it.
struct MessageReader {
    private let limits: BodyLimits
    private var lastCall: CallID?
    private var lone: LoneObjects?

    init(limits: BodyLimits) {
        self.limits = limits
    }

    /// - Parameters:
    ///   - value: The message.
    ///   - notes: What is to be said of a report that it turns out to be.
    ///   - place: Where it stands, for refusals.
    ///   - assembly: Gets its facts.
    /// - Throws: ``Problem`` with what is wrong with it.
    mutating func read(
        _ value: JSONValue, notes: [String], at place: BodyPlace, into assembly: inout ImportAssembly
    ) throws {
        if let members = value.members, members.isLoneObject {
            if lone?.take(members, limits: limits) == true { return }
            finish(into: &assembly)
            lone = LoneObjects(members, notes: notes, at: place)
            return
        }
        finish(into: &assembly)
        guard let members = value.members else {
            return assembly.add(report(Envelope(around: value), time: nil, notes: notes), at: place)
        }
        if EventNames.action(of: members)?.text != nil {
            try readEvent(members, at: place, into: &assembly)
        } else if case .array(let events) = members["events"] {
            for event in events {
                guard let members = event.members else {
                    throw Problem.wrongType("events", event, expected: "an event")
                }
                try readEvent(members, at: place, into: &assembly)
            }
        } else if case .array(let connections) = members["peerConnections"] {
            for connection in connections {
                try readConnection(connection, time: members["timestamp"], at: place, into: &assembly)
            }
        } else if case .array = members["streams"], members["callId"] != nil {
            let reader = try WireReportReader(members, in: assembly.context.forWire)
            let told = try reader.report()
            let report = WireReport(
                time: told.time, receivedAt: ExportedReport.moment("receivedAt", in: members) ?? told.time,
                streams: told.streams, sensor: told.sensor, audioPacketsSent: told.audioPacketsSent,
                isAudioDue: told.isAudioDue, audioPacketsUndeliverable: told.audioPacketsUndeliverable,
                isContradicted: ExportedFact.isOne(members) && members["isContradicted"] == true)
            assembly.add(report, call: reader.call, observer: reader.observer, index: place.index)
        } else if ExportedReport.isOne(members) {
            try readExported(members, at: place, into: &assembly)
        } else if Envelope.isEnvelope(members) {
            let envelope = try Envelope(members, limits: limits)
            assembly.noteUnknown(types: [], properties: envelope.unknownProperties)
            let time = members.firstMember(of: Envelope.timeNames)?.value
            if envelope.call == nil, assembly.context.call == nil, let session = envelope.session {
                lastCall = CallID(rawValue: session)
            }
            assembly.add(report(envelope, time: time, notes: notes), at: place)
        } else {
            assembly.add(report(Envelope(around: value), time: nil, notes: notes), at: place)
        }
    }

    /// Adds what was held back: statistics objects that stand alone are one report with those after them.
    mutating func finish(into assembly: inout ImportAssembly) {
        guard let lone else { return }
        assembly.add(report(Envelope(around: lone.value), time: nil, notes: lone.notes), at: lone.place)
        self.lone = nil
    }

    private mutating func readExported(
        _ members: JSONObject, at place: BodyPlace, into assembly: inout ImportAssembly
    ) throws {
        guard let call = try identifier("callId", in: members, limits: limits) else { throw Problem.missing("callId") }
        lastCall = CallID(rawValue: call)
        let exported = try ExportedReport(members, in: assembly.context)
        assembly.add(exported, call: CallID(rawValue: call), index: place.index)
    }

    private mutating func report(_ envelope: Envelope, time: JSONValue?, notes: [String]) -> ImportAssembly.Report {
        if let call = envelope.call { lastCall = CallID(rawValue: call) }
        var report = ImportAssembly.Report(statistics: envelope.statistics, time: time)
        report.call = lastCall
        report.session = envelope.session
        report.observer = envelope.observer
        report.connection = envelope.connection
        report.notes = notes
        return report
    }

    /// What an export says of an event beside what a client does.
    private static let ofExports = ["export", "receivedAt", "isContradicted"]

    private mutating func readEvent(
        _ members: JSONObject, at place: BodyPlace, into assembly: inout ImportAssembly
    ) throws {
        var context = assembly.context
        context.call = nil
        // An event whose own time cannot be used happened about when the last one did.
        context.receivedAt = assembly.lastTime
        if EventNames.action(of: members) == "sip" { context = context.forWire }
        let event = try EventReader(members, in: context)
        lastCall = event.call
        let isKnown = try event.event().isKnown
        assembly.noteUnknown(
            types: isKnown ? [] : ["\(event.action)/\(event.type)"],
            properties: event.unknownProperties.filter { !Self.ofExports.contains($0) })
        guard let statistics = event.statistics else {
            var fact = try event.event()
            let isExported = ExportedFact.isOne(members)
            for name in Self.ofExports where isExported { fact.members[name] = nil }
            fact.isContradicted = isExported && members["isContradicted"] == true
            if let counted = event.countedMilliseconds {
                fact.time = assembly.moment(counted: counted, call: event.call, observer: event.observer)
            }
            return assembly.add(
                fact, call: event.call, observer: event.isObserverTold ? event.observer : nil,
                receivedAt: isExported ? ExportedReport.moment("receivedAt", in: members) : nil, index: place.index)
        }
        var report = ImportAssembly.Report(call: event.call, statistics: statistics, time: event.sentTime)
        report.session = event.session
        report.observer = event.observer
        report.connection = try event.connection()
        report.isTimeOfSampling = event.isTimeOfSampling
        assembly.add(report, at: place)
    }

    /// One connection of the recordings of ObserveRTC: `[id, [object, …]]`.
    private mutating func readConnection(
        _ value: JSONValue, time: JSONValue?, at place: BodyPlace, into assembly: inout ImportAssembly
    ) throws {
        guard case .array(let pair) = value, pair.count == 2, let id = pair[0].text else {
            throw Problem(.wrongType, "found \(value.kindName), expected a pair of a connection's id and its report")
        }
        var report = report(Envelope(around: pair[1]), time: time, notes: [])
        report.connection = ConnectionID(rawValue: id)
        assembly.add(report, at: place)
    }
}

extension ParsingContext {
    /// The same for what a probe saw, which names its call.
    fileprivate var forWire: ParsingContext {
        var context = self
        context.call = nil
        context.observer = context.observer ?? .wire
        return context
    }
}
