import CallModel
import TestSupport
import Testing

@testable import Collector

/// What holds for the parts of any session, whatever was told in whatever order.
@Suite struct SessionShareTests {
    private static let session = CallKey.of("session")

    private func event(_ type: String, _ action: String, at seconds: Int64) -> Fact {
        let time = Timestamp(milliseconds: 1000 * seconds)
        return .event(CallEvent(time: time, receivedAt: time, action: action, type: type))
    }

    private func report(at seconds: Int64) -> Fact {
        let time = Timestamp(milliseconds: 1000 * seconds)
        return .report(StatsReport(connection: .only, time: time, receivedAt: time, objects: []))
    }

    /// A claim of a call that has a first and a last own fact, and may have been begun and ended by them.
    private func claim(
        _ call: String, _ span: ClosedRange<Int64>, isBegun: Bool = true, isEnded: Bool = true,
        observer: String = "client"
    ) -> SessionClaim {
        let end = Timestamp(milliseconds: 1000 * span.upperBound)
        return SessionClaim(
            session: Self.session.identity, key: .of(call, observer: observer),
            start: Timestamp(milliseconds: 1000 * span.lowerBound), lastActivity: end, isBegun: isBegun,
            endedAt: isEnded ? end : nil)
    }

    private func items(_ facts: [Fact], by observer: String = "client") -> [SessionShare.Item] {
        facts.map { SessionShare.Item(holder: .of("session", observer: observer), fact: $0) }
    }

    /// When what a call has of a session was, in seconds.
    private func seconds(_ share: SessionShare, of call: String) -> [Int64] {
        share.items(of: .of(call)).map { $0.fact.time.milliseconds / 1000 }
    }

    // MARK: When a call went on

    @Test func `a call that was begun and ended has what lies between, and a last report`() {
        let share = SessionShare(
            claims: [claim("a", 10...50)], items: items([5, 10, 50, 60, 61].map { report(at: $0) }))
        #expect(seconds(share, of: "a") == [10, 50, 60])
        #expect(share.hasRest(in: Self.session))
    }

    @Test func `a call that nothing began or ended reaches as far as reports go on`() {
        let open = claim("a", 1000...1010, isBegun: false, isEnded: false)
        let share = SessionShare(
            claims: [open], items: items([400, 701, 1000, 1300, 1600, 1901].map { report(at: $0) }))
        #expect(seconds(share, of: "a") == [701, 1000, 1300, 1600])
        let bounded = SessionShare(
            claims: [open],
            items: items([
                report(at: 900), event("callCreate", "callMetric", at: 950), report(at: 960), report(at: 1020),
                event("ENDED", "callState", at: 1030), report(at: 1040), report(at: 1041),
            ]))
        #expect(seconds(bounded, of: "a") == [950, 960, 1020, 1030, 1040])
    }

    @Test func `the report after an end is not the next call's, nor the first of that the last one's`() {
        let share = SessionShare(
            claims: [claim("a", 0...50), claim("b", 55...90)], items: items([52, 55, 57].map { report(at: $0) }))
        #expect(seconds(share, of: "a") == [52])
        #expect(seconds(share, of: "b") == [55, 57])
    }

    @Test func `an observer's statistics are his call's, and an unnamed teller's whoever has the session`() {
        let claims = [claim("a", 0...50, observer: "caller"), claim("a", 0...50, observer: "callee")]
        let named = SessionShare(claims: claims, items: items([report(at: 7)], by: "callee"))
        #expect(named.items(of: .of("a", observer: "callee")).count == 1)
        #expect(named.items(of: .of("a", observer: "caller")).isEmpty)
        // Both ends of one call have the session: whose it is, is not told.
        let unnamed = SessionShare(claims: claims, items: items([report(at: 7)]))
        #expect(unnamed.hasRest(in: Self.session))
        let only = SessionShare(claims: [claims[0]], items: items([report(at: 7)]))
        #expect(only.items(of: .of("a", observer: "caller")).count == 1)
    }

    @Test func `what a probe saw under the id of a session is no call's part`() {
        let time = Timestamp(milliseconds: 7000)
        let wire = Fact.wire(WireReport(time: time, receivedAt: time, streams: []))
        let share = SessionShare(claims: [claim("a", 0...50)], items: items([wire, event("BYE", "sip", at: 8)]))
        #expect(seconds(share, of: "a") == [])
        #expect(share.hasRest(in: Self.session))
    }

    // MARK: For any session

