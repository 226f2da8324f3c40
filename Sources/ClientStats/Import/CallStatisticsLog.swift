import CallModel
import JSONText

/// `CallStatistics.log` as the sample of the Kandy SDK writes it: `[[callId, [report, …]], …]`, the newest calls only.
///
/// In an export (``ExportedFact/logEntry(of:call:observer:sessions:isMarked:)``) messages of other kinds may stand among the reports.
///
/// The sample adds each report to the last call of its list, not to the call it belongs to. Reports of calls that
/// overlapped are therefore mixed up. They are left where they stand, and the signs of it are told.
struct CallStatisticsLog: ImportSource {
    private let bytes: [UInt8]
    private let entries: [Entry]
    private var entry = 0
    private var report = 0
    private var index = 0
    private var hasLooked = false
    private var warnings: [Int: String] = [:]
    private var exported: MessageReader
    private(set) var bytesRead = 0

    /// A call of the log, as far as it can be found.
    private struct Entry {
        var range: Range<Int>
        /// `nil` where the entry is no pair of an identifier and reports.
        var call: CallID?
        var reports: [Range<Int>] = []
    }

    /// - Throws: when it has more calls and reports than are remembered at a time.
    init(_ bytes: [UInt8], from start: Int, limits: BodyLimits) throws(ClientStatsError) {
        self.bytes = bytes
        exported = MessageReader(limits: limits)
        var entries: [Entry] = []
        var parts = 0
        for range in JSONSlices.Elements(of: bytes, in: start..<bytes.count) {
            let entry = Self.entry(range, of: bytes, most: ImportReader.mostParts - parts)
            parts += 1 + entry.reports.count
            guard parts <= ImportReader.mostParts else { throw ImportReader.tooMany("calls and reports of a log") }
            entries.append(entry)
        }
        self.entries = entries
    }

    /// Reads one entry. One report more than `most` is enough to know that there are too many.
    private static func entry(_ range: Range<Int>, of bytes: [UInt8], most: Int) -> Entry {
        let pair = Array(JSONSlices.Elements(of: bytes, in: range).prefix(3))
        guard pair.count == 2, let id = try? JSONValue(parsing: bytes, in: pair[0]).text, !id.isEmpty,
            bytes[pair[1].lowerBound] == UInt8(ascii: "[")
        else { return Entry(range: range) }
        let reports = Array(JSONSlices.Elements(of: bytes, in: pair[1]).prefix(most + 1))
        return Entry(range: range, call: CallID(rawValue: id), reports: reports)
    }

    /// Whether an element of an array is a pair of a text and an array; those of a report are pairs of text and object.
    static func isEntry(_ element: Range<Int>, of bytes: [UInt8]) -> Bool {
        let pair = Array(JSONSlices.Elements(of: bytes, in: element).prefix(3))
        guard let first = pair.first, pair.count <= 2, bytes[first.lowerBound] == UInt8(ascii: "\"") else {
            return false
        }
        return pair.count == 1 || bytes[pair[1].lowerBound] == UInt8(ascii: "[")
    }

    mutating func read(into assembly: inout ImportAssembly) -> Bool {
        if !hasLooked { look(&assembly) }
        while entry < entries.count, entries[entry].call != nil, report >= entries[entry].reports.count {
            entry += 1
            report = 0
        }
        guard entry < entries.count else { return false }
        guard let call = entries[entry].call else {
            let problem = Problem(.wrongType, "expected a pair of a call's identifier and its reports")
            assembly.refuse(problem, at: BodyPlace(index: index, name: "call \(entry)"))
            entry += 1
            return true
        }
        readReport(of: call, into: &assembly)
        return true
    }

