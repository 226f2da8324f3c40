import CallModel
import JSONText

/// Reports, events, or both: one a line, an array of them, or one alone.
///
/// Each line or element is looked at by itself, so they may be mixed. A report that names no call belongs to the call
/// that was named last before it.
struct ReportFile: ImportSource {
    private let bytes: [UInt8]
    private let limits: BodyLimits
    private var parts: [JSONLines.Line]
    private let isLines: Bool
    private var next = 0
    private var lastCall: CallID?

    init(_ bytes: [UInt8], limits: BodyLimits) {
        self.bytes = bytes
        self.limits = limits
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let lines = JSONLines.split(bytes)
        if let first = JSONSlices.value(in: bytes, from: start) {
            let isAlone = JSONLines.isBlank(bytes[first.upperBound...])
            isLines = !isAlone
            let isLong = bytes[first].contains(UInt8(ascii: "\n"))
            parts = isAlone ? Self.parts(of: bytes, document: first) : isLong ? Self.documents(of: bytes) : lines
        } else {
            // The first value never ends: a document that is cut short, unless the next lines stand alone.
            isLines = lines.dropFirst().prefix(3).contains { Self.isWholeMessage($0.range, of: bytes) }
            parts = isLines ? lines : Self.parts(of: bytes, document: start..<bytes.count)
        }
    }

    private static func isWholeMessage(_ line: Range<Int>, of bytes: [UInt8]) -> Bool {
        guard let value = JSONSlices.value(in: bytes, from: line.lowerBound), value.upperBound <= line.upperBound else {
            return false
        }
        let isContainer = [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(bytes[value.lowerBound])
        return isContainer && JSONLines.isBlank(bytes[value.upperBound..<line.upperBound])
    }

    /// Documents of several lines each, one after the other.
    private static func documents(of bytes: [UInt8]) -> [JSONLines.Line] {
        var documents: [JSONLines.Line] = []
        var position = 0
        var line = 1
        while let value = JSONSlices.value(in: bytes, from: position) {
            line += bytes[position..<value.lowerBound].count { $0 == UInt8(ascii: "\n") }
            documents.append(JSONLines.Line(number: line, range: value))
            line += bytes[value].count { $0 == UInt8(ascii: "\n") }
            position = value.upperBound
        }
        if !JSONLines.isBlank(bytes[position...]) {
            documents.append(JSONLines.Line(number: line, range: position..<bytes.count))
        }
        return documents
    }

    /// One document, or the elements of one that is an array of envelopes, events or whole reports.
    private static func parts(of bytes: [UInt8], document: Range<Int>) -> [JSONLines.Line] {
        let line = 1 + bytes[..<document.lowerBound].count { $0 == UInt8(ascii: "\n") }
        let elements = JSONSlices.elements(of: bytes, in: document).parts
        let isList = !elements.isEmpty && elements.allSatisfy { isMessage($0, of: bytes) }
        return isList
            ? elements.enumerated().map { JSONLines.Line(number: $0.offset, range: $0.element) }
            : [JSONLines.Line(number: line, range: document)]
    }

    /// Whether an element is a message of its own rather than an object of one report.
    private static func isMessage(_ range: Range<Int>, of bytes: [UInt8]) -> Bool {
        let members = JSONSlices.members(of: bytes, in: range).parts
        let names = members.map { String(decoding: bytes[$0.name], as: UTF8.self) }
        if names.contains("action") || names.contains("statistics") || names.contains("stats") { return true }
        // A report keyed by id: objects only, which have a type each.
        return !members.isEmpty && !names.contains("type") && !names.contains("id") && !names.contains("key")
            && members.allSatisfy { bytes[$0.value.lowerBound] == UInt8(ascii: "{") }
    }

    var bytesRead: Int { next == 0 ? 0 : parts[next - 1].range.upperBound }

    mutating func read(into assembly: inout ImportAssembly) -> Bool {
        guard next < parts.count else { return false }
        let part = parts[next]
        let isWhole = parts.count == 1
        let place: BodyPlace = isLines ? .line(next, number: part.number) : isWhole ? .whole : .element(next)
        next += 1
        do {
            let (value, notes) = try BodyDocument.read(
                bytes, in: part.range, firstLine: isLines || isWhole ? part.number : 1, limits: limits,
                isFile: true)
            try readMessage(value, notes: notes, at: place, into: &assembly)
        } catch let error as JSONSyntaxError {
            let name = ForeignFile.nearlyJSON(bytes[part.range])
            // The error tells the line by itself.
            let isPlaced = name == nil && (isLines || isWhole)
            assembly.refuse(
                name.map { Problem(.unrecognised, "this is \($0)") } ?? Problem(error),
                at: isPlaced ? BodyPlace(index: place.index, name: "") : place)
        } catch let error as Problem {
            assembly.refuse(error, at: place)
        } catch {
            return next < parts.count
        }
        return next < parts.count
    }

    // MARK: One message

    private mutating func readMessage(
        _ value: JSONValue, notes: [String], at place: BodyPlace, into assembly: inout ImportAssembly
    ) throws {
        guard let members = value.members else {
            return assembly.add(report(Envelope(around: value), time: nil, notes: notes), at: place)
        }
        if members["action"]?.text != nil {
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
            var report = try reader.report()
            report.receivedAt = ExportedReport.moment("receivedAt", in: members) ?? report.time
            assembly.add(report, call: reader.call, observer: reader.observer, index: place.index)
        } else if ExportedReport.isOne(members) {
            try readExported(members, at: place, into: &assembly)
        } else if Envelope.isEnvelope(members) {
            let envelope = try Envelope(members, limits: limits)
            assembly.noteUnknown(types: [], properties: envelope.unknownProperties)
            let time = Envelope.timeNames.lazy.compactMap { members[$0] }.first
            assembly.add(report(envelope, time: time, notes: notes), at: place)
        } else {
            assembly.add(report(Envelope(around: value), time: nil, notes: notes), at: place)
        }
    }

    private mutating func readExported(
        _ members: JSONObject, at place: BodyPlace, into assembly: inout ImportAssembly
    ) throws {
        guard let call = try identifier("callId", in: members, limits: limits) else { throw Problem.missing("callId") }
        lastCall = CallID(rawValue: call)
        let exported = try ExportedReport(members, in: assembly.context)
        assembly.add(exported.report, call: CallID(rawValue: call), observer: exported.observer, index: place.index)
    }

    private mutating func report(_ envelope: Envelope, time: JSONValue?, notes: [String]) -> ImportAssembly.Report {
        if let call = envelope.call { lastCall = CallID(rawValue: call) }
        var report = ImportAssembly.Report(statistics: envelope.statistics, time: time)
        report.call = lastCall
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
        if members["action"]?.text == "sip" { context = context.forWire }
        let event = try EventReader(members, in: context)
        lastCall = event.call
        let isKnown = try event.event().isKnown
        assembly.noteUnknown(
            types: isKnown ? [] : ["\(event.action)/\(event.type)"],
            properties: event.unknownProperties.filter { !Self.ofExports.contains($0) })
        guard let statistics = event.statistics else {
            var fact = try event.event()
            let isExported = members["export"] == 1
            for name in Self.ofExports where isExported { fact.members[name] = nil }
            fact.isContradicted = isExported && members["isContradicted"] == true
            return assembly.add(
                fact, call: event.call, observer: event.observer,
                receivedAt: isExported ? ExportedReport.moment("receivedAt", in: members) : nil, index: place.index)
        }
        var report = ImportAssembly.Report(call: event.call, statistics: statistics, time: members["time"])
        report.observer = event.observer
        report.connection = try event.connection()
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
