import RTPMeter
import Testing

@testable import PacketCapture

/// When what waits for missing bytes is read, and with which time.
@Suite struct SIPStreamGapTests {
    /// A connection between the ends of ``SIPStreamTests/flow``, of which message 1 came.
    private struct Connection {
        var streams = SIPStreams()
        let messages = SIPStreamTests.messages.map { Array($0.utf8) }

        init() {
            _ = take(1, at: 0)
        }

        /// The number of the first byte of a message.
        private func start(of message: Int) -> UInt32 {
            messages[1..<message].reduce(1) { $0 + UInt32($1.count) }
        }

        /// Takes a message; those that are complete by now, with their times.
        mutating func take(_ message: Int, flags: UInt8 = 0, at seconds: Int64) -> [String] {
            let bytes = messages[message]
            return words(
                streams.take(
                    flow: SIPStreamTests.flow, sequence: start(of: message), acknowledgment: 0, flags: flags,
                    payload: bytes, wireLength: bytes.count, at: Self.time(seconds)))
        }

        /// The receiver has all bytes before a message.
        mutating func acknowledge(before message: Int, at seconds: Int64) -> [String] {
            words(
                streams.take(
                    flow: SIPStreamTests.flow.reversed, sequence: 1, acknowledgment: start(of: message), flags: 16,
                    payload: [], wireLength: 0, at: Self.time(seconds)))
        }

        mutating func pass(to seconds: Int64) -> [String] { words(streams.expire(at: Self.time(seconds))) }

        mutating func finish() -> [String] { words(streams.finish()) }

        private static func time(_ seconds: Int64) -> ArrivalTime { ArrivalTime(nanoseconds: seconds * 1_000_000_000) }

        private func words(_ received: [SIPStreams.Received]) -> [String] {
            received.map { "\($0.message.sequence)@\($0.time.nanoseconds / 1_000_000_000)" }
        }
    }

    @Test func `what waits for a segment that comes late is of use when that has come`() {
        var connection = Connection()
        #expect(connection.take(4, at: 1) == [])
        #expect(connection.take(3, at: 2) == [])
        #expect(connection.take(2, at: 3) == ["2@3", "3@3", "4@3"])
        #expect(connection.streams.gaps == 0)
    }

    @Test func `what does not come for 5 s is given up, though no other segment comes`() {
        var connection = Connection()
        #expect(connection.take(3, at: 1) == [])
        #expect(connection.take(5, at: 2) == [])
        #expect(connection.pass(to: 6) == [])
        #expect(connection.pass(to: 7) == ["3@1"])
        #expect(connection.pass(to: 8) == ["5@2"])
        #expect(connection.streams.gaps == 2)
    }

    @Test func `what the receiver has is given up at once, whether it says so before or after`() {
        var connection = Connection()
        #expect(connection.take(3, at: 1) == [])
        #expect(connection.acknowledge(before: 2, at: 2) == [])
        #expect(connection.acknowledge(before: 4, at: 3) == ["3@1"])
        #expect(connection.acknowledge(before: 5, at: 4) == [])
        #expect(connection.take(5, at: 5) == ["5@5"])
        #expect(connection.streams.gaps == 2)
    }

    @Test func `nothing waits beyond the end of a capture or of a connection`() {
        var (first, second, third) = (Connection(), Connection(), Connection())
        #expect(first.take(3, at: 1) == [] && second.take(3, at: 1) == [] && third.take(3, at: 1) == [])
        #expect(first.finish() == ["3@1"])
        #expect(second.take(5, flags: 4, at: 2) == ["3@1", "5@2"])
        #expect(third.take(1, flags: 2, at: 3) == ["3@1", "1@3"])
        #expect(first.streams.gaps == 1 && second.streams.gaps == 2 && third.streams.gaps == 1)
    }
}
