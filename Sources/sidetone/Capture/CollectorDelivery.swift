import CallModel
import Collector

/// Delivers to the collector of this process, and so into its database.
struct CollectorDelivery: Delivery {
    let collector: CallCollector
    /// The path of the database.
    let destination: String

    func deliver(_ facts: [CapturedFact]) async throws(DeliveryError) -> DeliveryReceipt {
        let outcomes: [[FactOutcome]]
        do {
            outcomes = try await collector.submit(facts.submissions)
        } catch CollectorError.overloaded(let seconds) {
            throw .later(reason: "more arrives than can be stored", seconds: seconds)
        } catch {
            throw .later(reason: "\(error)", seconds: nil)
        }
        // All of it goes once more, for the collector knows what it has.
        guard !outcomes.joined().contains(.refused(.tooManyCalls)) else {
            throw .later(reason: "more calls go on than may", seconds: DeliveryError.tooManyCallsPause)
        }
        var receipt = DeliveryReceipt()
        for outcome in outcomes.joined() { receipt.count(outcome) }
        return receipt
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
