import CallModel
import JSONText

/// The values of one member of one object, poll by poll.
struct InternalsSeries {
    var object: String
    var property: String
    /// `statsType`, which old dumps do not have.
    var type: String?
    var values: [JSONValue]
    /// Milliseconds since 1970.
    var start: Double
    /// Milliseconds since 1970.
    var end: Double

    /// So many values the page keeps of a series.
    static let mostValues = 1000
    /// Dumps that were made by something else than the page may have more, up to this.
    private static let mostAccepted = 20_000
    /// So many values of all series of a connection are read.
    static let mostOfConnection = 5_000_000

    /// The object and the member that a series is named for; `nil` for rates that the page computed.
    static func split(_ name: String) -> (object: String, property: String)? {
        guard !name.contains("["), let dash = name.lastIndex(of: "-"), dash != name.startIndex else { return nil }
        let property = name[name.index(after: dash)...]
        return property.isEmpty ? nil : (String(name[..<dash]), String(property))
    }

    init(_ bytes: [UInt8], _ range: Range<Int>, object: String, property: String) throws(Problem) {
        self.object = object
        self.property = property
        let members: JSONObject
        do {
            let limits = JSONLimits(maximumStringBytes: bytes.count)
            members = try JSONValue(parsing: bytes, in: range, limits: limits).members ?? [:]
        } catch {
            throw Problem(error)
        }
        type = members["statsType"]?.text
        values = try Self.values(members["values"] ?? .null)
        guard values.count <= Self.mostAccepted else {
            throw .tooMany("values of a series", limit: Self.mostAccepted)
        }
        guard let start = members["startTime"].flatMap(Self.moment), let end = members["endTime"].flatMap(Self.moment)
        else { throw .missing("startTime", hint: ", or `endTime` is, or they cannot be read as times") }
        self.start = start
        self.end = end
    }

    /// The values are JSON text inside the JSON.
    private static func values(_ value: JSONValue) throws(Problem) -> [JSONValue] {
        switch value {
        case .array(let values): return values
        case .string(let text):
            let inner: JSONValue
            do {
                var limits = JSONLimits(maximumStringBytes: text.utf8.count)
                limits.acceptsBareNonNumbers = true
                inner = try JSONValue(parsing: text, limits: limits)
            } catch {
                throw Problem(error).prefixed("in `values`")
            }
            guard case .array(let values) = inner else { throw .wrongType("values", inner, expected: "an array") }
            return values
        default: throw .wrongType("values", value, expected: "JSON text of an array")
        }
    }

    private static func moment(_ value: JSONValue) -> Double? {
        if let number = value.number, (1e11..<1e14).contains(number) { return number }
        return EpochTime(value).map { Double($0.timestamp.milliseconds) }
    }
}
