import CallModel

/// Statistics objects that stand one behind the other, with nothing around them: those of one call of `getStats()`, written
/// one by one.
struct LoneObjects {
    let notes: [String]
    let place: BodyPlace
    private var objects: [JSONValue]
    private var keys: Set<[JSONValue]>
    private var time: Timestamp?

    /// What one report has was sampled this close together.
    private static let mostMilliseconds: Int64 = 50
    /// Begins a report with its first object.
    init(_ members: JSONObject, notes: [String], at place: BodyPlace) {
        (self.notes, self.place) = (notes, place)
        objects = [.object(members)]
        keys = [Self.key(members)]
        time = Self.time(of: members)
    }

    /// The report.
    var value: JSONValue { .array(objects) }

    /// Takes the next object, if it is of the same report: none of its type and name is in it, and it was sampled at the same
    /// time; no report has more than `limits` allow.
    mutating func take(_ members: JSONObject, limits: BodyLimits) -> Bool {
        let other = Self.time(of: members)
        if let time, let other, abs(other.milliseconds(since: time)) > Self.mostMilliseconds { return false }
        guard objects.count < limits.objects, keys.insert(Self.key(members)).inserted else { return false }
        objects.append(.object(members))
        time = time ?? other
        return true
    }

    private static func key(_ members: JSONObject) -> [JSONValue] {
        ["type", "id", "streamId", "ssrc"].map { members[$0] ?? .null }
    }

    /// When it was sampled; what the far end reported carries the time at which that came.
    private static func time(of members: JSONObject) -> Timestamp? {
        guard members["type"]?.text.map({ StatsType(rawValue: $0).isRemoteRTP }) != true else { return nil }
        return EpochTime.value(in: members).flatMap { EpochTime($0)?.timestamp }
    }
}
