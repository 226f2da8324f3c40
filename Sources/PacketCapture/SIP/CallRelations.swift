/// Finds calls that are legs of one conversation: a back-to-back user agent gives each its own Call-ID.
struct CallRelations: Sendable {
    /// Something that two legs have in common.
    enum Key: Hashable, Sendable {
        case callID(String)
        case header(name: String, value: String)
        case tags(String)
        case media(session: String, origin: String, Endpoint)
    }

    /// A key that a message has, and what it makes of two calls that both have it.
    struct Finding: Sendable {
        var key: Key
        var relation: SIPRelation
        /// Whether the call takes the key when nobody has it.
        var isClaimed: Bool
    }

    /// Something that a call has in common with an earlier one.
    struct Shared: Sendable {
        var key: Key
        var relation: SIPRelation
        /// The earlier one.
        var other: CallRef
        /// Who sent it in that.
        var sender: CallEnd
    }

    private var owners: [Key: (call: CallRef, sender: CallEnd)] = [:]
    /// Descriptions that calls share which have nothing else in common.
    private var common: Set<Key> = []

    /// Header fields of applications say so many things that only those are compared whose name says what they are.
    private static let names = [
        "session-id", "p-charging-vector", "callid", "call-id", "call_id", "correlation", "icid",
    ]
    /// A tag must be random in 32 bits ([RFC 3261 §19.3](https://www.rfc-editor.org/rfc/rfc3261#section-19.3)); shorter
    /// ones are counters.
    private static let minimumTagBytes = 6
    /// So many of a call's keys are looked through before the table is asked.
    private static let nearKeys = 4
    /// So many keys a call has at most; fields that are anew in every message join no legs.
    private static let maximumKeys = 64
    /// So many descriptions that say nothing are known at most.
    private static let maximumCommon = 4_096

    /// Notes what a call has and finds the calls that had it before.
    /// - Parameters:
    ///   - call: The call.
    ///   - sender: Who sent the message.
    ///   - keys: The keys that are its own, so that they can be taken back.
    ///   - found: What a message says.
    /// - Returns: What it has in common with others.
    mutating func note(_ call: CallRef, sender: CallEnd, keys: inout [Key], found: [Finding]) -> [Shared] {
        var shared: [Shared] = []
        for item in found {
            if let owner = owners[item.key] {
                guard owner.call != call, owner.call.callID != call.callID, !common.contains(item.key) else { continue }
                let relation = item.relation
                shared.append(Shared(key: item.key, relation: relation, other: owner.call, sender: owner.sender))
            } else if item.isClaimed, keys.count < Self.maximumKeys {
                owners[item.key] = (call, sender)
                keys.append(item.key)
            }
        }
        return shared
    }

    /// Notes that calls have a key which are not of one conversation: it says nothing of others, either.
    mutating func discard(_ key: Key) {
        if common.count >= Self.maximumCommon { common = [] }
        common.insert(key)
    }

    /// Takes a call's keys back.
    /// - Parameters:
    ///   - keys: The call's keys; those that stay are left in it.
    ///   - keep: Says which keys stay.
    mutating func forget(_ keys: inout [Key], keeping keep: (Key) -> Bool = { _ in false }) {
        for key in keys where !keep(key) { owners[key] = nil }
        keys.removeAll { !keep($0) }
    }

    /// What a message, and the description in it, has that another leg may have too.
    /// - Parameters:
    ///   - message: The message.
    ///   - description: Its session description.
    ///   - own: Keys that the call has taken before; they tell nothing.
    /// - Returns: Its other keys.
    static func keys(
        of message: SIPMessage, _ description: SessionDescription?, own: [Key]
    ) -> [Finding] {
        var found: [Finding] = []
        // Most messages of a call have nothing but what its first ones had.
        func add(_ key: Key, _ relation: SIPRelation) {
            guard !own.prefix(nearKeys).contains(key) else { return }
            found.append(Finding(key: key, relation: relation, isClaimed: true))
        }
        add(.callID(message.callID), .tags)
        for alias in message.aliases {
            let name = alias.header.lowercased()
            guard names.contains(where: { name.hasWord($0) }) else { continue }
            let relation = SIPRelation.header(alias.header)
            found.append(Finding(key: .callID(alias.value), relation: relation, isClaimed: false))
            for value in values(of: alias, name) {
                found.append(Finding(key: .header(name: name, value: value), relation: relation, isClaimed: true))
            }
        }
        if let replaced = message.replacedCall {
            found.append(Finding(key: .callID(replaced), relation: .replacement, isClaimed: false))
        }
        if let tags = tags(of: message) { add(.tags(tags), .tags) }
        if let media = description.flatMap(mediaKey) { add(media, .media) }
        return found
    }

    /// Both tags in an order of their own, for the request of the other side has them the other way round.
    private static func tags(of message: SIPMessage) -> String? {
        guard let from = message.fromTag, from.utf8.count >= minimumTagBytes, let to = message.toTag,
            to.utf8.count >= minimumTagBytes
        else { return nil }
        let tags = (bareTag(from), bareTag(to))
        guard tags.0.utf8.count >= minimumTagBytes, tags.1.utf8.count >= minimumTagBytes else { return nil }
        return tags.0 < tags.1 ? tags.0 + " " + tags.1 : tags.1 + " " + tags.0
    }

    /// A tag without the mark (`SD`, seven digits, a dash) that a common border controller puts before those of the
    /// other leg, as seen in captures.
    private static func bareTag(_ tag: String) -> String {
        guard tag.hasPrefix("SD") else { return tag }
        let bytes = Array(tag.utf8)
        guard bytes.count > 10, bytes[9] == UInt8(ascii: "-") else { return tag }
        return String(decoding: bytes[10...], as: UTF8.self)
    }

    /// A Session-ID names both halves of a session ([RFC 7989](https://www.rfc-editor.org/rfc/rfc7989)); legs share one
    /// at least. Null stands for a half not known yet.
    private static func values(of alias: SIPMessage.Alias, _ name: String) -> [String] {
        guard name == "session-id" else { return [alias.value] }
        let halves = alias.value.split(separator: ";").compactMap { part -> Substring? in
            guard let (key, value) = part.firstIndex(of: "=").map({ (part[..<$0], part[part.index(after: $0)...]) })
            else { return part }
            return key.lowercased() == "remote" ? value : nil
        }
        return halves.map { $0.lowercased() }.filter { !$0.allSatisfy { $0 == "0" } && $0.utf8.count >= 8 }
    }

    /// The same session at the same place: neither alone is proof, for private addresses repeat and so do the session
    /// numbers of simple clients. Nor are both where one host names them in several calls (``DescriptionHops``).
    private static func mediaKey(_ description: SessionDescription) -> Key? {
        guard let origin = description.origin else { return nil }
        for media in description.media {
            guard let endpoint = media.endpoint else { continue }
            return .media(session: origin.session, origin: origin.address, endpoint)
        }
        return nil
    }
}
