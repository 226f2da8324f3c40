import CallModel
import CallQuality
import Logging

// MARK: - The writer

extension CallCollector {
    /// Begins all that may be begun. What arrives while a group is worked on forms the next.
    func goOn() {
        while let turn = schedule.next() {
            switch turn {
            case .group(let group, let entries):
                for entry in entries where !entry.isByItself {
                    waitingSubmissions.give(1, of: entry.tenant)
                    waitingFacts.give(entry.facts, of: entry.tenant)
                }
                Task { await write(entries, as: group) }
            case .alone(let entry):
                Task { await carryOut(entry.item) }
            }
        }
    }

    private func carryOut(_ work: Work) async {
        switch work {
        case .store: break
        case .settle(let identity, let continuation):
            await answer(continuation) {
                for key in self.dirty.filter({ $0.identity == identity }) { _ = try await self.refold(key) }
            }
        case .erase(let identity, let continuation):
            await answer(continuation) { try await self.eraseNow(identity) }
        case .removeErased(let calls, let outbox, let continuation):
            await answer(continuation) { try await self.removeNow(calls, from: outbox) }
        case .renumber(let call, let outbox, let continuation):
            await answer(continuation) { try await self.renumberNow(call, in: outbox) }
        case .rescore(let key, let continuation):
            await answer(continuation) {
                let summary = try await self.refold(key)
                // Most are over for long; those that go on are read back.
                self.forget(key)
                return summary
            }
        case .maintain(let continuation):
            continuation.resume(returning: await maintainNow())
        }
        schedule.isFinishedAlone()
        goOn()
    }

    /// Does what the removing of calls must not get in the way of.
    private func answer<Value: Sendable>(
        _ continuation: CheckedContinuation<Value, any Error>, _ work: () async throws -> Value
    ) async {
        await enforcementIsOver()
        do {
            continuation.resume(returning: try await work())
        } catch {
            continuation.resume(throwing: error)
        }
    }

    /// Commits a group and answers it. When that fails, each is tried by itself: one that cannot be stored costs no
    /// other; so is one alone that the store refuses, for a call of it may have been evicted since it was looked up, and is
    /// known to be then. In an outage of the store it is the same for all, and all are answered at once.
    private func write(_ entries: [WriteSchedule<Work>.Entry], as group: Int) async {
        guard !haveSeenLock(entries) else {
            refuseForLock(entries)
            return finish(group)
        }
        let batches = entries.map(\.item.submissions)
        var transaction = Transaction(limits: limits, beginning: beginning.values.reduce(into: []) { $0.formUnion($1) })
        do {
            var outcomes: [[[FactOutcome]]] = []
            for batch in batches { outcomes.append(try await take(batch, in: &transaction)) }
            beginning[group] = transaction.gate.begun
            let marked = try await mark(&transaction, group)
            let changes = await transaction.changes()
            let began = meter.moment()
            try await store.commit(changes, marking: marked)
            meter.committed(changes, since: began, now: clock())
            beginning[group] = nil
            live.note(changes, new: transaction.newKeys, now: clock())
            for (batch, outcomes) in zip(batches, outcomes) { meter.count(batch, outcomes) }
            count(outcomes.joined().joined())
            tell(storeState.noteSuccess())
            dirty.formUnion(marked)
            for record in transaction.records.values {
                keep(record)
                if record.isDirty { dirty.insert(record.key) }
            }
            standings.note(transaction, changes)
            for (entry, outcomes) in zip(entries, outcomes) { entry.item.continuation?.resume(returning: outcomes) }
            recordsSinceEnforcement += transaction.newRecords
            enforceWhenDue()
        } catch {
            for key in transaction.records.keys { forget(key) }
            for submission in batches.joined() { placed.forget(submission.identity) }
            if entries.count > 1 && !error.isOutage || error.isRefusal && !entries.allSatisfy(\.isByItself) {
                schedule.retry(entries)
            } else {
                report(.append, error, refusing: entries.count, of: batches.joined().first?.identity)
                for entry in entries { entry.item.continuation?.resume(throwing: error) }
            }
        }
        finish(group)
    }

    /// Whether the store was found locked while all of these waited: to see whether it still is takes as long again.
    private func haveSeenLock(_ entries: [WriteSchedule<Work>.Entry]) -> Bool {
        storeState.outage?.cause == .locked && entries.allSatisfy { $0.timesLocked < storeState.timesLocked }
    }

    private func refuseForLock(_ entries: [WriteSchedule<Work>.Entry]) {
        let error = CallStoreError.unavailable(.locked, detail: "it was found so a moment ago")
        meter.failed(.append, error)
        storeState.noteRefused(entries.count)
        for entry in entries { entry.item.continuation?.resume(throwing: error) }
    }

    /// Marks what follows from sessions. A group that has to do with any goes on when it is the only one: which calls it
    /// concerns depends on what others are about to write, or to remove.
    private func mark(_ transaction: inout Transaction, _ group: Int) async throws -> Set<CallKey> {
        guard !transaction.touchedSessions.isEmpty else {
            schedule.isPrepared(group)
            goOn()
            return try await linker.mark(&transaction)
        }
        if schedule.groups > 1 { await withCheckedContinuation { waitingForOthers = $0 } }
        await enforcementIsOver()
        let marked = try await linker.mark(&transaction)
        schedule.isPrepared(group, with: transaction.touchedSessions.union(marked.map(\.identity)))
        goOn()
        return marked
    }

    private func finish(_ group: Int) {
        schedule.isFinished(group)
        beginning[group] = nil
        if schedule.groups == 1, let waiting = waitingForOthers {
            waitingForOthers = nil
            waiting.resume()
        }
        goOn()
    }

