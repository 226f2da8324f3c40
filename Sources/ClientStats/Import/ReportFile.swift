import CallModel
import JSONText

/// Reports, events, or both: one a line, an array of them, or one alone.
///
/// Each line or element is looked at by itself (``MessageReader``), so they may be mixed. Commas between lines are no part of
/// them: some programs end each with one.
struct ReportFile: ImportSource {
    private let bytes: [UInt8]
    private let limits: BodyLimits
    private var messages: MessageReader
    private var parts: Parts
    private let isLines: Bool
    /// Whether there is one part.
    private let isWhole: Bool
    private var next = 0
    private(set) var bytesRead = 0

    init(_ bytes: [UInt8], limits: BodyLimits) {
        self.bytes = bytes
        self.limits = limits
        messages = MessageReader(limits: limits)
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let lines = Parts.listed(.lines(JSONLines.split(bytes)))
        if let first = JSONSlices.value(in: bytes, from: start) {
            let isAlone = JSONLines.isBlank(bytes[first.upperBound...])
            isLines = !isAlone
            let hasLine = !bytes[first].contains(UInt8(ascii: "\n")) && !Self.isFollowed(first, in: bytes)
            parts =
                isAlone
                ? Self.parts(of: bytes, document: first)
                : hasLine ? lines : .documents(bytes, position: 0, line: 1)
        } else {
            // The first value never ends: a document that is cut short, unless the next lines stand alone.
            isLines = lines.dropFirst().prefix(3).contains { Self.isWholeMessage($0.range, of: bytes) }
            parts = isLines ? lines : Self.parts(of: bytes, document: start..<bytes.count)
        }
        isWhole = parts.prefix(2).count { _ in true } == 1
    }

    /// A file whose first lines are something else.
    init(lines bytes: [UInt8], limits: BodyLimits) {
        self.bytes = bytes
        self.limits = limits
        messages = MessageReader(limits: limits)
        isLines = true
        isWhole = false
        parts = .listed(.lines(JSONLines.split(bytes)))
    }

    /// So many lines are looked at for the first message.
    private static let mostLinesBefore = 1_000

    /// Whether one of the first lines is an object or an array by itself.
    static func hasMessageLine(_ bytes: [UInt8]) -> Bool {
        JSONLines.split(bytes).prefix(mostLinesBefore).contains { line in
            isWholeMessage(line.range, of: bytes) && (try? JSONValue(parsing: bytes, in: line.range)) != nil
        }
    }

    /// Whether another value begins on the line on which one ends.
    private static func isFollowed(_ value: Range<Int>, in bytes: [UInt8]) -> Bool {
        let rest = bytes[value.upperBound...].prefix { $0 != UInt8(ascii: "\n") }
        let next = rest.first { !isBetween($0) }
        return next == UInt8(ascii: "{") || next == UInt8(ascii: "[")
    }

    private static func isWholeMessage(_ line: Range<Int>, of bytes: [UInt8]) -> Bool {
        guard let value = JSONSlices.value(in: bytes, from: line.lowerBound), value.upperBound <= line.upperBound else {
            return false
        }
        let isContainer = [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(bytes[value.lowerBound])
        return isContainer && bytes[value.upperBound..<line.upperBound].allSatisfy(isBetween)
    }

    /// Whether a byte may stand between two values.
    fileprivate static func isBetween(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || JSONLines.isBlank(CollectionOfOne(byte))
    }

    /// One document, or the elements of one that is an array of envelopes, events or whole reports.
    private static func parts(of bytes: [UInt8], document: Range<Int>) -> Parts {
        let line = 1 + bytes[..<document.lowerBound].count { $0 == UInt8(ascii: "\n") }
        let elements = JSONSlices.Elements(of: bytes, in: document)
        let isList = elements.contains { _ in true } && elements.allSatisfy { isMessage($0, of: bytes) }
        return isList ? .listed(.elements(elements, next: 0)) : .single(JSONLines.Line(number: line, range: document))
    }

    /// Whether an element is a message of its own rather than an object of one report.
    private static func isMessage(_ range: Range<Int>, of bytes: [UInt8]) -> Bool {
        var isEmpty = true
        var isKeyed = true
        for member in JSONSlices.Members(of: bytes, in: range) {
            isEmpty = false
            func isNamed(_ names: String...) -> Bool { names.contains { bytes[member.name].elementsEqual($0.utf8) } }
            if isNamed("statistics", "stats") || EventNames.isAction(bytes[member.name]) { return true }
            if isNamed("type", "id", "key") || bytes[member.value.lowerBound] != UInt8(ascii: "{") { isKeyed = false }
        }
        // A report keyed by id: objects only, which have a type each.
        return !isEmpty && isKeyed
    }

    /// The next part, without the commas around it; what is nothing but a bracket on a line belongs to none.
    private mutating func nextPart() -> JSONLines.Line? {
        while var part = parts.next() {
            let inner = bytes[part.range].drop(while: Self.isBetween)
            part.range = inner.startIndex..<(inner.lastIndex { !Self.isBetween($0) }.map { $0 + 1 } ?? inner.startIndex)
            let isBracket =
                part.range.count == 1 && [UInt8(ascii: "["), UInt8(ascii: "]")].contains(bytes[part.range.lowerBound])
            if !part.range.isEmpty, !isBracket || isWhole { return part }
        }
        return nil
    }

    mutating func read(into assembly: inout ImportAssembly) -> Bool {
        guard let part = nextPart() else {
            messages.finish(into: &assembly)
            return false
        }
        bytesRead = part.range.upperBound
        let place: BodyPlace = isLines ? .line(next, number: part.number) : isWhole ? .whole : .element(next)
        next += 1
        do {
            let (value, notes) = try BodyDocument.read(
                bytes, in: part.range, firstLine: isLines || isWhole ? part.number : 1, limits: limits,
                acceptsBareNumbers: true)
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
            return true
        }
        return true
    }
}

/// The parts of a file, found as they are asked for.
private enum Parts: Sequence, IteratorProtocol {
    /// Lines, or elements of an array, numbered from 0.
    case listed(ListedParts)
    /// Documents of several lines each, one after the other.
    case documents([UInt8], position: Int, line: Int)
    case single(JSONLines.Line)
    case none

    mutating func next() -> JSONLines.Line? {
        switch self {
        case .listed(var parts):
            let part = parts.next()
            self = .listed(parts)
            return part
        case .documents(let bytes, let position, let line):
            return nextDocument(bytes, from: position, line: line)
        case .single(let part):
            self = .none
            return part
        case .none: return nil
        }
    }

    private mutating func nextDocument(_ bytes: [UInt8], from position: Int, line: Int) -> JSONLines.Line? {
        let start = bytes[position...].firstIndex { !ReportFile.isBetween($0) } ?? bytes.count
        guard let value = JSONSlices.value(in: bytes, from: start) else {
            self = .none
            return start == bytes.count ? nil : JSONLines.Line(number: line, range: start..<bytes.count)
        }
        let first = line + bytes[position..<value.lowerBound].count { $0 == UInt8(ascii: "\n") }
        let last = first + bytes[value].count { $0 == UInt8(ascii: "\n") }
        self = .documents(bytes, position: value.upperBound, line: last)
        return JSONLines.Line(number: first, range: value)
    }
}
