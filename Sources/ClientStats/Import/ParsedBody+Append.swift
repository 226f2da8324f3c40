import CallModel

extension ParsedBody {
    /// Adds a fact to the submission of its call and observer.
    mutating func append(
        _ fact: Fact, identity: CallIdentity, observer: ObserverID, index: Int, names: [CallName] = []
    ) {
        let item = Submission.Item(index: index, fact: fact, names: names)
        let known = submissions.firstIndex { $0.identity == identity && $0.observer == observer }
        if let known {
            submissions[known].facts.append(item)
        } else {
            submissions.append(Submission(identity: identity, observer: observer, facts: [item]))
        }
    }

    /// Adds names that the product does not know.
    mutating func noteUnknown(types: some Sequence<String>, properties: some Sequence<String>) {
        unknownTypes = Self.united(unknownTypes, types)
        unknownProperties = Self.united(unknownProperties, properties)
    }

    private static func united(_ names: [String], _ more: some Sequence<String>) -> [String] {
        let new = Set(more).subtracting(names)
        return new.isEmpty ? names : Array((names + new).sorted().prefix(100))
    }
}
