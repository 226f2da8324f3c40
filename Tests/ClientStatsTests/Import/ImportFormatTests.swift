import CallModel
import CallQuality
import ClientStats
import TestSupport
import Testing

/// What is made of each format, by small files of our own.
struct ImportFormatTests {
    private func received(_ file: ImportedFile) -> [Int64?] {
        file.reports.map { report in
            report.object(.inboundRTP)?.members["packetsReceived"]?.wholeNumber
        }
    }

    private func seconds(_ file: ImportedFile) -> [Int64] {
        file.reports.map { ($0.time.milliseconds - ImportSamples.start) / 1000 }
    }

    // MARK: CallStatistics.log

    @Test func `each entry of the log is a call`() throws {
        let file = try ImportedFile(ImportSamples.callStatisticsLog)
        #expect(file.format == .callStatisticsLog)
        #expect(file.calls == ["one", "two"])
        #expect(received(file) == [50, 550, 40, 540])
        #expect(file.notes == [])
    }

    @Test func `reports of another call in an entry are told`() throws {
        let own = ImportSamples.report(second: 0, received: 50)
        let other = ImportSamples.report(second: 5, received: 90, ssrc: 9)
        let mixed = try ImportedFile("[[\"one\",[\(own),\(other)]]]")
        #expect(mixed.notes.first?.contains("its SSRCs change from one report to another") == true)
        #expect(mixed.reports.first?.notes.count == 1)
        let overlapping = try ImportedFile(
            "[[\"one\",[\(own),\(ImportSamples.report(second: 60, received: 99))]],[\"two\",[\(other)]]]")
        #expect(overlapping.notes.first?.contains("its times overlap with those of the next call") == true)
    }

    @Test(arguments: [([1, 2, 1], true), ([1, 1, 1], false), ([2, 1], true), ([3], false), ([3, 0, 1], true)])
    func `a call whose first SSRCs a later report has not is told`(streams: [Int], isTold: Bool) throws {
        let reports = streams.enumerated().map { second, ssrc in
            ssrc == 0 ? "[]" : ImportSamples.report(second: Int64(second), received: 50, ssrc: ssrc)
        }
        #expect(try ImportedFile("[[\"one\",[\(reports.joined(separator: ","))]]]").notes.isEmpty != isTold)
    }

    @Test func `an entry that is none costs no other`() throws {
        let report = ImportSamples.report(second: 0, received: 50)
        let file = try ImportedFile("[[\"one\",[\(report),5]],[\"two\"]]")
        #expect(received(file) == [50])
        #expect(file.refusals.map(\.reason) == [.unrecognised, .wrongType])
        #expect(file.refusals.first?.message.hasPrefix("call 0 (one), report 1") == true)
    }

    // MARK: webrtc-internals

    @Test func `series become reports, poll by poll`() throws {
        let file = try ImportedFile(ImportSamples.internals)
        #expect(file.format == .webrtcInternals)
        #expect(received(file) == [10, 60, 110])
        #expect(seconds(file) == [0, 1, 2])
        let jitters = file.reports.map { $0.object(.inboundRTP)?.members["jitter"] }
        #expect(jitters == [nil, 0.002, 0.003])
        let roundTrips = file.reports.map { $0.object(.remoteInboundRTP)?.members["roundTripTime"] }
        #expect(roundTrips == [nil, 0.05, 0.05])
        #expect(file.reports.allSatisfy { $0.connection.rawValue == "8-1" })
        #expect(file.reports[1].object(.inboundRTP)?.members["[packetsReceived/s]"] == nil)
    }

    @Test func `states of a connection become events`() throws {
        let file = try ImportedFile(ImportSamples.internals)
        #expect(file.events.map(\.type) == ["callAnswerReceived", "iceConnected"])
        let summary = try file.summary()
        #expect(summary?.setup.mediaSetup == 100)
        #expect(summary?.createdAt == nil)
        #expect(summary?.outcome == .connected)
    }

    @Test func `a dump without times is spread evenly`() throws {
        let file = try ImportedFile(ImportSamples.oldInternals)
        #expect(seconds(file) == [0, 2, 4])
        #expect(received(file) == [10, 110, 210])
        #expect(file.reports.map { $0.object(.inboundRTP)?.members["jitter"] } == [nil, 0.002, 0.003])
        #expect(file.events == [])
        #expect(file.notes.count == 2)
    }

