import CallModel
import JSONText

/// The JSON values of a body: one document, or one a line.
enum BodyDocument {
    /// One line of JSON Lines, read or not.
    struct Line {
        var number: Int
        var value: Result<JSONValue, Problem>
        var notes: [String]
    }

    /// Nothing but white space: a legal empty report, for so libwebrtc's `ToJson` prints one.
    case empty
    case single(JSONValue, notes: [String])
    case lines([Line])

    static let bareNumberNote = "numbers printed as nan or inf were left out"

    init(_ bytes: [UInt8], limits: BodyLimits, acceptsBareNumbers: Bool = false) throws(ClientStatsError) {
        guard !JSONLines.isBlank(bytes) else {
            self = .empty
            return
        }
        do {
            let (value, notes) = try Self.read(
                bytes, in: bytes.indices, firstLine: 1, limits: limits, acceptsBareNumbers: acceptsBareNumbers)
            self = .single(value, notes: notes)
        } catch {
            try Self.checkLineCount(bytes, limits: limits)
            guard !error.isLimit, let lines = Self.lines(bytes, limits: limits, acceptsBareNumbers)
            else { throw ClientStatsError(Problem(error)) }
            self = .lines(lines)
        }
    }

    /// Refuses lines that would be events or reports, were there not so many; other texts get their own error.
    private static func checkLineCount(_ bytes: [UInt8], limits: BodyLimits) throws(ClientStatsError) {
        let lines = Array(JSONLines.split(bytes).prefix(limits.objects + 1))
        guard lines.count > limits.objects, let first = lines.first,
            (try? JSONValue(parsing: bytes, in: first.range)) != nil
        else { return }
        throw ClientStatsError(.tooMany(limit: limits.objects))
    }

    /// With `acceptsBareNumbers`, `nan` and `inf` outside of text are read as `null`: `ToJson` of libwebrtc prints them so,
    /// and so does Python's `json` of what aiortc gives.
    ///
    /// Text inside the JSON may be a whole report, so a string may be as long as the body; members are checked later.
    static func read(
        _ bytes: [UInt8], in range: Range<Int>, firstLine: Int, limits: BodyLimits, acceptsBareNumbers: Bool
    ) throws(JSONSyntaxError) -> (JSONValue, [String]) {
        var jsonLimits = JSONLimits(
            maximumDepth: limits.depth, maximumStringBytes: bytes.count, maximumValues: limits.values)
        func value() throws(JSONSyntaxError) -> JSONValue {
            try JSONValue(
                parsing: bytes, in: range, firstLine: firstLine, limits: jsonLimits, names: MemberNames.common)
        }
        do {
            return (try value(), [])
        } catch {
            guard error.isBareNonNumber, acceptsBareNumbers else { throw error }
            jsonLimits.acceptsBareNonNumbers = true
            return (try value(), [bareNumberNote])
        }
    }

    /// The lines of a body that is not one document; `nil` when it does not look like lines of JSON either.
    ///
    /// A document that is cut short must not pass for lines, so the first line must stand alone, or every line begin
    /// as an object does, or most of them be readable.
    private static func lines(_ bytes: [UInt8], limits: BodyLimits, _ acceptsBareNumbers: Bool) -> [Line]? {
        let ranges = Array(JSONLines.split(bytes).prefix(limits.objects + 1))
        guard ranges.count > 1, ranges.count <= limits.objects else { return nil }
        let lines = ranges.map { line($0, in: bytes, limits: limits, acceptsBareNumbers) }
        let readable = lines.count { (try? $0.value.get()) != nil }
        guard readable > 0 else { return nil }
        let firstStandsAlone = (try? lines[0].value.get()) != nil
        let allAreObjects = ranges.allSatisfy { bytes[$0.range].first == UInt8(ascii: "{") }
        return firstStandsAlone || allAreObjects || readable * 2 > lines.count ? lines : nil
    }

    private static func line(
        _ line: JSONLines.Line, in bytes: [UInt8], limits: BodyLimits, _ acceptsBareNumbers: Bool
    ) -> Line {
        do {
            let (value, notes) = try read(
                bytes, in: line.range, firstLine: line.number, limits: limits, acceptsBareNumbers: acceptsBareNumbers)
            return Line(number: line.number, value: .success(value), notes: notes)
        } catch {
            return Line(number: line.number, value: .failure(Problem(error)), notes: [])
        }
    }
}

/// Reads text that is itself JSON, as clients nest it.
func nestedJSON(_ text: String, limits: BodyLimits) throws(Problem) -> JSONValue {
    do {
        let jsonLimits = JSONLimits(
            maximumDepth: limits.depth, maximumStringBytes: text.utf8.count, maximumValues: limits.values)
        return try JSONValue(parsing: text, limits: jsonLimits)
    } catch {
        throw Problem(error).prefixed("in the JSON text")
    }
}
