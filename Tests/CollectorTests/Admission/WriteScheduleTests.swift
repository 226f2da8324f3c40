import CallModel
import TestSupport
import Testing

@testable import Collector

@Suite struct WriteScheduleTests {
    private typealias Schedule = WriteSchedule<Int>

    private static func call(_ number: Int) -> CallIdentity {
        CallIdentity(tenant: .default, call: CallID(rawValue: "call-\(number)"))
    }

    private static func entry(_ item: Int, _ calls: Int...) -> Schedule.Entry {
        Schedule.Entry(item: item, tenant: .default, calls: Set(calls.map(call)), facts: 1, weight: 1)
    }

    private static func alone(_ item: Int) -> Schedule.Entry { Schedule.Entry(item: item, tenant: .default) }

    /// What a turn is about.
    private static func items(_ turn: Schedule.Turn?) -> [Int]? {
        switch turn {
        case .group(_, let entries): entries.map(\.item)
        case .alone(let entry): [entry.item]
        case nil: nil
        }
    }

    @Test func `a second group of other calls begins when the first is prepared`() {
        var schedule = Schedule(weightPerGroup: 100)
        for number in 0..<64 { schedule.append(Self.entry(number, number % 48)) }
        #expect(Self.items(schedule.next()) == Array(0..<32))
        #expect(Self.items(schedule.next()) == nil)
        schedule.isPrepared(1)
        // 48...63 are about calls of the first group.
        #expect(Self.items(schedule.next()) == Array(32..<48))
        schedule.isPrepared(2)
        #expect(Self.items(schedule.next()) == nil)
        schedule.isFinished(2)
        #expect(Self.items(schedule.next()) == nil)
        schedule.isFinished(1)
        #expect(Self.items(schedule.next()) == Array(48..<64))
    }

    /// Bodies of 60 reports each by one tenant, as clients send them that were offline, and one report by another.
    @Test func `of large bodies a group takes few, so that nobody waits long for those of another tenant`() {
        var schedule = Schedule(weightPerGroup: CollectorLimits().factsPerCommit)
        func append(_ item: Int, of tenant: String, weight: Int) {
            schedule.append(
                Schedule.Entry(
                    item: item, tenant: TenantID(rawValue: tenant), calls: [Self.call(item)], facts: weight,
                    weight: weight))
        }
        for number in 0..<40 { append(number, of: "flood", weight: 60) }
        #expect(Self.items(schedule.next()) == Array(0..<5))
        schedule.isPrepared(1)
        #expect(Self.items(schedule.next()) == Array(5..<10))
        schedule.isPrepared(2)
        append(100, of: "calm", weight: 1)
        schedule.isFinished(1)
        #expect(Self.items(schedule.next()) == [10, 100, 11, 12, 13, 14])
    }

    @Test func `few wait for the group that is being written`() {
        var schedule = Schedule(weightPerGroup: 100)
        schedule.append(Self.entry(1, 1))
        #expect(Self.items(schedule.next()) == [1])
        schedule.isPrepared(1)
        for number in 2..<10 { schedule.append(Self.entry(number, number)) }
        #expect(Self.items(schedule.next()) == nil)
        schedule.isFinished(1)
        #expect(Self.items(schedule.next()) == Array(2..<10))
    }

    @Test func `calls that a group turns out to concern are left alone`() {
        var schedule = Schedule(weightPerGroup: 100)
        schedule.append(Self.entry(0, 0))
        _ = schedule.next()
        schedule.isPrepared(1, with: [Self.call(5)])
        for number in 1..<21 { schedule.append(Self.entry(number, number)) }
        #expect(Self.items(schedule.next()) == Array(1..<21).filter { $0 != 5 })
    }

    @Test func `each of a group that failed is tried by itself, before all others`() {
        var schedule = Schedule(weightPerGroup: 100)
        for number in 0..<3 { schedule.append(Self.entry(number, number)) }
        guard case .group(let group, let entries) = schedule.next() else {
            Issue.record("nothing began")
            return
        }
        schedule.append(Self.entry(3, 3))
        schedule.retry(entries)
        schedule.isFinished(group)
        for expected in [[0], [1], [2], [3]] {
            guard case .group(let group, let entries) = schedule.next() else {
                Issue.record("nothing began")
                return
            }
            #expect(entries.map(\.item) == expected)
            schedule.isFinished(group)
        }
        #expect(schedule.isIdle)
    }

