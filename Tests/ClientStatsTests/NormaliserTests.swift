import CallModel
import ClientStats
import JSONText
import Testing

/// One object in, one object out: the rules for members.
@Suite struct NormaliserTests {
    struct Rule: Sendable, CustomStringConvertible {
        var description: String
        var type: String
        var sent: String
        var stored: JSONObject
        var notes: [String] = []

        init(_ description: String, _ type: String, _ sent: String, _ stored: JSONObject, _ notes: String...) {
            self.description = description
            self.type = type
            self.sent = sent
            self.stored = stored
            self.notes = notes
        }
    }

    private static let rules: [Rule] = [
        Rule(
            "numbers as text", "x", #""bytesSent":"12","y":"-1.5e3","z":"0x1","w":"1 ""#,
            ["bytesSent": 12, "y": -1500, "z": "0x1", "w": "1 "]),
        Rule(
            "identifiers stay text", "x", #""mid":"0","rid":"1","codecId":"7","foundation":"123","label":"5""#,
            ["mid": "0", "rid": "1", "codecId": "7", "foundation": "123", "label": "5"]),
        Rule(
            "numbers inside objects", "x", #""qualityLimitationDurations":{"cpu":"1.5","none":2}"#,
            ["qualityLimitationDurations": ["cpu": 1.5, "none": 2]]),
        Rule("null is absence", "x", #""jitter":null,"y":null"#, [:]),
        Rule(
            "text that is no number", "x", #""jitter":"NaN","packetsLost":"","z":"NaN""#, ["z": "NaN"],
            "jitter: text that spells no number was left out", "packetsLost: text that spells no number was left out"),
        Rule(
            "truth values of iOS", "x", #""nominated":1,"writable":"0","active":"YES","selected":true,"y":"true""#,
            ["nominated": true, "writable": false, "active": true, "selected": true, "y": "true"]),
        Rule("mediaType", "inbound-rtp", #""mediaType":"video""#, ["mediaType": "video", "kind": "video"]),
        Rule(
            "Firefox of old", "inbound-rtp", #""framerateMean":24.5,"discardedPackets":3"#,
            ["framerateMean": 24.5, "framesPerSecond": 24.5, "discardedPackets": 3, "packetsDiscarded": 3]),
        Rule(
            "W3C names come first", "inbound-rtp", #""framerateMean":24.5,"framesPerSecond":25"#,
            ["framerateMean": 24.5, "framesPerSecond": 25]),
        Rule(
            "level of 16 bits", "inbound-rtp", #""audioLevel":16383.5"#, ["audioLevel": 0.5],
            "audioLevel as 16-bit samples, converted to 0...1"),
        Rule("level unknown", "inbound-rtp", #""audioLevel":-1"#, [:]),
        Rule("level absurd", "inbound-rtp", #""audioLevel":40000"#, [:]),
        Rule(
            "round trip in ms", "remote-inbound-rtp", #""roundTripTime":125"#, ["roundTripTime": 0.125],
            "roundTripTime in milliseconds, converted to seconds"),
        Rule("round trip in s", "remote-inbound-rtp", #""roundTripTime":9.5"#, ["roundTripTime": 9.5]),
        Rule(
            "round trip of who slept", "remote-inbound-rtp",
            #""roundTripTime":55.25,"totalRoundTripTime":56.5,"roundTripTimeMeasurements":60"#,
            ["roundTripTime": 55.25, "totalRoundTripTime": 56.5, "roundTripTimeMeasurements": 60]),
        Rule(
            "round trips of whom one slept long", "remote-inbound-rtp",
            #""roundTripTime":0.25,"totalRoundTripTime":61.5,"roundTripTimeMeasurements":5"#,
            ["roundTripTime": 0.25, "totalRoundTripTime": 61.5, "roundTripTimeMeasurements": 5]),
        Rule(
            "round trip of who slept soon and long", "candidate-pair",
            #""currentRoundTripTime":60.5,"totalRoundTripTime":61.5,"responsesReceived":5"#,
            ["currentRoundTripTime": 60.5, "totalRoundTripTime": 61.5, "responsesReceived": 5]),
        Rule(
            "round trip and all of them in ms", "remote-inbound-rtp",
            #""roundTripTime":125,"totalRoundTripTime":625.0,"roundTripTimeMeasurements":5"#,
            ["roundTripTime": 0.125, "totalRoundTripTime": 0.625, "roundTripTimeMeasurements": 5],
            "roundTripTime in milliseconds, converted to seconds",
            "totalRoundTripTime in milliseconds, converted to seconds"),
        Rule(
            "round trips in ms", "remote-inbound-rtp", #""totalRoundTripTime":625.0,"roundTripTimeMeasurements":5"#,
            ["totalRoundTripTime": 0.625, "roundTripTimeMeasurements": 5],
            "totalRoundTripTime in milliseconds, converted to seconds"),
        Rule(
            "checks in ms", "candidate-pair", #""totalRoundTripTime":250.0,"responsesReceived":2"#,
            ["totalRoundTripTime": 0.25, "responsesReceived": 2],
            "totalRoundTripTime in milliseconds, converted to seconds"),
        Rule(
            "many round trips in s", "candidate-pair", #""totalRoundTripTime":95.5,"responsesReceived":200"#,
            ["totalRoundTripTime": 95.5, "responsesReceived": 200]),
        Rule(
            "loss in 256ths", "remote-inbound-rtp", #""fractionLost":64"#, ["fractionLost": 0.25],
            "fractionLost in 256ths, converted to 0...1"),
        Rule("loss of everything", "remote-inbound-rtp", #""fractionLost":1"#, ["fractionLost": 1]),
        Rule(
            "jitter in ticks", "inbound-rtp", #""jitter":480,"kind":"audio""#, ["jitter": 0.01, "kind": "audio"],
            "jitter in RTP ticks, converted to seconds assuming 48000 ticks a second"),
        Rule(
            "jitter in ms", "inbound-rtp", #""jitter":20.5"#, ["jitter": 0.0205],
            "jitter in milliseconds, converted to seconds"),
        Rule(
            "no jitter", "inbound-rtp", #""jitter":10000.5"#, [:], "jitter of a second or more, left out"),
        Rule("jitter of seconds", "inbound-rtp", #""jitter":3.5"#, [:], "jitter of a second or more, left out"),
        Rule(
            "network of Pion", "local-candidate", #""networkType":"udp4","protocol":"udp4""#, ["protocol": "udp"]),
        Rule(
            "network", "local-candidate", #""networkType":"wifi","protocol":"tcp""#,
            ["networkType": "wifi", "protocol": "tcp"]),
        Rule(
            "SSRC with a sign", "inbound-rtp", #""ssrc":-338876003,"rtxSsrc":"-1""#,
            ["ssrc": 3_956_091_293, "rtxSsrc": 4_294_967_295]),
        Rule("no SSRC", "inbound-rtp", #""ssrc":-2147483649"#, ["ssrc": -2_147_483_649]),
        Rule("jitter in s", "inbound-rtp", #""jitter":0.01"#, ["jitter": 0.01]),
        Rule(
            "packets below 0 in 32 bits", "remote-inbound-rtp", #""packetsReceived":4294906587"#, [:],
            "packetsReceived of the far end below 0 in 32 bits, left out"),
        Rule(
            "loss below 0 in 32 bits", "inbound-rtp", #""packetsLost":4294967295"#, ["packetsLost": -1],
            "packetsLost below 0 in 32 bits without a sign, read with one"),
        Rule(
            "loss of the far end below 0 in 32 bits", "remote-inbound-rtp", #""packetsLost":4294967293"#,
            ["packetsLost": -3], "packetsLost below 0 in 32 bits without a sign, read with one"),
        Rule("no packet yet", "candidate-pair", #""lastPacketReceivedTimestamp":0"#, [:]),
        Rule("negative loss stays", "inbound-rtp", #""packetsLost":-3"#, ["packetsLost": -3]),
        Rule(
            "last packet in microseconds", "inbound-rtp", #""lastPacketReceivedTimestamp":1697705722400000"#,
            ["lastPacketReceivedTimestamp": 1_697_705_722_400]),
        Rule(
            "last packet of another day", "inbound-rtp", #""lastPacketReceivedTimestamp":1597705722400"#, [:],
            "lastPacketReceivedTimestamp does not count from 1970, left out"),
        Rule(
            "limitation in ms", "outbound-rtp",
            #""framesEncoded":900,"qualityLimitationDurations":{"none":30000,"cpu":83}"#,
            ["framesEncoded": 900, "qualityLimitationDurations": ["none": 30, "cpu": 0.083]],
            "qualityLimitationDurations in milliseconds, converted to seconds"),
        Rule(
            "limitation in s", "outbound-rtp",
            #""framesEncoded":9000,"qualityLimitationDurations":{"none":1200,"cpu":0}"#,
            ["framesEncoded": 9000, "qualityLimitationDurations": ["none": 1200, "cpu": 0]]),
        Rule("unknown members stay", "brand-new", #""a":[1,{"b":null}],"c":"d""#, ["a": [1, ["b": .null]], "c": "d"]),
    ]

    @Test(arguments: rules) func `members`(rule: Rule) throws {
        let body = try parseStats(
            "[{\"id\":\"o\",\"type\":\"\(rule.type)\",\"timestamp\":1697705722479,\(rule.sent)},"
                + "{\"id\":\"T\",\"type\":\"transport\",\"timestamp\":1697705722479}]")
        let object = StatsObject(
            id: "o", type: StatsType(rawValue: rule.type), timestamp: Timestamp(milliseconds: 1_697_705_722_479),
            members: rule.stored)
        #expect(body.reports.first?.objects.first { $0.id == "o" } == object)
        #expect(body.reports.first?.notes == rule.notes)
        #expect(body.refusals.isEmpty)
    }

    @Test func `isRemote makes the type of what RTCP reported`() throws {
        let body = try parseStats(
            #"{"a":{"type":"inbound-rtp","isRemote":true},"b":{"type":"outbound-rtp","isRemote":"1"},"#
                + #""c":{"type":"inbound-rtp","isRemote":false}}"#)
        let types = Dictionary(
            uniqueKeysWithValues: try #require(body.reports.first).objects.map { ($0.id, $0.type.rawValue) })
        #expect(types == ["a": "remote-inbound-rtp", "b": "remote-outbound-rtp", "c": "inbound-rtp"])
    }

    @Test func `kind comes from the track, else from the id`() throws {
        let body = try parseStats(
            #"{"t":{"type":"track","kind":"video"},"a":{"type":"inbound-rtp","trackId":"t"},"#
                + #""RTCInboundRTPAudioStream_1":{"type":"inbound-rtp"},"b":{"type":"inbound-rtp"}}"#)
        let objects = try #require(body.reports.first).objects.filter { $0.type == .inboundRTP }
        #expect(
            objects.map { "\($0.id) \($0.members["kind"]?.text ?? "-")" }
                == ["RTCInboundRTPAudioStream_1 audio", "a video", "b -"])
    }

    @Test func `kind comes from the codec where neither the track nor the id tells it`() throws {
        let body = try parseStats(
            #"{"c":{"type":"codec","mimeType":"audio/opus"},"d":{"type":"codec","mimeType":"Video/VP8"},"#
                + #""e":{"type":"codec","mimeType":"application/x"},"a":{"type":"inbound-rtp","codecId":"c"},"#
                + #""b":{"type":"remote-inbound-rtp","codecId":"d"},"f":{"type":"outbound-rtp","codecId":"e"},"#
                + #""g":{"type":"inbound-rtp","codecId":"x"},"h":{"type":"inbound-rtp","kind":"video","codecId":"c"},"#
                + #""p":{"type":"candidate-pair","codecId":"c"}}"#)
        let objects = try #require(body.reports.first).objects.filter { $0.type != .codec }
        #expect(
            objects.map { "\($0.id) \($0.members["kind"]?.text ?? "-")" }.sorted()
                == ["a audio", "b video", "f -", "g -", "h video", "p -"])
    }

    @Test func `the jitters of a report have one unit, those of far ends one of their own`() throws {
        let body = try parseStats(
            #"{"c":{"type":"codec"},"a":{"type":"inbound-rtp","jitter":2},"b":{"type":"inbound-rtp","jitter":12},"#
                + #""r":{"type":"remote-inbound-rtp","jitter":0.5}}"#)
        let jitters = Dictionary(
            uniqueKeysWithValues: try #require(body.reports.first).objects.map { ($0.id, $0.members["jitter"]?.number) }
        )
        #expect(jitters == ["a": 0.002, "b": 0.012, "r": 0.5, "c": nil])
    }

    /// It is neither in seconds nor in milliseconds, and one of so little may be right.
    @Test func `a jitter of Pion's receivers is left out, that of its far ends stays`() throws {
        let body = try parseStats(
            #"{"inbound-rtp-5":{"type":"inbound-rtp","ssrc":5,"transportId":"iceTransport","jitter":0.25},"#
                + #""r":{"type":"remote-inbound-rtp","ssrc":6,"transportId":"iceTransport","jitter":0.25}}"#)
        let report = try #require(body.reports.first)
        #expect(report.object(.inboundRTP)?.members["jitter"] == nil)
        #expect(report.object(.remoteInboundRTP)?.members["jitter"] == 0.25)
        #expect(report.notes.contains("jitter of Pion, which is no time, left out"))
    }

    @Test func `with codecs a whole jitter of more than 10 is in milliseconds`() throws {
        let body = try parseStats(#"{"c":{"type":"codec"},"a":{"type":"remote-inbound-rtp","jitter":26}}"#)
        #expect(body.reports.first?.object(.remoteInboundRTP)?.members == ["jitter": 0.026])
    }

    @Test func `types that are not known are named, and noted where they may be streams`() throws {
        let body = try parseStats(
            #"[{"id":"a","type":"inboundRtp","ssrc":1},{"id":"b","type":"codec"},{"id":"c","type":"brand-new"}]"#)
        #expect(body.unknownTypes == ["brand-new", "inboundRtp"])
        #expect(
            body.reports.first?.notes == [
                "an object with an SSRC is of a type that is not known, and counts as no stream",
                "no usable timestamp; placed at its receipt",
            ])
        let old = try parseStats(#"{"a_recv":{"type":"ssrc","ssrc":"1"},"b":{"type":"googTrack"}}"#)
        #expect(old.unknownTypes == [])
    }

    @Test func `one tick of aiortc is a tick`() throws {
        let body = try parseStats(
            #"[{"id":"inbound-rtp_1","type":"inbound-rtp","jitter":1,"kind":"video","fractionLost":1}]"#)
        #expect(
            body.reports.first?.objects.first?.members
                == ["jitter": .double(1.0 / 90_000), "kind": "video", "fractionLost": .double(1.0 / 256)])
    }

    @Test func `an object without a type or id is kept`() throws {
        let body = try parseStats(#"[{"timestamp":1697705722479,"a":1},{"type":"codec"}]"#)
        #expect(body.reports.first?.objects.map(\.id) == ["codec#1", "unknown#0"])
        #expect(body.reports.first?.objects.map(\.type) == [.codec, .unknown])
    }
}
