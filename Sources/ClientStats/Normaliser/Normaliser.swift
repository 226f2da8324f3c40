import CallModel

/// Turns the objects of one report into W3C names and units, and takes out what must not be stored.
///
/// Normalising what it made changes nothing.
struct Normaliser {
    private(set) var objects: [StatsObject] = []
    private(set) var problems: [Problem] = []
    private(set) var time: Timestamp
    private(set) var notes: Set<String> = []
    private let carried: Timestamp?
    private let receivedAt: Timestamp

    /// - Parameters:
    ///   - raw: The objects as sent.
    ///   - carried: The time the message around them carries, for a report that tells no time itself.
    ///   - receivedAt: The last resort.
    ///   - addresses: What is kept of addresses.
    ///   - limits: What one object may hold.
    init(_ raw: [RawObject], carried: Timestamp?, receivedAt: Timestamp, addresses: AddressPolicy, limits: BodyLimits) {
        time = carried ?? receivedAt
        self.carried = carried
        self.receivedAt = receivedAt
        objects.reserveCapacity(raw.count)
        for object in raw {
            do {
                objects.append(try read(object, limits: limits))
            } catch {
                problems.append(error.prefixed("object `\(object.key.prefix(64))`"))
            }
        }
        findTime()
        TrackFolding.apply(to: &objects)
        OldNames.takeKinds(ofCodecsIn: &objects)
        Units.apply(to: &objects, reportTime: time, notes: &notes)
        let redaction = Redaction(policy: addresses)
        for index in objects.indices {
            redaction.apply(to: &objects[index].members)
        }
    }

    // MARK: One object

    private mutating func read(_ raw: RawObject, limits: BodyLimits) throws(Problem) -> StatsObject {
        let type = try identifier("type", in: raw.members, limits: limits).map(StatsType.init) ?? .unknown
        let id = try id(of: raw, type: type, limits: limits)
        var object = StatsObject(id: id, type: type, timestamp: try timestamp(of: raw.members), members: [:])
        object.members.reserveCapacity(raw.members.count)
        for (name, value) in raw.members where !Self.isHeading(name) {
            try checkTexts(name, value, limits: limits)
            if let value = try ValueTypes.typed(value, named: name, notes: &notes) {
                object.members.append(new: name, value)
            }
        }
        OldNames.apply(to: &object)
        SourceNumbers.apply(to: &object.members)
        return object
    }

    /// Whether this is what every object has, which is not among its members when it is stored.
    private static func isHeading(_ name: String) -> Bool {
        switch name.utf8.count {
        case 2: name == "id"
        case 4: name == "type"
        case 9, 11, 12: EpochTime.objectNames.contains(name)
        default: false
        }
    }

    private func id(of raw: RawObject, type: StatsType, limits: BodyLimits) throws(Problem) -> String {
        if let id = try identifier("id", in: raw.members, limits: limits) { return id }
        let isPosition = raw.key.hasPrefix("#")
        let id = isPosition ? type.rawValue + raw.key : raw.key
        guard id.utf8.count <= limits.identifierBytes else {
            throw .tooLong("its id", bytes: id.utf8.count, limit: limits.identifierBytes)
        }
        return id
    }

    private mutating func timestamp(of members: JSONObject) throws(Problem) -> Timestamp? {
        guard let (name, value) = members.firstMember(of: EpochTime.objectNames) else { return nil }
        guard value.number != nil || value.text != nil else {
            throw .wrongType(name, value, expected: "a number or text")
        }
        guard let time = EpochTime(value), isPossible(time.timestamp) else { return nil }
        if time.unit != .milliseconds { notes.insert("timestamps in \(time.unit.rawValue)") }
        return time.timestamp
    }

    private static let dayMilliseconds: Int64 = 86_400_000
    /// What was recorded long ago may be sent in a message of today: ten years.
    private static let longestAgeMilliseconds = 3_650 * dayMilliseconds

    /// Whether an object may have been sampled then: not a day after the message around it was made, nor so long before.
    /// Else it is told by a clock that does not count from 1970.
    private func isPossible(_ time: Timestamp) -> Bool {
        guard let carried else { return EpochTime.isPossible(time, receivedAt: receivedAt) }
        return (-Self.longestAgeMilliseconds...Self.dayMilliseconds).contains(time.milliseconds(since: carried))
    }

    private func checkTexts(_ name: String, _ value: JSONValue, limits: BodyLimits) throws(Problem) {
        if name.utf8.count > limits.identifierBytes {
            throw .tooLong("the name of a member", bytes: name.utf8.count, limit: limits.identifierBytes)
        }
        if let longest = value.longestText, longest > limits.stringBytes {
            throw .tooLong("`\(name)`", bytes: longest, limit: limits.stringBytes)
        }
    }

    // MARK: The whole report

    /// The report was taken when its youngest local object was; `remote-*` objects carry the arrival of RTCP.
    private mutating func findTime() {
        if let latest = objects.lazy.filter({ !$0.type.isRemoteRTP }).compactMap(\.timestamp).max() {
            time = latest
        } else if carried == nil, !objects.isEmpty {
            notes.insert(StatsReport.receiptNote)
        } else if !objects.isEmpty {
            notes.insert("no usable timestamp in the objects; placed at the time of the message")
        }
    }
}

extension JSONValue {
    /// Bytes of the longest text in this value; `nil` when there is none.
    var longestText: Int? {
        switch self {
        case .string(let text): text.utf8.count
        case .array(let values): values.lazy.compactMap(\.longestText).max()
        case .object(let members): members.lazy.compactMap { max($0.key.utf8.count, $0.value.longestText ?? 0) }.max()
        default: nil
        }
    }
}

/// ObjC and Flutter print members in an object `values`, Java's reflection in `members`, early React Native in a list of
/// objects of one member each, the first mobile SDKs in a list of `{name, value}`.
enum Flattening {
    static func apply(to members: inout JSONObject) {
        for name in ["values", "members"] {
            switch members[name] {
            case .object(let inner): flatten([inner], named: name, into: &members)
            case .array(let list):
                let inner = list.compactMap { pair($0) ?? $0.members }
                if inner.count == list.count { flatten(inner, named: name, into: &members) }
            default: continue
            }
        }
        if members["id"] == nil, let id = members["reportId"] { members["id"] = id }
    }

    private static func pair(_ value: JSONValue) -> JSONObject? {
        guard let members = value.members, members.count == 2, let name = members["name"]?.text,
            let value = members["value"]
        else { return nil }
        return [name: value]
    }

    private static func flatten(
        _ inner: [JSONObject], named name: String, into members: inout JSONObject
    ) {
        members[name] = nil
        for more in inner {
            members.merge(more) { standing, _ in standing }
        }
    }
}