    private func take(_ batch: [Submission], in transaction: inout Transaction) async throws -> [[FactOutcome]] {
        var outcomes: [[FactOutcome]] = []
        let now = clock()
        for submission in batch {
            guard submission.isOfThePast(at: now) || transaction.gate.admits(submission.identity, meter) else {
                outcomes.append(submission.facts.map { _ in .refused(.tooManyCalls) })
                continue
            }
            if !transaction.knows(submission.identity) {
                let known = standings.standing(of: submission.identity)
                let standing = if let known { known } else { try await store.standing(of: submission.identity) }
                transaction.learn(submission.identity, standing: standing)
            }
            outcomes.append(
                submission.facts.contains { $0.fact.repeatHash != nil }
                    ? try await takePlaced(submission, in: &transaction)
                    : try await take(submission, in: &transaction))
        }
        return outcomes
    }

    private func take(_ submission: Submission, in transaction: inout Transaction) async throws -> [FactOutcome] {
        let keys = transaction.route(submission)
        for (key, facts) in Dictionary(grouping: zip(keys, submission.facts), by: \.0) {
            guard let key else { continue }
            try await open(key, for: facts.map(\.1.fact.key), in: &transaction)
        }
        return transaction.take(submission, keys: keys)
    }

    /// The same for a submission with facts that stand at their receipt: what an earlier one said opens no attempt, and is
    /// not taken again.
    private func takePlaced(_ submission: Submission, in transaction: inout Transaction) async throws -> [FactOutcome] {
        let areRepeats = try await takeRepeats(in: submission, transaction)
        var fresh = submission
        fresh.facts = zip(submission.facts, areRepeats).filter { !$1 }.map(\.0)
        var taken = try await take(fresh, in: &transaction)[...]
        return areRepeats.map { $0 ? .repeated : taken.popFirst() ?? .repeated }
    }

    /// Which facts of a submission stand at their receipt, and say what an earlier one said.
    private func takeRepeats(in submission: Submission, _ transaction: Transaction) async throws -> [Bool] {
        let call = submission.identity
        if !placed.knows(call) {
            var stored: [(ObserverID, Fact)] = []
            for head in transaction.storedHeads(of: call) {
                stored += try await store.facts(of: head.key).map { (head.key.observer, $0) }
            }
            placed.learn(call)
            for (observer, fact) in stored { _ = placed.isRepeat(fact, of: call, by: observer) }
        }
        return submission.facts.map { placed.isRepeat($0.fact, of: call, by: submission.observer) }
    }

    /// Brings a record, and the stored facts that new ones may repeat, into the transaction.
    private func open(_ key: CallKey, for factKeys: [FactKey], in transaction: inout Transaction) async throws {
        let isNew = transaction.isNew(key)
        if transaction.records[key] == nil {
            transaction.records[key] =
                isNew
                ? RecordWriter(
                    key: key, fold: nil, isDirty: dirty.contains(key), commitsSinceStored: nil)
                : try await writer(of: key)
        }
        guard !isNew, transaction.records[key]?.mayKnow(factKeys) == true else { return }
        transaction.records[key]?.learn(try await store.facts(of: key, among: factKeys))
    }

    /// A record that the store has, with its fold. One that other rules made is made anew first, so that rows of two
    /// rules never stand side by side; where that fails, an empty one that is marked for a new fold.
    private func writer(of key: CallKey) async throws -> RecordWriter {
        if let known = known(key) { return known }
        let links = try await store.links(of: key)
        if let fold = try await storedFold(of: key) {
            return RecordWriter(
                key: key, fold: fold, isDirty: dirty.contains(key), links: links, commitsSinceStored: nil)
        }
        do {
            _ = try await refold(key)
            if let known = known(key) { return known }
        } catch {
            guard !error.isOutage else { throw error }
            report(.refold, error)
        }
        return RecordWriter(key: key, fold: nil, isDirty: true, links: links, commitsSinceStored: nil)
    }

    /// A record whose fold is in memory.
    private func known(_ key: CallKey) -> RecordWriter? {
        guard let entry = sessions.entry(of: key) else { return nil }
        return RecordWriter(
            key: key, fold: entry.fold, isDirty: dirty.contains(key), links: entry.links,
            commitsSinceStored: entry.commitsSinceStored)
    }

    /// The fold that is stored, brought up to date; `nil` when this program cannot go on from it.
    private func storedFold(of key: CallKey) async throws -> KeptFold? {
        guard let bytes = try await store.session(of: key), var session = CallSession(archived: bytes) else {
            return nil
        }
        if let watermark = session.watermark {
            _ = session.fold(Fact.withoutRepeats(try await store.facts(of: key)).drop { $0.key <= watermark })
        }
        return KeptFold(session)
    }

    private func keep(_ record: RecordWriter) {
        guard let fold = record.foldAfter else { return }
        guard !record.isOver else { return sessions.forget(record.key) }
        sessions.keep(
            fold, of: record.key, links: record.currentLinks, commitsSinceStored: record.commitsSinceStored)
    }

    private func forget(_ key: CallKey) {
        sessions.forget(key)
        standings.forget(key.identity)
        placed.forget(key.identity)
    }

    private func count(_ outcomes: some Sequence<FactOutcome>) {
        counted.commits += 1
        for outcome in outcomes {
            switch outcome {
            case .accepted: counted.accepted += 1
            case .repeated: counted.repeated += 1
            case .contradicted: counted.contradicted += 1
            case .refused(.tooManyCalls): counted.refusedAsTooMany += 1
            case .refused: counted.refusedAsEvicted += 1
            }
        }
    }
}
