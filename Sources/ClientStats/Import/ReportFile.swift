import CallModel
import JSONText

/// Reports, events, or both: one a line, an array of them, or one alone.
///
/// Each line or element is looked at by itself (``MessageReader``), so they may be mixed.
struct ReportFile: ImportSource {
    private let bytes: [UInt8]
    private let limits: BodyLimits
    private var messages: MessageReader
    private var parts: [JSONLines.Line]
    private let isLines: Bool
    private var next = 0

    init(_ bytes: [UInt8], limits: BodyLimits) {
        self.bytes = bytes
        self.limits = limits
        messages = MessageReader(limits: limits)
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
            try messages.read(value, notes: notes, at: place, into: &assembly)
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
}
