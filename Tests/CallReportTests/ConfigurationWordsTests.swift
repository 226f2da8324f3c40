import CallModel
import Testing

@testable import CallReport

/// How a call was set up to be, beside what it came to.
@Suite struct ConfigurationWordsTests {
    private static let pictures: [(wanted: (Int, Int), sent: (Int, Int), words: String)] = [
        ((1280, 720), (640, 480), "picture wanted: 1280×720 at 30.0 frames a second; sent 640×480 at 15.0"),
        ((174, 144), (176, 144), "picture wanted: 174×144 at 30.0 frames a second, and sent"),
        ((640, 480), (480, 640), "picture wanted: 640×480 at 30.0 frames a second, and sent"),
    ]

    @Test(arguments: pictures) func `a picture other than the one wanted is said, one that is only rounded is not`(
        wanted: (Int, Int), sent: (Int, Int), words: String
    ) {
        var configuration = CallConfiguration()
        (configuration.wantedWidth, configuration.wantedHeight) = wanted
        configuration.wantedFramesPerSecond = 30
        var summary = Records.summary(lasting: 60_000)
        let key = StreamKey(connection: .only, direction: .outbound, kind: .video, source: "1")
        var stream = StreamSummary(stream: key, firstSeen: Records.start, lastSeen: Records.at(60_000))
        (stream.frameWidth, stream.frameHeight) = sent
        stream.framesPerSecond = 15
        summary.streams = [stream]
        #expect(ConfigurationWords(configuration, summary).lines == [words])
    }

    @Test func `a limit that was asked for stands beside what was measured`() {
        var configuration = CallConfiguration()
        (configuration.audioLimitKilobitsPerSecond, configuration.videoLimitKilobitsPerSecond) = (300, 1000)
        var summary = Records.summary(lasting: 60_000)
        let key = StreamKey(connection: .only, direction: .inbound, kind: .audio, source: "1")
        var stream = StreamSummary(stream: key, firstSeen: Records.start, lastSeen: Records.at(60_000))
        stream.bitrateKilobitsPerSecond = 40
        summary.streams = [stream]
        #expect(
            ConfigurationWords(configuration, summary).lines
                == ["limited: audio to 300 kbit/s (measured 40.0 kbit/s), video to 1000 kbit/s"])
    }
}
