public import CallModel
import CallQuality
import Logging

// MARK: - What is found at the start, late facts, retention

extension CallCollector {
    /// Finds the calls that went on when the last program ended, so that they count, and what they report is taken. Who
    /// sends meanwhile does not wait for it.
    func adoptLiveCalls() async {
        do {
            let silence = try await store.latestReceipt().map { clock().milliseconds(since: $0) }
            guard let silence, silence < CallSummary.silenceLimitMilliseconds else { return }
            for tenant in try await storedTenants() { try await adoptLiveCalls(of: tenant) }
        } catch {
            // Where the program stops meanwhile, nobody needs to know.
            if !Task.isCancelled { report(.read, error) }
        }
    }

    private func adoptLiveCalls(of tenant: TenantID) async throws {
        var filter = CallFilter(tenant: tenant, now: clock())
        filter.state = .live
        // Of all orders the one in which no call that reports meanwhile changes its place.
        var query = CallQuery(filter, sort: .newest, limit: Self.recordsPerPage)
        repeat {
            let page = try await store.calls(query)
            for summary in page.calls.map(\.summary) {
                meter.adopt(summary, claims: try await store.links(of: summary.key).claims.map(\.session))
            }
            query.cursor = page.next
        } while query.cursor != nil
    }

    /// Whose records there are. There are no rules 0: to them all records are outdated.
    private func storedTenants() async throws -> Set<TenantID> {
        var tenants: Set<TenantID> = []
        var last: Int64?
        repeat {
            let page = try await store.outdatedRecords(
                RescoreQuery(rulesVersion: 0), before: last, limit: Self.recordsPerPage)
            tenants.formUnion(page.map(\.key.identity.tenant))
            last = page.last?.number
        } while last != nil
        return tenants
    }

    private static let recordsPerPage = 1_000

    /// Folds all facts of a record anew and replaces what was derived before.
    /// - Returns: the new summary; `nil` when there are no facts.
    func refold(_ key: CallKey) async throws -> CallSummary? {
        var linker = self.linker
        return try await refold(key, &linker)
    }

    private func refold(_ key: CallKey, _ linker: inout SessionLinker) async throws -> CallSummary? {
        let facts = try await store.facts(of: key)
        let part = try await linker.part(of: key)
        var summary: CallSummary?
        if let change = RecordWriter.refold(key, facts: facts, part: part) {
            let began = meter.moment()
            try await store.commit([change])
            meter.committed([change], since: began, now: clock())
            live.note([change], new: [], now: clock())
            standings.forget(key.identity)
            if let fold = KeptFold(archive: change.session ?? []) {
                sessions.keep(fold, of: key, links: try await store.links(of: key), commitsSinceStored: 0)
            } else {
                sessions.forget(key)
            }
            counted.refolds += 1
            damaged.noteMended(key)
            summary = change.summary
        }
        dirty.remove(key)
        return summary
    }

    func eraseNow(_ identity: CallIdentity) async throws -> Int {
        do {
            let claims = try await forgetAll(of: identity)
            let erased = try await store.erase(identity, now: clock())
            try await noteErased(identity, tiedTo: claims)
            dirty.formUnion(claims)
            return erased
        } catch {
            report(.erase, error)
            throw error
        }
    }

    func removeNow(_ calls: [ErasedCall], from outbox: any ChangeOutbox) async throws -> Int {
        var removed = 0
        for call in calls {
            let heads = try await store.records(of: call.identity).filter { !$0.isEvicted }
            guard !heads.isEmpty, heads.allSatisfy({ $0.start <= call.lastActivity }) else { continue }
            let claims = try await forgetAll(of: call.identity)
            removed += try await outbox.removeErased(call.identity, now: clock()) > 0 ? 1 : 0
            try await noteErased(call.identity, tiedTo: claims)
            dirty.formUnion(claims)
        }
        return removed
    }

    func renumberNow(_ call: ReusedCall, in outbox: any ChangeOutbox) async throws {
        let claims = try await forgetAll(of: call.identity)
        live.forget(call.identity)
        let keys = try await outbox.renumber(
            call.identity, from: call.attempt, behind: call.others, now: clock())
        forgetDue(of: call.identity)
        // Should the program end here, they are found to wait for it when it begins.
        dirty.formUnion(claims + keys)
        for key in keys { _ = try await refold(key) }
        try await outbox.noteAgain(keys)
    }

    /// A call that was erased goes on no more. Who watches is told that it is over, whoever comes back is told nothing of it;
    /// nor of its sessions that went with it.
    private func noteErased(_ identity: CallIdentity, tiedTo others: [CallKey]) async throws {
        forgetDue(of: identity)
        live.erase(identity)
        meter.erased(identity)
        for other in Set(others.map(\.identity)) {
            guard try await store.records(of: other).allSatisfy(\.isEvicted) else { continue }
            live.erase(other)
            meter.erased(other)
        }
    }

    /// Takes a call out of what is to be folded anew: only once the store has let go of it.
    private func forgetDue(of identity: CallIdentity) {
        dirty = dirty.filter { $0.identity != identity }
        unmended = unmended.filter { $0.identity != identity }
        damaged.forget(identity)
    }