    @Test func `a group takes no more than its weight, and the last of it may go beyond`() {
        var schedule = Schedule(weightPerGroup: 100)
        for (number, weight) in [40, 40, 40, 500, 1, 99, 1].enumerated() {
            var entry = Self.entry(number, number)
            entry.weight = weight
            schedule.append(entry)
        }
        for (group, expected) in [[0, 1, 2], [3], [4, 5], [6]].enumerated() {
            #expect(Self.items(schedule.next()) == expected)
            schedule.isFinished(group + 1)
        }
        #expect(schedule.isIdle)
    }

    @Test(arguments: [(0, 1), (40, 1), (61, 1), (62, 2), (400, 30), (4_900, 405)])
    func `a report weighs by its objects, and as clients send them nothing more`(
        objects: Int, weight: Int
    ) {
        let streams = (0..<objects).map { number in
            StatsObject(id: "I\(number)", type: .inboundRTP, timestamp: nil, members: [:])
        }
        let report = StatsReport(
            connection: .only, time: Timestamp(milliseconds: 0), receivedAt: Timestamp(milliseconds: 0),
            objects: streams)
        #expect(Fact.report(report).weight == weight)
    }

    @Test(arguments: 1...40)
    func `whatever comes, all is done once, in order for each call, and nothing beside what is done alone`(seed: Int) {
        var random = RandomSource(seed: UInt64(seed))
        var schedule = Schedule(weightPerGroup: 40)
        var order: [CallIdentity: [Int]] = [:]
        var expected: [CallIdentity: [Int]] = [:]
        var running: [Int: [Schedule.Entry]] = [:]
        var unprepared: Int?
        var done: [Int] = []
        var alone: Int?
        var appended = 0
        let steps = 2_000
        for step in 0..<3 * steps {
            if appended < steps, Int.random(in: 0..<3, using: &random) > 0 {
                let calls = (0..<Int.random(in: 1...2, using: &random)).map { _ in
                    Int.random(in: 0..<30, using: &random)
                }
                var next = Self.alone(step)
                if Int.random(in: 0..<40, using: &random) > 0 {
                    next.calls = Set(calls.map(Self.call))
                    next.weight = 1
                }
                next.tenant = Int.random(in: 0..<2, using: &random) == 0 ? .default : TenantID(rawValue: "other")
                // Tenants take turns, so a call keeps its order only within its own.
                for call in next.calls ?? [] where next.tenant == .default { expected[call, default: []].append(step) }
                schedule.append(next)
                appended += 1
            }
            switch schedule.next() {
            case .group(let number, let entries):
                #expect(alone == nil)
                let calls = entries.reduce(into: Set<CallIdentity>()) { $0.formUnion($1.calls ?? []) }
                for other in running.values.joined() { #expect(calls.isDisjoint(with: other.calls ?? [])) }
                running[number] = entries
                unprepared = number
                for entry in entries where entry.tenant == .default {
                    for call in entry.calls ?? [] { order[call, default: []].append(entry.item) }
                }
            case .alone(let entry):
                #expect(running.isEmpty && alone == nil)
                alone = entry.item
            case nil: break
            }
            if let number = unprepared, Bool.random(using: &random) {
                schedule.isPrepared(number)
                unprepared = nil
            }
            if let number = running.keys.filter({ $0 != unprepared }).randomElement(using: &random) {
                done += running.removeValue(forKey: number)?.map(\.item) ?? []
                schedule.isFinished(number)
            }
            if let item = alone, Bool.random(using: &random) {
                done.append(item)
                alone = nil
                schedule.isFinishedAlone()
            }
        }
        #expect(schedule.isIdle)
        #expect(done.count == appended)
        #expect(Set(done).count == appended)
        #expect(order == expected)
    }
}
