import CallModel

/// A fact that a probe told, on its way to where it is kept.
struct CapturedFact: Hashable, Sendable {
    var call: CallID
    var observer: ObserverID
    var fact: Fact

    /// About how many bytes it takes, in memory and as text: a stream has some fifty figures.
    var approximateBytes: Int {
        switch fact {
        case .wire(let report): 512 + 2048 * report.streams.count
        case .event, .report: 1024
        }
    }
}

extension [CapturedFact] {
    /// The facts in groups of one call and observer, each in its order, as a collector takes them.
    var submissions: [Submission] {
        var places: [RecordName: Int] = [:]
        var submissions: [Submission] = []
        for (index, item) in enumerated() {
            let name = RecordName(call: item.call, observer: item.observer)
            let place = places[name] ?? submissions.count
            if place == submissions.count {
                places[name] = place
                let identity = CallIdentity(tenant: .default, call: item.call)
                submissions.append(Submission(identity: identity, observer: item.observer, facts: []))
            }
            submissions[place].facts.append(Submission.Item(index: index, fact: item.fact))
        }
        return submissions
    }
}

/// What facts of one record have in common.
private struct RecordName: Hashable {
    var call: CallID
    var observer: ObserverID
}
