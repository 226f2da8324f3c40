/// The members of a JSON object, each name once. Their order is that of arrival and means nothing.
///
/// A list and no hash table: objects of reports have some thirty members, are made by the thousand every second, and most
/// are only copied and written. To look a name up takes comparing lengths, for hardly two names of an object have the
/// same. Large objects, which only hostile or foreign texts have, get a table beside the list.
public struct JSONObject: Sendable {
    /// A member.
    public typealias Element = (key: String, value: JSONValue)

    /// A member as it lies in the list. No tuple: lists of tuples are copied and destroyed by way of their metadata.
    @usableFromInline
    struct Member: Sendable {
        @usableFromInline let key: String
        @usableFromInline var value: JSONValue
        /// Bytes of the name: most names are told apart by it. It lies where the value leaves room.
        let length: UInt32

        init(_ key: String, _ value: JSONValue) {
            self.key = key
            self.value = value
            length = Self.length(of: key)
        }

        static func length(of name: String) -> UInt32 { UInt32(truncatingIfNeeded: name.utf8.count) }
    }

    @usableFromInline var members: [Member] = []
    /// Where each name stands; `nil` while there are few.
    private var places: [Name: Int]?

    /// Beyond so many members a table is cheaper than the list.
    private static let searchable = 64

    /// No members.
    public init() {}

    /// Makes room for so many members.
    public mutating func reserveCapacity(_ count: Int) { members.reserveCapacity(count) }

    /// A name as this type tells names apart, in the list and in the table: two spellings of one text that differ in
    /// length ("é" as one sign, and as "e" with an accent) are two names, though Swift calls them equal.
    private struct Name: Hashable {
        let text: String

        static func == (left: Self, right: Self) -> Bool { JSONObject.areSame(left.text, right.text) }
        func hash(into hasher: inout Hasher) { hasher.combine(text) }
    }

    private static func areSame(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && left == right
    }

    private func place(of name: String) -> Int? {
        if let places { return places[Name(text: name)] }
        let length = Member.length(of: name)
        for index in members.indices where members[index].length == length && members[index].key == name {
            return index
        }
        return nil
    }

    /// Adds a member of a name that the object does not have; it is not looked for.
    public mutating func append(new name: String, _ value: JSONValue) {
        assert(place(of: name) == nil, "the object has \(name)")
        append(name, value)
    }

    private mutating func append(_ name: String, _ value: JSONValue) {
        members.append(Member(name, value))
        if places != nil {
            places?[Name(text: name)] = members.count - 1
        } else if members.count > Self.searchable {
            places = Dictionary(uniqueKeysWithValues: members.indices.map { (Name(text: members[$0].key), $0) })
        }
    }

    /// The value of a member; `nil` when there is none, and to remove it.
    public subscript(name: String) -> JSONValue? {
        get { place(of: name).map { members[$0].value } }
        set {
            guard let newValue else {
                removeValue(forKey: name)
                return
            }
            if let place = place(of: name) {
                members[place].value = newValue
            } else {
                append(name, newValue)
            }
        }
    }

    /// Removes a member.
    /// - Returns: its value; `nil` when there was none.
    @discardableResult
    public mutating func removeValue(forKey name: String) -> JSONValue? {
        guard let place = place(of: name) else { return nil }
        let value = members[place].value
        remove(at: place)
        return value
    }

    /// The last takes the place of what goes.
    @usableFromInline
    mutating func remove(at place: Int) {
        places?[Name(text: members[place].key)] = nil
        members.swapAt(place, members.count - 1)
        members.removeLast()
        if places != nil, place < members.count { places?[Name(text: members[place].key)] = place }
    }

    /// Gives every member a new value, or removes it.
    /// - Parameter change: takes a name and its value, and says what becomes of the member.
    /// - Throws: what `change` throws; members that it was asked of before have changed then.
    @inlinable
    public mutating func updateEach<Failure>(_ change: (String, JSONValue) throws(Failure) -> Update) throws(Failure) {
        var index = 0
        while index < members.count {
            switch try change(members[index].key, members[index].value) {
            case .keep: index += 1
            case .replace(let value):
                members[index].value = value
                index += 1
            case .remove: remove(at: index)
            }
        }
    }

