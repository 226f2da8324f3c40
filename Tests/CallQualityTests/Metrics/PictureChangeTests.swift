import CallModel
import Testing

@testable import CallQuality

/// Engines lower the size and rate of a picture without telling the app; the statistics say when, and why.
@Suite struct PictureChangeTests {
    private struct Sent {
        var width: Int64
        var frames: Int64
        var bandwidth = 0.0
        var processor = 0.0
    }

    /// A report of the picture sent every ten seconds.
    private func changes(_ course: [Sent]) throws -> [PictureChange] {
        let facts = course.enumerated().map { index, sent in
            let time = EventCall.start.advanced(byMilliseconds: Int64(index) * 10_000)
            let members: JSONObject = [
                "kind": "video", "ssrc": 7, "packetsSent": .integer(Int64(index) * 500),
                "frameWidth": .integer(sent.width), "frameHeight": .integer(sent.width * 9 / 16),
                "framesEncoded": .integer(sent.frames),
                "qualityLimitationDurations": [
                    "none": 0, "bandwidth": .double(sent.bandwidth), "cpu": .double(sent.processor),
                ],
            ]
            let object = StatsObject(id: "OT1", type: .outboundRTP, timestamp: time, members: members)
            return Fact.report(
                StatsReport(connection: .only, time: time, receivedAt: time, objects: [object], notes: []))
        }
        let key = CallKey(
            identity: CallIdentity(tenant: .default, call: CallID(rawValue: "c")), observer: .client, attempt: 1)
        var session = CallSession(key: key)
        _ = session.fold(facts)
        return try #require(session.summary()?.streams.first).pictureChanges
    }

    @Test func `a change is told with its time, both pictures and what limited the engine`() throws {
        let changes = try changes([
            Sent(width: 1280, frames: 0), Sent(width: 1280, frames: 300),
            Sent(width: 640, frames: 450, bandwidth: 9), Sent(width: 640, frames: 600, bandwidth: 19),
            Sent(width: 1280, frames: 900, bandwidth: 19), Sent(width: 640, frames: 1050, bandwidth: 19, processor: 8),
        ])
        func picture(_ width: Int, _ rate: Double) -> PictureChange.Picture {
            PictureChange.Picture(width: width, height: width * 9 / 16, framesPerSecond: rate)
        }
        func time(_ seconds: Int64) -> Timestamp { EventCall.start.advanced(byMilliseconds: seconds * 1000) }
        #expect(
            changes == [
                PictureChange(time: time(20), from: picture(1280, 30), to: picture(640, 15), limit: .bandwidth),
                PictureChange(time: time(40), from: picture(640, 15), to: picture(1280, 30), limit: nil),
                PictureChange(time: time(50), from: picture(1280, 30), to: picture(640, 15), limit: .cpu),
            ])
    }

    @Test func `a picture that stays is no change`() throws {
        #expect(try changes([Sent(width: 640, frames: 0), Sent(width: 640, frames: 150, bandwidth: 9)]) == [])
    }
}
