import CallModel
import Foundation
import StandardStreams

/// What became of a file.
struct ImportTally: Hashable, Sendable {
    /// What it was recognised as.
    var format = ""
    var receipt = DeliveryReceipt()
    /// Its calls, sorted.
    var calls: [String] = []
    /// Parts that could not be read, by reason.
    var refusals: [String: Int] = [:]
    /// The first of them, each with its place.
    var firstRefusals: [String] = []
    /// What is odd about the file.
    var notes: [String] = []

    /// So many refusals are told; more help no one.
    static let mostTold = 10

    /// Calls of which nothing is taken any more, each once, in words.
    var refusedCalls: [String] = []

    /// Reports and events that are stored, now or before.
    var stored: Int { receipt.accepted + receipt.repeated + receipt.contradicted }

    /// Whether nothing of it could be read or was taken, though it is not empty.
    var isFruitless: Bool { stored == 0 && (receipt.refused > 0 || !refusals.isEmpty) }
}

/// What the import says to people.
enum ImportVoice {
    /// One line a file, and what was odd about it on standard error.
    static func tell(_ tally: ImportTally, of file: String) {
        for note in tally.firstRefusals + tally.refusedCalls + tally.notes { complain("\(file): \(note)") }
        let refused = tally.refusals.values.reduce(0, +)
        if refused > tally.firstRefusals.count {
            let counted = tally.refusals.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
            complain("\(file): \(refused) parts were not read: \(counted.joined(separator: ", "))")
        }
        let receipt = tally.receipt
        let counts = [
            (receipt.accepted, "stored"), (receipt.repeated, "known already"), (receipt.contradicted, "contradicted"),
            (receipt.refused + refused, "refused"),
        ]
        let words = counts.enumerated().filter { $0.offset == 0 || $0.element.0 > 0 }
            .map { "\($0.element.0) \($0.element.1)" }.joined(separator: ", ")
        say("\(file): \(tally.format), \(calls(tally.calls)): \(words)")
    }

    private static func calls(_ names: [String]) -> String {
        switch names.count {
        case 0: "no call"
        case 1...3: "call\(names.count == 1 ? "" : "s") \(names.joined(separator: ", "))"
        default: "\(names.count) calls"
        }
    }

    static func say(_ line: String) {
        StandardOutput.tell(line + "\n")
    }

    static func complain(_ line: String) {
        Terminal.tell(line + "\n")
    }
}