    /// Takes a call out of all that is held in memory, but for what is to be folded anew.
    /// - Returns: the records that claim it as their session, and those of its own sessions: they are to be folded anew
    ///   without it.
    private func forgetAll(of identity: CallIdentity) async throws -> [CallKey] {
        sessions.forget(identity)
        placed.forget(identity)
        standings.forgetAll()
        let standing = try await store.standing(of: identity)
        var others = standing.claims.map(\.key)
        for head in standing.heads where !head.isEvicted {
            for claim in try await store.links(of: head.key).claims {
                sessions.forget(claim.session)
                placed.forget(claim.session)
                others += try await store.records(of: claim.session).filter { !$0.isEvicted }.map(\.key)
            }
        }
        return others
    }

    /// Folds anew what has to be, and begins to enforce the retention, which goes on beside submissions.
    ///
    /// A record that cannot be folded stays dirty and is tried again; it holds up neither others nor the retention.
    /// - Returns: whether more waits: submissions have their turn in between.
    func maintainNow() async -> Bool {
        guard await isWritable() else { return false }
        let due = dirty.union(unmended).subtracting(unfoldable)
        // What is being removed is not folded anew; submissions need not wait for the end of that.
        guard due.isEmpty || enforcement == nil else { return true }
        var linker = self.linker
        var turn = UpkeepTurn(closingSince: closingSince)
        for key in due {
            guard turn.takesAnother(at: meter.moment()) else { return true }
            unmended.remove(key)
            do {
                _ = try await refold(key, &linker)
            } catch {
                unfoldable.insert(key)
                report(.refold, error)
                guard !error.isOutage else { return false }
            }
        }
        beginEnforcement()
        return false
    }

    /// Begins to remove old calls when there may be a hundredth more than are to be kept.
    func enforceWhenDue() {
        guard enforcement == nil, recordsSinceEnforcement > retention.calls / 100 else { return }
        beginEnforcement()
    }

    /// Begins to remove old calls; once more, if that goes on already. Submissions go on meanwhile; what is done alone waits
    /// for it.
    private func beginEnforcement() {
        isEnforcementDue = true
        guard enforcement == nil else { return }
        enforcement = Task {
            while isEnforcementDue {
                isEnforcementDue = false
                await enforceRetention()
            }
            enforcement = nil
            enforceWhenDue()
        }
    }

    func enforcementIsOver() async {
        while let enforcement { await enforcement.value }
    }

    private func enforceRetention() async {
        recordsSinceEnforcement = 0
        if retentionClock.isNew, let latest = try? await store.latestReceipt() {
            retentionClock.begin(after: latest, showing: clock())
        }
        let now = retentionClock.now(clock())
        do {
            let report = try await store.enforce(retention, now: now)
            let evicted = report.evictedByCount + report.evictedByAge
            guard evicted > 0 else { return }
            standings.forgetEvictable(retention, now: now)
            counted.evictedCalls += evicted
            meter.evicted(evicted)
            logger.info("calls evicted", metadata: ["count": "\(evicted)", "keptLive": "\(report.keptLive)"])
        } catch {
            // Some may have gone before it failed.
            standings.forgetEvictable(retention, now: now)
            report(.retention, error)
        }
    }
}

// MARK: - Faults of the store

extension CallCollector {
    /// Takes in that of a record that was shown a part cannot be understood. It is told once, without the id of the call;
    /// what follows from facts is derived anew.
    public func noteDamage(_ damage: [RecordDamage], of key: CallKey) {
        // Damage may come again, and who tells of it may have read before it was mended.
        if damaged.isMended(key), damage.contains(where: \.part.isDerived) { unmended.insert(key) }
        for damage in damaged.note(damage, of: key) {
            meter.met(damage)
            guard damage.part.isDerived else {
                report(.read, damage.error)
                continue
            }
            unmended.insert(key)
            meter.failed(.read, damage.error)
            logger.error(
                "a record cannot be read whole, and is derived anew",
                metadata: ["part": "\(damage.part.rawValue)", "damage": "\(damage.error)"])
        }
    }

    /// Takes in that something could not be read from the store, or written to it.
    public func noteFailure(_ error: CallStoreError) {
        report(.read, error)
    }

    /// Logs what went wrong; an outage, and damage, only when it is new.
    func report(
        _ operation: StoreOperation, _ error: any Error, refusing submissions: Int = 0, of call: CallIdentity? = nil
    ) {
        meter.failed(operation, error)
        tell(storeState.note(error, refusing: submissions, of: call, at: clock()))
        if (error as? CallStoreError)?.isToldOnce != true {
            logger.error(operation.failure, metadata: ["error": "\(error)"])
        }
    }

    func tell(_ news: StoreHealth.News?) {
        news?.log(to: logger, at: clock())
    }

    /// In an outage tries whether it is over, though nobody sends anything.
    func isWritable() async -> Bool {
        guard storeState.outage != nil else { return true }
        do {
            try await store.probe()
            tell(storeState.noteSuccess())
            return true
        } catch {
            report(.probe, error)
            return false
        }
    }
}