    @Test func `whatever the session, a fact of one call has one taker at most, and order changes nothing`() {
        var random = RandomSource(seed: 81)
        for _ in 0..<400 {
            let claims = (0..<Int.random(in: 1...4, using: &random)).map { index in
                let start = Int64.random(in: 0...900, using: &random)
                return claim(
                    "call \(index)", start...(start + Int64.random(in: 0...200, using: &random)),
                    isBegun: Bool.random(using: &random), isEnded: Bool.random(using: &random))
            }
            let facts = (0..<20).map { _ in
                let time = Int64.random(in: 0...1200, using: &random)
                return [
                    report(at: time), event("onConnectionLost", "connection", at: time),
                    event("callCreate", "callMetric", at: time), event("ENDED", "callState", at: time),
                ][min(Int.random(in: 0...8, using: &random), 3)]
            }
            let items = items(Fact.united(facts))
            let share = SessionShare(claims: claims, items: items)
            let again = SessionShare(
                claims: claims.shuffled(using: &random), items: items.shuffled(using: &random))
            var takers: [FactKey: Int] = [:]
            for claim in claims {
                let part = share.items(of: claim.key).map(\.fact)
                #expect(part == again.items(of: claim.key).map(\.fact))
                #expect(share.rivals(of: claim.key) == again.rivals(of: claim.key))
                for fact in part where fact.isOfOneCall { takers[fact.key, default: 0] += 1 }
                for rival in share.rivals(of: claim.key) {
                    let other = share.rivals(of: CallKey(identity: rival, observer: .client, attempt: 1))
                    #expect(other.contains(claim.key.identity))
                    let ofOneCall = part.filter(\.isOfOneCall)
                    #expect(ofOneCall == [])
                }
            }
            let shareable = items.count { $0.fact.isOfOneCall }
            #expect(Set(takers.values).isSubset(of: [1]))
            #expect(share.hasRest(in: Self.session) == (takers.count < shareable))
        }
    }

    /// A session of several calls, ends and attempts, of which facts came under its own and under others' names. Times are
    /// coarse, so that many are equal.
    private func sample(_ random: inout RandomSource) -> (claims: [SessionClaim], items: [SessionShare.Item]) {
        let observers = ["client", "caller", "callee"]
        var claims: [CallKey: SessionClaim] = [:]
        for _ in 0..<Int.random(in: 0...8, using: &random) {
            let start = 5 * Int64.random(in: 0...400, using: &random)
            var one = claim(
                "call \(Int.random(in: 0...4, using: &random))",
                start...(start + 5 * Int64.random(in: 0...60, using: &random)), isBegun: Bool.random(using: &random),
                isEnded: Bool.random(using: &random), observer: observers[Int.random(in: 0...2, using: &random)])
            one.key.attempt = Int.random(in: 1...3, using: &random)
            claims[one.key] = one
        }
        let items = (0..<Int.random(in: 0...40, using: &random)).map { _ in
            let time = 5 * Int64.random(in: 0...480, using: &random)
            let facts = [
                report(at: time), event("onConnectionLost", "connection", at: time),
                event("callCreate", "callMetric", at: time), event("ENDED", "callState", at: time),
                event("iceConnected", "iceState", at: time), event("BYE", "sip", at: time),
            ]
            let holder = CallKey.of(
                "session", observer: observers[Int.random(in: 0...2, using: &random)],
                attempt: Int.random(in: 1...2, using: &random))
            return SessionShare.Item(holder: holder, fact: facts[max(0, Int.random(in: -6...5, using: &random))])
        }
        return (claims.values.sorted { $0.start < $1.start }, items)
    }

    @Test func `it is divided as the rules say that hold every call against every fact`() {
        var random = RandomSource(seed: 4711)
        for round in 0..<1_500 {
            let (claims, items) = sample(&random)
            let (share, plain) = (
                SessionShare(claims: claims, items: items), PlainSessionShare(claims: claims, items: items)
            )
            for key in claims.map(\.key) {
                #expect(share.items(of: key).map(\.text) == plain.items(of: key).map(\.text), "round \(round)")
                #expect(share.rivals(of: key) == plain.rivals(of: key), "round \(round)")
            }
            let gone = Set(claims.map(\.key).filter { _ in Bool.random(using: &random) })
            #expect(share.items(of: gone).map(\.text) == plain.items(of: gone).map(\.text), "round \(round)")
            for holder in Set(items.map(\.holder)) {
                #expect(share.hasRest(in: holder) == plain.hasRest(in: holder), "round \(round)")
            }
        }
    }

    /// Each call held against each fact would take minutes.
    @Test(.timeLimit(.minutes(1))) func `a session of years is divided about as fast as it is read`() {
        let calls = Int64(20_000)
        let claims = (0..<calls).map { claim("call \($0)", (60 * $0)...(60 * $0 + 20), isBegun: $0 % 2 == 0) }
        let facts = (0..<calls).flatMap { call in
            [report(at: 60 * call + 10), event("networkReachable", "network", at: 60 * call + 15)]
        }
        let share = SessionShare(claims: claims, items: items(facts))
        #expect(seconds(share, of: "call 12345") == [740_710, 740_715])
        #expect(!share.hasRest(in: Self.session))
    }
}

extension SessionShare.Item {
    /// The record and the fact, for comparing.
    fileprivate var text: String { "\(holder.text) \(fact.key)" }
}
