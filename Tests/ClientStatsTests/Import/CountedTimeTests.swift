import CallModel
import ClientStats
import TestSupport
import Testing

/// Times in files that do not count from 1970.
@Suite struct CountedTimeTests {
    private static let year2000: Int64 = 946_684_800_000

    private func events(_ text: String) throws -> [String] {
        let file = try ImportedFile(text)
        return file.events.map { "\($0.type) \($0.time.milliseconds - Self.year2000)" }
    }

    private func event(_ type: String, _ time: Int64, call: String = "c") -> String {
        #"{"action":"callState","type":"\#(type)","callId":"\#(call)","time":\#(time)}"#
    }

    /// Microseconds since a machine started, 1 h and 30 days ago.
    @Test(arguments: [3_600_000_000, 2_592_000_000_000] as [Int64])
    func `microseconds since the start of a machine keep their distances`(time: Int64) throws {
        let lines = [time, time + 10_000_000].map { #"[{"id":"T","type":"transport","timestamp":\#($0)}]"# }
        let file = try ImportedFile(lines.joined(separator: "\n"))
        #expect(file.reports.map { $0.time.milliseconds - Self.year2000 } == [time / 1000, time / 1000 + 10_000])
        #expect(file.notes == ["times do not count from 1970; they are shown as if they counted from 2000-01-01"])
    }

    /// Times of a device of 32 bits, on both sides of the wrap, times since a start, and seconds since 1970, which are near
    /// the start of 2000 in milliseconds that lost their upper bits.
    @Test(arguments: [-64_579_728, 2_147_483_000, 0, 1_763_000_000, 1_795_232_237])
    func `events keep their distances, the first is at the beginning of 2000`(start: Int64) throws {
        let told = [("DIALING", 0), ("RINGING", 700), ("IN_CALL", 10_390), ("ENDED", 60_000)].map { type, after in
            event(type, Int64(Int32(truncatingIfNeeded: start + Int64(after))))
        }
        let read = ["DIALING 0", "RINGING 700", "IN_CALL 10390", "ENDED 60000"]
        #expect(try events(told.joined(separator: "\n")) == read)
        #expect(
            try ImportedFile(told.joined(separator: "\n")).notes == [
                "times of events do not count from 1970; they keep their distances, the first is shown at the fact before "
                    + "it, else at 2000-01-01"
            ])
        #expect(try events([told[0], told[2], told[1], told[3]].joined(separator: "\n")) == read)
    }

    @Test func `each call has a clock of its own`() throws {
        let told = [event("a", 5_000), event("b", 6_000), event("c", 1_000_000, call: "d"), event("d", 9_000)]
        #expect(Set(try events(told.joined(separator: "\n"))) == ["a 0", "b 1000", "c 1000", "d 4000"])
    }

    /// A `long` of 32 bits is the nearest to what is known already.
    @Test func `after a report a time that lost its upper bits is that of the report's day`() throws {
        let second = ImportSamples.start + 1_000
        let told = event("ENDED", Int64(Int32(truncatingIfNeeded: second)))
        let file = try ImportedFile(
            "{\"callId\":\"c\",\"statistics\":\(ImportSamples.report(second: 0, received: 1))}\n\(told)")
        #expect(file.events.map(\.time.milliseconds) == [second])
        #expect(file.notes == [])
    }

    /// By a clock that is ahead, of a machine or of who wants his calls to stay the youngest.
    @Test func `nothing was received later than now`() throws {
        let ahead = received.milliseconds + 3_600_000
        let file = try ImportedFile(
            """
            \(event("IN_CALL", ahead))
            {"export":1,"receivedAt":\(ahead),"action":"callState","type":"ENDED","callId":"c","time":\(ahead + 5)}
            {"callId":"c","time":\(ahead),"statistics":[{"id":"T","type":"transport","timestamp":\(ahead)}]}
            """)
        #expect(file.refusals == [])
        let facts = file.facts.values.joined()
        #expect(facts.map(\.time.milliseconds).sorted() == [ahead, ahead, ahead + 5])
        #expect(facts.map(\.receivedAt) == [received, received, received])
    }
}