    /// What becomes of a member.
    public enum Update {
        case keep, remove
        case replace(JSONValue)
    }
}

// MARK: - As a collection

extension JSONObject: RandomAccessCollection {
    /// Where the first member to arrive stands.
    @inlinable public var startIndex: Int { 0 }
    /// One past the last.
    @inlinable public var endIndex: Int { members.count }
    /// The member at a position, which holds until one is removed.
    @inlinable public subscript(position: Int) -> Element { (members[position].key, members[position].value) }

    /// The names.
    @inlinable public var keys: some RandomAccessCollection<String> { members.lazy.map(\.key) }
    /// The values.
    @inlinable public var values: some RandomAccessCollection<JSONValue> { members.lazy.map(\.value) }
}

// MARK: - Making

extension JSONObject: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements) { _, last in last }
    }

    /// Members of which a name may stand twice.
    public init(
        _ elements: some Sequence<(String, JSONValue)>, uniquingKeysWith unite: (JSONValue, JSONValue) -> JSONValue
    ) {
        reserveCapacity(elements.underestimatedCount)
        for (name, value) in elements {
            if let place = place(of: name) {
                members[place].value = unite(members[place].value, value)
            } else {
                append(name, value)
            }
        }
    }

    /// Members of different names; of one name the last counts.
    public init(uniqueKeysWithValues elements: some Sequence<(String, JSONValue)>) {
        self.init(elements) { _, last in last }
    }

    /// The members of a dictionary.
    public init(_ dictionary: [String: JSONValue]) {
        reserveCapacity(dictionary.count)
        for (name, value) in dictionary { append(name, value) }
    }

    /// Adds members; where both have a name, `unite` gives the value.
    public mutating func merge(
        _ others: some Sequence<Element>, uniquingKeysWith unite: (JSONValue, JSONValue) -> JSONValue
    ) {
        for (name, value) in others {
            if let place = place(of: name) {
                members[place].value = unite(members[place].value, value)
            } else {
                append(name, value)
            }
        }
    }

    /// These members and others; where both have a name, `unite` gives the value.
    public func merging(
        _ others: some Sequence<Element>, uniquingKeysWith unite: (JSONValue, JSONValue) -> JSONValue
    ) -> JSONObject {
        var united = self
        united.merge(others, uniquingKeysWith: unite)
        return united
    }

    /// The same names with other values.
    public func mapValues(_ change: (JSONValue) throws -> JSONValue) rethrows -> JSONObject {
        var changed = self
        for index in changed.members.indices { changed.members[index].value = try change(members[index].value) }
        return changed
    }

    /// The values that `change` gives, under their names.
    public func compactMapValues<Value>(_ change: (JSONValue) throws -> Value?) rethrows -> [String: Value] {
        var changed: [String: Value] = [:]
        for member in members { changed[member.key] = try change(member.value) }
        return changed
    }

    /// The members that `isKept` says.
    public func filter(_ isKept: (Element) throws -> Bool) rethrows -> JSONObject {
        var kept = JSONObject()
        for (name, value) in self where try isKept((name, value)) { kept.append(name, value) }
        return kept
    }
}

// MARK: - Equality

extension JSONObject: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        guard left.count == right.count else { return false }
        return left.members.indices.allSatisfy { index in
            let member = left.members[index]
            // Most objects that are compared have the same members in the same order.
            if areSame(right.members[index].key, member.key) { return right.members[index].value == member.value }
            return right[member.key] == member.value
        }
    }

    public func hash(into hasher: inout Hasher) {
        // The order must not count.
        var sum = 0
        for member in members {
            var each = Hasher()
            each.combine(member.key)
            each.combine(member.value)
            sum ^= each.finalize()
        }
        hasher.combine(members.count)
        hasher.combine(sum)
    }
}