    /// The page keeps 1,000 values of a series.
    @Test func `a dump of a long call tells that its beginning is missing`() throws {
        let times = (0..<1000).map { String(ImportSamples.start + 1000 * Int64($0)) }.joined(separator: ",")
        let span = #""startTime":"2026-01-01T00:00:00.000Z","endTime":"2026-01-01T00:16:39.000Z""#
        let series = #"{\#(span),"statsType":"transport","values":"[\#(times)]"}"#
        let connection = #"{"url":"","updateLog":[],"stats":{"T-timestamp":\#(series)}}"#
        let file = try ImportedFile("{\"PeerConnections\":{\"8-1\":\(connection)}}")
        #expect(file.reports.count == 1000)
        #expect(file.notes.first?.contains("keeps 1000 values") == true)
        #expect(file.reports.first?.notes == ["the beginning is missing from the dump"])
    }

    @Test func `pages of one dump are calls`() throws {
        let other = ImportSamples.internals.replacing("8-1", with: "9-1").dropFirst(
            "{\"getUserMedia\":[],\"PeerConnections\":{".count)
        let connections = ImportSamples.internals.split(separator: "}},\"UserAgent\"")[0] + "}," + other
        let file = try ImportedFile(String(connections))
        #expect(file.calls.count == 2)
        #expect(try ImportedFile(String(connections), call: "mine").calls == ["mine", "mine-2"])
    }

    // MARK: rtcstats

    @Test func `an object that an old dump leaves out is gone`() throws {
        let file = try ImportedFile(ImportSamples.legacyDump)
        #expect(file.format == .rtcstatsLegacy)
        #expect(received(file) == [10, 60])
        #expect(file.reports.map { $0.object(.codec) != nil } == [true, false])
        #expect(file.notes == ["by their numbers 1 rows of the dump are missing"])
        #expect(file.events.map(\.type) == ["callAnswerReceived", "iceConnected", "iceDisconnected", "ENDED"])
    }

    @Test func `an object that comes back without its type was there all the time`() throws {
        let back = #"["getStats","PC_0",{"G":{"timestamp":0},"timestamp":1767225602000},1767225602001,10]"#
        let file = try ImportedFile(ImportSamples.legacyDump + "\n" + back)
        #expect(file.reports.map { $0.object(.codec) != nil } == [true, true, true])
        #expect(received(file) == [10, 60, 60])
    }

