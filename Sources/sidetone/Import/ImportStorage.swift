import CallModel
import CallReport
import ClientStats
import Collector
import StandardStreams

/// Imports into the database of this process.
struct ImportStorage {
    let collector: CallCollector
    let context: ParsingContext
    /// Facts that share a transaction.
    private static let batch = 500

    /// Stores what a file holds. When it returns all of it is on disk, and folded.
    func store(_ file: ImportedBytes) async throws -> ImportTally {
        var reader: ImportReader
        do {
            reader = try ImportReader(file.bytes, in: context)
        } catch {
            throw ImportFailure.unrecognised(path: file.path, reason: "\(error)")
        }
        var tally = ImportTally(format: "\(reader.format)")
        var progress = ProgressBar(total: Terminal.hasStandardError ? reader.byteCount : nil)
        var identities: Set<CallIdentity> = []
        var waiting: [Submission] = []
        var facts = 0
        while let part = reader.next() {
            tally.take(part.refusals)
            waiting += part.submissions
            facts += part.submissions.reduce(0) { $0 + $1.facts.count }
            identities.formUnion(part.submissions.map(\.identity))
            guard facts >= Self.batch else { continue }
            try await submit(waiting, of: file.path, into: &tally)
            (waiting, facts) = ([], 0)
            if let bar = progress.advance(to: reader.bytesRead) { Terminal.tell(bar) }
        }
        if !waiting.isEmpty { try await submit(waiting, of: file.path, into: &tally) }
        for identity in identities { try await collector.settle(identity) }
        if Terminal.hasStandardError { Terminal.tell(ProgressBar.erasure) }
        tally.notes = reader.notes
        tally.calls = identities.map(\.call.rawValue).sorted()
        return tally
    }

    private func submit(_ submissions: [Submission], of path: String, into tally: inout ImportTally) async throws {
        do {
            for (submission, outcomes) in zip(submissions, try await collector.submit(submissions)) {
                for outcome in outcomes { tally.take(outcome, of: submission.identity.call) }
            }
        } catch let error as CallStoreError {
            throw ImportFailure.interrupted(path: path, stored: tally.stored, reason: "\(error)")
        }
    }
}

extension ImportTally {
    fileprivate mutating func take(_ outcome: FactOutcome, of call: CallID) {
        receipt.count(outcome)
        guard case .refused(let reason) = outcome else { return }
        let words = reason == .evicted ? "it was evicted or erased, and is not taken again" : reason.rawValue
        let line = "call \(call.rawValue): \(words)"
        if !refusedCalls.contains(line), refusedCalls.count < Self.mostTold { refusedCalls.append(line) }
    }

    fileprivate mutating func take(_ refusals: [Refusal]) {
        for refusal in refusals {
            self.refusals[refusal.reason.rawValue, default: 0] += 1
            if firstRefusals.count < Self.mostTold { firstRefusals.append(refusal.message) }
        }
    }
}
