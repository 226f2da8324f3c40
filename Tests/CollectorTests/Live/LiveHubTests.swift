import CallModel
import Synchronization
import TestSupport
import Testing

@testable import Collector

/// Between the writer and those who watch.
@Suite struct LiveHubTests {
    /// A hub that tells of `count` calls that begin.
    private static func tell(_ hub: LiveHub, _ count: Int = 1, from first: Int = 0) {
        let keys = (first..<first + count).map { CallKey.live("\($0)") }
        hub.note(keys.map { .live($0, at: 0) }, new: Set(keys))
        hub.deliver()
    }

    private static func calls(_ news: LiveNews) -> [String]? {
        guard case .events(let batches) = news else { return nil }
        return batches.flatMap(\.events).map(\.key.identity.call.rawValue)
    }

    @Test func `whoever watches is told what happens from then on, in order and once`() async throws {
        let hub = LiveHub()
        Self.tell(hub, 2)
        let subscription = try #require(hub.subscribe())
        Self.tell(hub, 2, from: 2)
        Self.tell(hub, 1, from: 4)
        #expect(Self.calls(await subscription.next()) == ["2", "3", "4"])
        let waiting = Task { await subscription.next() }
        Self.tell(hub, 1, from: 5)
        #expect(Self.calls(await waiting.value) == ["5"])
    }

    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func `a watcher that comes back behind any event misses none and is told none twice`(seed: UInt64) async throws {
        var random = RandomSource(seed: seed)
        let hub = LiveHub(limits: LiveLimits(events: 40), startedAt: .live(0))
        let before = hub.last()
        var told = 0
        while told < 100 {
            let count = Int.random(in: 1...12, using: &random)
            Self.tell(hub, count, from: told)
            told += count
        }
        for number in before...hub.last() + 2 {
            let subscription = try #require(hub.subscribe(after: number))
            let isThere = number >= hub.last() - 28 && number <= hub.last()
            if isThere { #expect(subscription.isResumed) }
            guard subscription.isResumed else { continue }
            #expect(number <= hub.last() && hub.last() - number <= 40)
            if number < hub.last() {
                let missed = (Int(number - before)..<told).map { "\($0)" }
                #expect(Self.calls(await subscription.next()) == missed)
            }
        }
    }

    @Test func `numbers go on growing after a restart, and one of before is too old`() throws {
        let first = LiveHub(startedAt: .live(0))
        Self.tell(first, 500)
        let second = LiveHub(startedAt: .live(1))
        #expect(second.last() > first.last())
        #expect(try #require(second.subscribe(after: first.last())).isResumed == false)
        #expect(try #require(first.subscribe(after: second.last())).isResumed == false)
    }

    /// The numbers of all would tell one tenant how much happens to the others, and a busy one would cost them their place.
    @Test func `a tenant's events have numbers of their own, and make room for those of others`() async throws {
        let hub = LiveHub(limits: LiveLimits(events: 10))
        let quiet = TenantID(rawValue: "quiet")
        let key = CallKey.live("q", tenant: quiet)
        let start = hub.last(of: quiet)
        hub.note([.live(key, at: 0)], new: [key])
        for round in 0..<5 { Self.tell(hub, 5, from: round * 5) }
        #expect(hub.last(of: quiet) == start + 1 && hub.last() == start + 25)
        let subscription = try #require(hub.subscribe(after: start, of: quiet))
        #expect(subscription.isResumed)
        #expect(Self.calls(await subscription.next()) == ["q"])
        #expect(try #require(hub.subscribe(after: start)).isResumed == false)
        #expect(try #require(hub.subscribe(after: start + 20)).isResumed)
    }

    @Test func `whoever is further behind than is kept is cut off, counted by whom it concerns, and ingest goes on`()
        async throws
    {
        let hub = LiveHub(limits: LiveLimits(events: 10))
        let slow = try #require(hub.subscribe())
        let closed = Atomic(0)
        slow.onCut { closed.add(1, ordering: .relaxed) }
        let quick = try #require(hub.subscribe())
        for index in 0..<30 {
            Self.tell(hub, 1, from: index)
            #expect(Self.calls(await quick.next()) == ["\(index)"])
        }
        #expect(closed.load(ordering: .relaxed) == 1)
        #expect(await slow.next() == .cut)
    }

    @Test func `when events found no room all are cut off`() async throws {
        let hub = LiveHub(limits: LiveLimits(events: 10))
        let subscription = try #require(hub.subscribe())
        let waiting = Task { await subscription.next() }
        while !hub.isAnybodyWaiting { await Task.yield() }
        Self.tell(hub, 11)
        #expect(await waiting.value == .cut)
        #expect(try #require(hub.subscribe(after: hub.last() - 1)).isResumed == false)
    }

    @Test func `only so many may watch, and who goes makes room`() throws {
        let hub = LiveHub(limits: LiveLimits(subscribers: 2))
        let first = try #require(hub.subscribe())
        var second = hub.subscribe()
        #expect(second != nil && hub.subscribe() == nil && hub.subscribers == 2)
        second = nil
        #expect(hub.subscribers == 1)
        first.end()
        #expect(hub.subscribers == 0 && hub.subscribe() != nil)
    }

    @Test func `a tenant that has all places gives them up to others, down to as many as they have`() async throws {
        let hub = LiveHub(limits: LiveLimits(subscribers: 4))
        let (greedy, other) = (TenantID(rawValue: "greedy"), TenantID(rawValue: "other"))
        var places: [LiveSubscription] = []
        for _ in 0..<4 { places.append(try #require(hub.subscribe(of: greedy))) }
        #expect(hub.subscribe(of: greedy) == nil)
        // The last waits, the one before it passes on what it has.
        let closed = Mutex(0)
        for place in places { place.onCut { closed.withLock { $0 += 1 } } }
        let last = places[3]
        let waiting = Task { await last.next() }
        while !hub.isAnybodyWaiting { await Task.yield() }
        let first = try #require(hub.subscribe(of: other))
        #expect(await waiting.value == .closed && closed.withLock { $0 } == 0)
        let second = try #require(hub.subscribe(of: other))
        #expect(await places[2].next() == .closed && closed.withLock { $0 } == 1)
        // Now both have the same.
        #expect(hub.subscribe(of: other) == nil && hub.subscribe(of: greedy) == nil && hub.subscribers == 4)
        // Who is new is let in by one of those who have more than one.
        let third = try #require(hub.subscribe(of: TenantID(rawValue: "third")))
        let fourth = try #require(hub.subscribe(of: TenantID(rawValue: "fourth")))
        #expect(hub.subscribers == 4)
        for place in [first, second, third, fourth] { place.end() }
    }

    @Test func `who waits is told when nothing happens, when the watcher goes, and when the server stops`() async throws
    {
        let hub = LiveHub()
        for news in [LiveNews.idle, .closed] {
            let subscription = try #require(hub.subscribe())
            let waiting = Task { await subscription.next() }
            while !hub.isAnybodyWaiting { await Task.yield() }
            switch news {
            case .idle: hub.beat()
            default: waiting.cancel()
            }
            #expect(await waiting.value == news)
        }
        let subscription = try #require(hub.subscribe())
        let waiting = Task { await subscription.next() }
        while !hub.isAnybodyWaiting { await Task.yield() }
        hub.close()
        #expect(await waiting.value == .closed)
        #expect(hub.subscribe() == nil)
    }

    /// On a busy server a watcher is never found waiting when the time comes.
    @Test func `a sign of life is given though something happens all the time, once each`() async throws {
        let hub = LiveHub()
        let subscription = try #require(hub.subscribe())
        for round in 0..<3 {
            Self.tell(hub, 1, from: round)
            hub.beat()
            #expect(await subscription.next() == .idle)
            #expect(Self.calls(await subscription.next()) == ["\(round)"])
        }
    }

    @Test func `a watcher whose snapshot is older than what is kept is cut off and misses nothing unawares`()
        async throws
    {
        let hub = LiveHub(limits: LiveLimits(events: 10))
        let snapshot = hub.last()
        Self.tell(hub, 3)
        let inTime = try #require(hub.subscribe())
        inTime.move(to: snapshot)
        #expect(Self.calls(await inTime.next()) == ["0", "1", "2"])
        for index in 3..<30 { Self.tell(hub, 1, from: index) }
        let late = try #require(hub.subscribe())
        late.move(to: snapshot)
        #expect(await late.next() == .cut)
    }

    @Test func `what stands under another tenant or was erased is told of no more`() throws {
        let hub = LiveHub()
        hub.note([.live(at: 0, scores: [70])], new: [.live()])
        #expect(hub.score(of: .live()) == 70)
        hub.forget(CallKey.live(tenant: TenantID(rawValue: "other")).identity)
        #expect(hub.score(of: .live()) == 70)
        hub.forget(CallKey.live().identity)
        #expect(hub.score(of: .live()) == nil)
    }

    @Test func `of a call that was erased nothing is told to who comes back, and nothing counts as missing`()
        async throws
    {
        let hub = LiveHub()
        let start = hub.last()
        Self.tell(hub, 3)
        Self.tell(hub, 1, from: 3)
        // What waits to be handed on is not told, either.
        hub.note([.live(.live("4"), at: 0)], new: [.live("4")])
        for call in ["1", "3", "4"] { hub.erase(CallKey.live(call).identity) }
        #expect(hub.erasures == 3)
        hub.deliver()
        #expect(hub.last() == start + 4)
        let left = ["0", "2"]
        for behind in 0..<3 as Range<UInt64> {
            let subscription = try #require(hub.subscribe(after: start + behind))
            #expect(subscription.isResumed)
            guard case .events(let batches) = await subscription.next() else { continue }
            let told = batches.flatMap { batch in zip(batch.first..., batch.events).map { ($0, $1) } }
            #expect(told.map { $0.1.key.identity.call.rawValue } == Array(left.suffix(behind == 0 ? 2 : 1)))
            #expect(told.map { $0.0 } == Array([start + 1, start + 3].suffix(behind == 0 ? 2 : 1)))
        }
        let subscription = try #require(hub.subscribe(after: start + 3))
        #expect(subscription.isResumed)
        Self.tell(hub, 1, from: 5)
        #expect(Self.calls(await subscription.next()) == ["5"])
    }

    @Test func `who watches is told once that an erased call is over, and who comes back is not`() async throws {
        let hub = LiveHub()
        let (busy, quick) = (try #require(hub.subscribe()), try #require(hub.subscribe()))
        Self.tell(hub, 2)
        #expect(Self.calls(await quick.next()) == ["0", "1"])
        let waiting = Task { await quick.next() }
        while !hub.isAnybodyWaiting { await Task.yield() }
        let last = hub.last()
        for _ in 0..<2 { hub.erase(CallKey.live("1").identity) }
        let ending = LiveEnding(outcome: .unknown, score: nil, worstScore: nil, reason: "erased")
        let end = LiveEvent(key: .live("1"), time: .live(0), kind: .callEnded(ending))
        #expect(await waiting.value == .events([LiveBatch(first: last + 1, events: [end])]))
        // That it began, one that had not come for more is not told any more.
        #expect(Self.calls(await busy.next()) == ["0", "1"])
        let late = try #require(hub.subscribe(after: last - 2))
        #expect(late.isResumed)
        #expect(Self.calls(await late.next()) == ["0"])
        let resumed = try #require(hub.subscribe(after: last + 1))
        Self.tell(hub, 1, from: 2)
        for watcher in [busy, quick, late, resumed] { #expect(Self.calls(await watcher.next()) == ["2"]) }
        #expect(hub.last() == last + 2)
    }

    @Test func `of an erased call that was over nothing more is told, nor to another tenant of any`() async throws {
        let hub = LiveHub()
        let (own, other) = (TenantID.default, TenantID(rawValue: "other"))
        let watchers = try [own, other].map { try #require(hub.subscribe(of: $0)) }
        hub.note([.live(.live("over"), at: 0, ended: true)], new: [.live("over")])
        hub.note([.live(.live("on"), at: 0)], new: [.live("on")])
        hub.deliver()
        for call in ["over", "on", "never"] { hub.erase(CallKey.live(call).identity) }
        let key = CallKey.live("theirs", tenant: other)
        hub.note([.live(key, at: 0)], new: [key])
        hub.deliver()
        #expect(Self.calls(await watchers[0].next()) == ["on"])
        #expect(Self.calls(await watchers[1].next()) == ["theirs"])
    }

    @Test func `a watcher that takes nothing of what is erased is cut off in the end`() async throws {
        let hub = LiveHub(limits: LiveLimits(events: 3))
        let slow = try #require(hub.subscribe())
        for index in 0..<4 {
            Self.tell(hub, 1, from: index)
            hub.erase(CallKey.live("\(index)").identity)
        }
        #expect(await slow.next() == .cut)
    }

    @Test func `who comes back and missed only a call that was erased waits for what is next`() async throws {
        let hub = LiveHub()
        Self.tell(hub, 1)
        let last = hub.last()
        Self.tell(hub, 1, from: 1)
        hub.erase(CallKey.live("1").identity)
        let subscription = try #require(hub.subscribe(after: last))
        let waiting = Task { await subscription.next() }
        while !hub.isAnybodyWaiting { await Task.yield() }
        Self.tell(hub, 1, from: 2)
        #expect(subscription.isResumed)
        #expect(Self.calls(await waiting.value) == ["2"])
    }
}