    @Test func `rows may stand in an array, or after a line about the client`() throws {
        let rows = ImportSamples.legacyDump.split(separator: "\n").joined(separator: ",")
        #expect(try received(ImportedFile("[\(rows)]")) == [10, 60])
        #expect(
            try received(ImportedFile("{\"userAgent\":\"x\",\"fileFormat\":2}\n" + ImportSamples.legacyDump)) == [
                10, 60,
            ])
    }

    /// Rows of three connections of a page, a second apart.
    private static func course(_ seed: UInt64) -> [(connection: Int, name: String)] {
        var random = RandomSource(seed: seed)
        let names = ["close", "close", "create", "oniceconnectionstatechange"]
        return (0..<12).map { _ in
            (Int.random(in: 1...3, using: &random), names.randomElement(using: &random) ?? "close")
        }
    }

    @Test(arguments: 0..<50) func `a page ends when all its connections are closed`(seed: UInt64) throws {
        var (rows, closed) = ([String](), [Int: Int?]())
        for (second, row) in Self.course(seed).enumerated() {
            let time = ImportSamples.start + 1000 * Int64(second)
            rows.append(#"["\#(row.name)","8-\#(row.connection)","connected",\#(second == 0 ? time : 1000)]"#)
            let before = closed[row.connection] ?? nil
            switch row.name {
            case "close": closed[row.connection] = .some(before ?? second)
            case "create": closed[row.connection] = .some(before)
            default: closed[row.connection] = .some(nil)
            }
        }
        let dump = "RTCStatsDump\n{\"fileFormat\":3}\n" + rows.joined(separator: "\n")
        let ends = try ImportedFile(dump).events.filter { $0.type == "ENDED" }
        let last = closed.values.allSatisfy { $0 != nil } ? closed.values.compactMap(\.self).max() : nil
        let seconds = ends.map { Int(($0.time.milliseconds - ImportSamples.start) / 1000) }
        #expect(seconds == [last].compactMap(\.self))
    }

    @Test func `Chrome's export holds whole reports`() throws {
        let file = try ImportedFile(ImportSamples.chromeDump)
        #expect(file.format == .rtcstats)
        #expect(received(file) == [10, 60])
        #expect(seconds(file) == [0, 1])
        #expect(file.reports.map { $0.object(.codec) != nil } == [true, false])
        #expect(file.reports.first?.object(.inboundRTP)?.members["[packets/s]"] == nil)
        #expect(file.events.map { $0.time.milliseconds - ImportSamples.start } == [-500])
    }

    @Test func `rtcstats holds what changed`() throws {
        let file = try ImportedFile(ImportSamples.compressedDump)
        #expect(file.format == .rtcstats)
        #expect(received(file) == [10, 60])
        #expect(file.reports.map { $0.object(.codec) != nil } == [true, false])
        let durations = file.reports.last?.object(.inboundRTP)?.members["qualityLimitationDurations"]
        #expect(durations == ["none": 2, "cpu": 0])
        #expect(file.events.map(\.type) == ["iceConnected"])
    }

    @Test func `the server's file of a client holds what changed`() throws {
        let file = try ImportedFile(ImportSamples.clientFile)
        #expect(file.format == .rtcstatsClientFile)
        #expect(received(file) == [10, 60])
        #expect(file.events.map(\.type) == ["iceConnected", "ENDED"])
    }

    // MARK: goog*

    @Test func `old statistics get W3C names and units`() throws {
        let file = try ImportedFile(ImportSamples.googReport)
        let report = try #require(file.reports.first)
        let inbound = try #require(report.object(.inboundRTP)?.members)
        #expect(inbound["jitter"] == 0.012)
        #expect(inbound["audioLevel"]?.number.map { abs($0 - 0.5) < 0.001 } == true)
        #expect(inbound["packetsLost"] == 3)
        let outbound = try #require(report.object(.outboundRTP)?.members)
        #expect(outbound["kind"] == "video")
        #expect(outbound["packetsLost"] == nil)
        #expect(outbound["nackCount"] == 2)
        #expect(outbound["qualityLimitationReason"] == "cpu")
        let far = try #require(report.object(.remoteInboundRTP)?.members)
        #expect(far["roundTripTime"] == 0.08)
        #expect(far["packetsLost"] == 4)
        let pair = try #require(report.object(.candidatePair)?.members)
        #expect(pair["currentRoundTripTime"] == nil)
        #expect(pair["selected"] == true)
        #expect(pair["availableOutgoingBitrate"] == 500_000)
        #expect(pair["availableIncomingBitrate"] == nil)
        #expect(report.object(.remoteCandidate)?.members["candidateType"] == "srflx")
        #expect(report.object(.localCandidate)?.members["address"] == "10.1.2.0/24")
        #expect(
            report.objects.filter { $0.type == .codec }.map { $0.members["mimeType"] } == ["audio/opus", "video/VP8"])
    }

    /// 3,000 ms falls by a quarter of its distance to 40 ms with each answer.
    @Test func `the round trip of an old pair counts once it has settled`() throws {
        var value = 3000.0
        let lines = (0..<40).map { second in
            value = (3 * value + 40) / 4
            return #"[{"id":"P","type":"googCandidatePair","timestamp":\#(ImportSamples.start + 1000 * Int64(second)),"#
                + #""googRtt":"\#(Int(value.rounded()))","googActiveConnection":"true"}]"#
        }
        let file = try ImportedFile(lines.joined(separator: "\n"))
        let roundTrips = file.reports.map { $0.object(.candidatePair)?.members["currentRoundTripTime"]?.number }
        #expect(roundTrips.prefix(12).allSatisfy { $0 == nil })
        #expect(roundTrips.compactMap { $0 }.allSatisfy { $0 < 0.08 })
        #expect(roundTrips.last == 0.04)
    }

    @Test func `old mobile SDKs print names and values apart, everything as text`() throws {
        let file = try ImportedFile(
            #"""
            [{"reportId":"ssrc_7_send","type":"ssrc","timestamp":1.767225600000123E12,"values":[
            {"name":"ssrc","value":"7"},{"name":"googFrameRateSent","value":"15"},{"name":"byesSent","value":"900"},
            {"name":"packetsSent","value":"30"},{"name":"googRtt","value":"70"}]}]
            """#)
        let report = try #require(file.reports.first)
        #expect(report.time.milliseconds == ImportSamples.start)
        let outbound = try #require(report.object(.outboundRTP, kind: .video)?.members)
        #expect(outbound["bytesSent"] == 900)
        #expect(outbound["packetsSent"] == 30)
        #expect(report.object(.remoteInboundRTP)?.members["roundTripTime"] == 0.07)
    }

    @Test func `Java prints members in an object of their own`() throws {
        let file = try ImportedFile(
            #"""
            {"timestampUs":1767225600000000,"stats":{"I":{"id":"I","type":"inbound-rtp",
            "timestampUs":1767225600000000,"members":{"kind":"audio","ssrc":7,"packetsReceived":"12"}}}}
            """#)
        #expect(received(file) == [12])
        #expect(seconds(file) == [0])
    }

    // MARK: Reports and events

    @Test func `a bare nan costs no report of a file`() throws {
        let report = ImportSamples.report(second: 0, received: 50).replacing("0.004", with: "NaN")
        let file = try ImportedFile(report)
        #expect(received(file) == [50])
        #expect(file.reports.first?.object(.inboundRTP)?.members["jitter"] == nil)
    }

    @Test func `events may stand in an object`() throws {
        let event = try #require(ImportSamples.mixedLines.split(separator: "\n").first)
        let file = try ImportedFile("{\"events\":[\(event)]}")
        #expect(file.events.map(\.type) == ["callCreate"])
    }

    @Test func `an event without a usable time happened about when the last one did`() throws {
        let lines = #"""
            {"action":"callMetric","type":"callCreate","callId":"one","time":1767225600000}
            {"action":"iceState","type":"iceConnected","callId":"one","time":12}
            """#
        let file = try ImportedFile(lines)
        #expect(file.events.map(\.time.milliseconds) == [ImportSamples.start, ImportSamples.start])
        #expect(file.events.last?.members["implausibleTime"] == 12)
    }

    @Test func `lines of reports and events may be mixed`() throws {
        let file = try ImportedFile(ImportSamples.mixedLines)
        #expect(file.format == .reports)
        #expect(file.calls == ["one", "two"])
        #expect(file.facts.keys.map(\.observer.rawValue).sorted() == ["caller", "client", "client"])
        #expect(file.reports.count == 2)
        #expect(file.events.map(\.type) == ["callCreate", "ENDED"])
        #expect(file.refusals.map(\.index) == [3])
        #expect(file.refusals.first?.message.contains("line 4") == true)
    }

    @Test func `a call without a name is named by its first report, or by who reads it`() throws {
        let lines = [0, 1, 2].map { ImportSamples.report(second: $0, received: 50 * Int($0)) }
        let name = try ImportedFile(lines.joined(separator: "\n")).calls
        #expect(name.count == 1)
        #expect(name.first?.hasPrefix("import-1767225600000-") == true)
        #expect(try ImportedFile(lines[0]).calls == name)
        let mine = try ImportedFile(lines.joined(separator: "\n"), call: "mine", observer: "caller")
        #expect(mine.facts.keys.map { "\($0.identity.call.rawValue) \($0.observer.rawValue)" } == ["mine caller"])
    }

    @Test func `what a file tells was received when it says it was made`() throws {
        let file = try ImportedFile(ImportSamples.chromeDump)
        #expect(file.facts.values.joined().allSatisfy { $0.receivedAt == $0.time })
    }

    @Test func `a late report of before a restart is no step of the clock`() throws {
        let lines = [(0, 1000), (10, 2000), (30, 50), (20, 3000), (40, 150)].map { second, received in
            ImportSamples.report(second: second, received: received)
        }
        let file = try ImportedFile(lines.joined(separator: "\n"))
        #expect(file.notes == [])
        #expect(received(file) == [1000, 2000, 3000, 50, 150])
    }

    @Test func `after a step of the clock reports go on as before`() throws {
        let lines = [(0, 100), (10, 200), (20, 300), (-500, 400), (-490, 500)].map { second, received in
            ImportSamples.report(second: second, received: received)
        }
        let file = try ImportedFile(lines.joined(separator: "\n"))
        #expect(file.notes.count == 1)
        #expect(seconds(file) == [0, 10, 20, 30, 40])
        #expect(received(file) == [100, 200, 300, 400, 500])
    }

    @Test func `times that count from elsewhere keep their distances`() throws {
        let lines = [0, 10_000].map { time in
            #"{"timestamp":\#(time),"peerConnections":[["a",[{"id":"T","type":"transport","timestamp":\#(time)}]]]}"#
        }
        let file = try ImportedFile(lines.joined(separator: "\n"))
        #expect(file.reports.map { $0.time.milliseconds - 946_684_800_000 } == [0, 10_000])
        #expect(file.notes.count == 1)
    }

    @Test(arguments: ["", " ", "\r", "\r\n"]) func `reports may stand side by side on a line`(between: String) throws {
        let reports = [1, 2, 3].map { ImportSamples.report(second: Int64($0), received: $0) }
        #expect(try received(ImportedFile(reports.joined(separator: between))) == [1, 2, 3])
    }

    @Test(
        arguments: [
            ([0xFF, 0xFE, 0x7B, 0x00], "this is text in UTF-16, as PowerShell's > writes it; save it in UTF-8"),
            (
                [0x1E, 0x7B, 0x7D, 0x0A],
                #"this is a JSON text sequence (RFC 7464); take the record separators out (tr -d '\036')"#
            ),
        ] as [([UInt8], String)])
    func `a text in another form is refused by name`(bytes: [UInt8], message: String) {
        let error = #expect(throws: ClientStatsError.self) { try ImportedFile(bytes) }
        #expect(error?.description == message)
    }

    @Test func `lines of a log before the first report cost no report`() throws {
        let reports = [1, 2].map { ImportSamples.report(second: Int64($0), received: $0) }
        let file = try ImportedFile("started 12:00\r\n\n" + reports.joined(separator: "\n"))
        #expect(received(file) == [1, 2])
        #expect(file.refusals.map(\.reason) == [.malformed])
        #expect(file.refusals.first?.message.contains("line 1") == true)
    }

    @Test func `a text that is none of these is shown up to the end of its first line`() {
        let error = #expect(throws: ClientStatsError.self) { try ImportedFile("name,value\nx,1\n") }
        #expect(error?.description.hasPrefix("it begins with \"name,value\", expected") == true)
    }

    @Test func `several documents of several lines are read one by one`() throws {
        let one = ImportSamples.report(second: 0, received: 1).replacing(",", with: ",\n")
        let two = ImportSamples.report(second: 1, received: 2).replacing(",", with: ",\n")
        #expect(try received(ImportedFile(one + "\n" + two)) == [1, 2])
        #expect(try received(ImportedFile("[\(one),\(two)]")) == [1, 2])
    }

    @Test(arguments: [false, true]) func `what was contradicted of a wire report is exported with it`(
        isContradicted: Bool
    ) throws {
        let time = Timestamp(milliseconds: 1_795_000_000_000)
        let stream = WireStream(
            id: "7", ssrc: 7, source: "192.0.2.0/24:1", destination: "192.0.3.0/24:2", kind: .audio, payloadType: 0,
            firstPacketAt: time,
            lastPacketAt: time)
        let report = WireReport(time: time, receivedAt: time, streams: [stream], isContradicted: isContradicted)
        let observer = ObserverID(rawValue: "wire:caller")
        let line = ExportedFact.line(of: .wire(report), call: CallID(rawValue: "c"), observer: observer)
        let facts = try ImportedFile(line).facts.values.joined()
        #expect(Array(facts) == [.wire(report)])
    }
}
