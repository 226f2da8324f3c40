import CallModel
import Collector

/// Delivers to the collector of this process, and so into its database.
struct CollectorDelivery: Delivery {
    let collector: CallCollector
    /// The path of the database.
    let destination: String

    func deliver(_ facts: [CapturedFact]) async throws(DeliveryError) -> DeliveryOutcome {
        let submissions = facts.submissions
        let outcomes: [[FactOutcome]]
        do {
            outcomes = try await collector.submit(submissions)
        } catch CollectorError.overloaded(let seconds) {
            throw .later(reason: "more arrives than can be stored", seconds: seconds)
        } catch {
            throw .later(reason: "\(error)", seconds: nil)
        }
        var result = DeliveryOutcome()
        for (item, outcome) in zip(submissions.flatMap(\.facts), outcomes.joined()) {
            if outcome == .refused(.tooManyCalls) {
                result.tooMany.append(facts[item.index])
            } else {
                result.receipt.count(outcome)
            }
        }
        return result
    }
}

extension DeliveryReceipt {
    mutating func count(_ outcome: FactOutcome) {
        switch outcome {
        case .accepted: accepted += 1
        case .repeated: repeated += 1
        case .contradicted: contradicted += 1
        case .refused: refused += 1
        }
    }
}
