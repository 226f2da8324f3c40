import CallModel

/// One statistics object as it was sent, taken out of its container.
struct RawObject: Hashable {
    /// Where it stood: its key, or its position, for messages and for objects that name no id.
    var key: String
    /// Its `id` and `type` and everything else.
    var members: JSONObject

    /// The id it has, wherever it stands.
    var id: String { members["id"]?.text ?? key }
}

extension [RawObject] {
    /// Appends those of which none has the id yet.
    mutating func append(unknown added: [RawObject]) {
        guard !added.isEmpty else { return }
        var known = Set(map(\.id))
        self += added.filter { known.insert($0.id).inserted }
    }
}

/// The objects of one report, and the elements that are none.
struct RawReport {
    var objects: [RawObject] = []
    var problems: [Problem] = []

    static let shapes =
        "statistics objects keyed by id, an array of them, [id, object] pairs, {key, value} pairs, or an object with "
        + "the member `statistics` or `stats`"

    /// Text of text, and the report of a native app in it, come to three.
    private static let mostWrappings = 4

    /// Takes the objects out of any container that `getStats` of any platform is printed in, also where several of them
    /// stand one in the other.
    /// - Throws: when it is none of the known shapes.
    init(_ value: JSONValue, limits: BodyLimits) throws(Problem) {
        self = try RawReport(value, wrappings: 0, limits: limits)
    }

    private init(_ value: JSONValue, wrappings: Int, limits: BodyLimits) throws(Problem) {
        guard wrappings <= Self.mostWrappings else {
            throw Self.unrecognised("a report inside more than \(Self.mostWrappings) texts or members")
        }
        switch value {
        case .string(let text):
            let inner = try nestedJSON(text, limits: limits)
            self = try RawReport(inner, wrappings: wrappings + 1, limits: limits)
        case .array(let elements) where elements.count == 1 && elements[0].text != nil:
            self = try RawReport(elements[0], wrappings: wrappings, limits: limits)
        case .array(let elements):
            guard elements.count <= limits.objects else { throw .tooMany(limit: limits.objects) }
            try readArray(elements)
        case .object(let members) where Envelope.isEnvelope(members):
            self = try RawReport(Envelope.statistics(in: members), wrappings: wrappings + 1, limits: limits)
        case .object(let members):
            guard members.count <= limits.objects else { throw .tooMany(limit: limits.objects) }
            try readMap(members)
        default: throw Self.unrecognised(value.kindName)
        }
    }

    static func unrecognised(_ found: String) -> Problem {
        Problem(.unrecognised, "found \(found), expected \(shapes)")
    }

    static func withoutKnownType(_ objects: [RawObject]) -> Problem {
        let first = objects.first.map { outline(of: $0.members) } ?? "nothing"
        return unrecognised("objects of which none has the `type` of a statistics object (first \(first))")
    }

    // MARK: Arrays

    private mutating func readArray(_ elements: [JSONValue]) throws(Problem) {
        switch elements.first {
        case nil: return
        case .array(let pair): try readEntries(elements, first: pair)
        case .object(let members) where members.isKeyValuePair: readKeyValuePairs(elements)
        case .object where elements.allSatisfy({ $0.members?.isEvent == true }):
            throw Self.unrecognised("events, which belong to /v1/events")
        case .object: readObjects(elements)
        case .some(let value): throw Self.unrecognised("an array that begins with \(value.kindName)")
        }
    }

    private mutating func readObjects(_ elements: [JSONValue]) {
        for (position, element) in elements.enumerated() {
            add(element, key: "#\(position)", place: "object \(position)")
        }
    }

    private mutating func readEntries(_ elements: [JSONValue], first: [JSONValue]) throws(Problem) {
        guard first.count == 2, first[0].text != nil, first[1].members != nil else {
            let isLog = first.count == 2 && first[0].text != nil
            throw Self.unrecognised(isLog ? "a CallStatistics.log of several calls" : "an array of arrays")
        }
        for (position, element) in elements.enumerated() {
            guard case .array(let pair) = element, pair.count == 2, let key = pair[0].text else {
                problems.append(
                    Problem(.wrongType, "element \(position) is \(element.kindName), expected an [id, object] pair"))
                continue
            }
            add(pair[1], key: key, place: "object `\(key)`")
        }
    }

    private mutating func readKeyValuePairs(_ elements: [JSONValue]) {
        for (position, element) in elements.enumerated() {
            guard let members = element.members, let key = members["key"]?.text, let value = members["value"] else {
                problems.append(
                    Problem(.wrongType, "element \(position) is \(element.kindName), expected a {key, value} pair"))
                continue
            }
            add(value, key: key, place: "object `\(key)`")
        }
    }

    // MARK: Maps

    private mutating func readMap(_ members: JSONObject) throws(Problem) {
        guard !members.isEmpty else { return }
        if members.isLoneObject { return objects.append(RawObject(key: "#0", members: members)) }
        guard members.values.contains(where: { $0.members?.isStatisticsObject == true }) else {
            throw Self.unrecognised(Self.outline(of: members))
        }
        for (key, value) in members.sorted(by: { $0.key < $1.key }) {
            add(value, key: key, place: "object `\(key)`")
        }
    }

    private static func outline(of members: JSONObject) -> String {
        if EventNames.action(of: members) != nil { return "an event, which belongs to /v1/events" }
        let names = members.keys.sorted().prefix(3).map { "`\($0.prefix(40))`" }.joined(separator: ", ")
        return "an object with the member\(members.count == 1 ? "" : "s") \(names)\(members.count > 3 ? ", …" : "")"
    }

    private mutating func add(_ value: JSONValue, key: String, place: @autoclosure () -> String) {
        guard let members = value.members else {
            problems.append(
                Problem(.wrongType, "\(place().prefix(80)) is \(value.kindName), expected a statistics object"))
            return
        }
        objects.append(RawObject(key: key, members: members))
    }
}

extension JSONObject {
    fileprivate var isKeyValuePair: Bool {
        count == 2 && self["key"]?.text != nil && self["value"]?.members != nil
    }

    /// Whether this is what clients tell in events, and no statistics object.
    fileprivate var isEvent: Bool {
        self["action"]?.text != nil && self["type"]?.text != nil && self["id"] == nil && self["timestamp"] == nil
    }

    /// Whether an object could be one of a report: it has at least one of the members that all of them have.
    fileprivate var isStatisticsObject: Bool {
        ["type", "id", "timestamp", "timestamp_us", "timestampUs", "values"].contains { self[$0] != nil }
    }
}

extension JSONObject {
    /// Whether this is one statistics object, with nothing around it, and no message whose `type` has the name of one.
    var isLoneObject: Bool {
        (KnownTypes.isName(self["type"]?.text) || FlatRows.isRow(self))
            && !["events", "peerConnections", "streams", "export"].contains { self[$0] != nil }
            && EventNames.action(of: self) == nil && !Envelope.isEnvelope(self)
    }
}
