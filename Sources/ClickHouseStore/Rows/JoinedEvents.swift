import CallModel
import JSONText
import StoreParts

/// Events told under the ids of sessions that a record took part in: a JSON array of {call, observer, attempt, facts},
/// each fact an array [time, rank, name]; empty text where there are none.
struct JoinedEvents: Hashable, Sendable {
    var events: [CallKey: [FactKey]]

    init(_ share: SessionOutcome) {
        events = share.events
    }

    var text: String {
        guard !events.isEmpty else { return "" }
        return JSONValue.array(
            events.map { key, facts in
                [
                    "call": .string(key.identity.call.rawValue), "observer": .string(key.observer.rawValue),
                    "attempt": .integer(Int64(key.attempt)),
                    "facts": .array(
                        facts.map {
                            .array([.integer($0.time.milliseconds), .integer(Int64($0.rank)), .string($0.name)])
                        }),
                ]
            }
        ).canonicalText
    }

    /// - Throws: ``CallStoreError/damaged(_:reason:)``.
    init(_ text: String, in tenant: TenantID) throws {
        events = [:]
        guard !text.isEmpty else { return }
        try understanding("the events that a call has from its sessions") {
            guard case .array(let sources) = try StoredJSON.value(of: text) else {
                throw StoredValueError.notExpected(text)
            }
            for source in sources {
                guard let source = source.members, let call = source["call"]?.text,
                    let observer = source["observer"]?.text, let attempt = source["attempt"]?.wholeNumber,
                    case .array(let facts)? = source["facts"]
                else { throw StoredValueError.notExpected(text) }
                let key = CallKey(
                    identity: CallIdentity(tenant: tenant, call: CallID(rawValue: call)),
                    observer: ObserverID(rawValue: observer), attempt: Int(attempt))
                events[key] = try facts.map(FactKey.init(stored:))
            }
        }
    }
}

extension FactKey {
    fileprivate init(stored value: JSONValue) throws {
        guard case .array(let parts) = value, parts.count == 3, let time = parts[0].wholeNumber,
            let rank = parts[1].wholeNumber, let name = parts[2].text
        else { throw StoredValueError.notExpected(value.canonicalText) }
        self.init(time: Timestamp(milliseconds: time), rank: Int(rank), name: name)
    }
}