    private mutating func readReport(of call: CallID, into assembly: inout ImportAssembly) {
        let range = entries[entry].reports[report]
        let place = BodyPlace(index: index, name: "call \(entry) (\(call.rawValue.prefix(64))), report \(report)")
        let warning = report == 0 ? warnings[entry] : nil
        report += 1
        index += 1
        bytesRead = range.upperBound
        do {
            let limits = assembly.context.limits
            guard call.rawValue.utf8.count <= limits.identifierBytes else {
                throw Problem.tooLong(
                    "the identifier of the call", bytes: call.rawValue.utf8.count, limit: limits.identifierBytes)
            }
            let (value, notes) = try BodyDocument.read(
                bytes, in: range, firstLine: 1, limits: limits, acceptsBareNumbers: true)
            if var members = value.members, ExportedFact.isOne(members) {
                members["callId"] = .string(call.rawValue)
                return try exported.read(.object(members), notes: [], at: place, into: &assembly)
            }
            var message = ImportAssembly.Report(call: call, statistics: value)
            if let members = value.members, Envelope.isEnvelope(members) {
                let envelope = try Envelope(members, limits: limits)
                message.statistics = envelope.statistics
                message.session = envelope.session
                message.observer = envelope.observer
                message.connection = envelope.connection
                message.time = members.firstMember(of: Envelope.timeNames)?.value
            }
            message.notes = notes + [warning].compactMap { $0 }
            assembly.add(message, at: place)
        } catch let error as JSONSyntaxError {
            assembly.refuse(Problem(error), at: place)
        } catch let error as Problem {
            assembly.refuse(error, at: place)
        } catch {
            return
        }
    }

    // MARK: Mixed calls

    /// What tells whose a report is.
    private struct Imprint {
        /// Whether a report or event says that it was filed by its call, as an export does.
        var isExported = false
        var first: Timestamp?
        var last: Timestamp?
        /// The SSRCs of the first report; the ids of its objects where it has none.
        var streams: Set<String>?
        /// Whether a later report has none of them.
        var hasOtherStreams = false
    }

    /// Looks at the whole log for reports that stand under another call than theirs.
    private mutating func look(_ assembly: inout ImportAssembly) {
        hasLooked = true
        let imprints = entries.map { imprint(of: $0, limits: assembly.context.limits) }
        for (index, imprint) in imprints.enumerated() {
            let signs = Self.signs(of: imprint, next: imprints.dropFirst(index + 1).first)
            guard !signs.isEmpty, !imprint.isExported, let call = entries[index].call else { continue }
            let words =
                "reports of other calls may stand under this one: \(signs.joined(separator: ", ")); "
                + "the sample logger adds a report to the last call of its list"
            warnings[index] = words
            assembly.note("call \(call.rawValue.prefix(64)): \(words)")
        }
    }

    private static func signs(of imprint: Imprint, next: Imprint?) -> [String] {
        var signs: [String] = []
        if let last = imprint.last, let first = next?.first, first <= last {
            signs.append("its times overlap with those of the next call")
        }
        if imprint.hasOtherStreams { signs.append("its SSRCs change from one report to another") }
        return signs
    }

    private func imprint(of entry: Entry, limits: BodyLimits) -> Imprint {
        var imprint = Imprint()
        for range in entry.reports {
            let read = try? BodyDocument.read(
                bytes, in: range, firstLine: 1, limits: limits, acceptsBareNumbers: true)
            guard let value = read?.0 else { continue }
            if value.members.map(ExportedFact.isOne) ?? false { imprint.isExported = true }
            guard let objects = try? Self.objects(of: value, limits: limits) else { continue }
            let times = objects.compactMap { object in
                EpochTime.value(in: object)
                    .flatMap { EpochTime($0)?.timestamp }
            }
            if let time = times.max() {
                imprint.first = min(imprint.first ?? time, time)
                imprint.last = max(imprint.last ?? time, time)
            }
            let streams = Set(objects.compactMap { $0["ssrc"]?.wholeNumber.map(String.init) })
            let marks = streams.isEmpty ? Set(objects.compactMap { $0["id"]?.text }) : streams
            if let first = imprint.streams {
                imprint.hasOtherStreams = imprint.hasOtherStreams || !marks.isEmpty && first.isDisjoint(with: marks)
            } else if !marks.isEmpty {
                imprint.streams = marks
            }
        }
        return imprint
    }

    private static func objects(of value: JSONValue, limits: BodyLimits) throws -> [JSONObject] {
        var value = value
        if let members = value.members, Envelope.isEnvelope(members) {
            value = try Envelope(members, limits: limits).statistics
        }
        return try RawReport(value, limits: limits).objects.map { object in
            object.members["values"]?.members.map { object.members.merging($0) { $1 } } ?? object.members
        }
    }
}
