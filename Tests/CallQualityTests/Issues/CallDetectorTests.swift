import CallModel
import Testing

@testable import CallQuality

/// Detectors of what happens once: outages, the path, setup, codecs, the reports themselves.
@Suite struct CallDetectorTests {
    private func kinds(_ call: ScriptedCall, every cadence: Int = 1) -> [IssueKind] {
        call.issues(every: cadence).map(\.kind)
    }

    private static var dead: ScriptedSecond {
        var second = ScriptedSecond()
        (second.packets, second.concealedSeconds, second.silentSeconds, second.concealments) = (0, 1, 0.98, 0.2)
        (second.videoPackets, second.videoBytes, second.frames) = (0, 0, 0)
        return second
    }

    @Test(arguments: [1, 5, 10])
    func `a blackout is one issue and not the loss of what was in it as well`(cadence: Int) throws {
        let call = ScriptedCall(120, bad: [50..<56], Self.dead)
        let issues = call.issues(every: cadence)
        let blackout = try #require(issues.first)
        #expect(blackout.kind == .blackout)
        #expect(blackout.cause == .pathDown)
        #expect(blackout.severity == .critical)
        #expect(abs((blackout.worst?.value ?? 0) - 6) <= 0.5)
        #expect(!issues.contains { [.concealment, .packetLoss, .lossBursts].contains($0.kind) })
    }

    /// The packets that are missing are counted when the first one comes after it: in the next report.
    @Test(arguments: [1, 10]) func `nor when its end lies in the next report`(cadence: Int) {
        var call = ScriptedCall(120, bad: [55..<60], Self.dead)
        (call.seconds[60].lost, call.seconds[60].videoLost) = (250, 300)
        let kinds = call.issues(every: cadence).map(\.kind)
        #expect(kinds.contains(.blackout))
        #expect(!kinds.contains { [.concealment, .packetLoss, .lossBursts].contains($0) })
    }

    /// What was made up at the end of one report, in silence, is counted with that of the next.
    @Test(arguments: [1, 2]) func `nor what of it began in the report before`(seconds: Int) {
        let call = ScriptedCall(120, bad: [(60 - seconds)..<73], Self.dead)
        let kinds = call.issues(every: 10).map(\.kind)
        #expect(kinds.contains(.blackout) && !kinds.contains { [.concealment, .lossBursts].contains($0) }, "\(kinds)")
    }

    /// 2 % of made-up sound around a blackout of 6 s would raise nothing, 5 % are told as 5.
    @Test(arguments: [1, 5, 10]) func `and not the concealment of what was in it beside another`(cadence: Int) throws {
        func worst(_ percent: Double) -> Double? {
            var call = ScriptedCall(120, bad: [50..<56], Self.dead)
            for second in 40..<80 where !(50..<56).contains(second) {
                call.seconds[second].concealedSeconds = percent / 100
                call.seconds[second].concealments = 1
            }
            return call.issues(every: cadence).first { $0.kind == .concealment }?.worst?.value
        }
        #expect(worst(2) == nil)
        #expect(abs(try #require(worst(5)) - 5) < 0.5)
    }

    /// LiveKit, mediasoup and others send over one connection and receive over another.
    @Test(arguments: [1, 5, 10], ["a", "z"])
    func `nor what was sent into it over another connection`(cadence: Int, publisher: String) {
        func losses(_ others: (inout ScriptedCall) -> Void) -> [String] {
            var call = ScriptedCall(120, bad: [50..<56], Self.dead)
            call.seconds[56].sentLost = 300
            others(&call)
            let facts = call.facts(every: cadence).flatMap { Self.split($0, sendingOver: publisher) }
            let issues = ScriptedCall.summary(of: facts.sorted { $0.key < $1.key })?.issues.all ?? []
            #expect(issues.contains { $0.kind == .blackout })
            return issues.filter { $0.kind == .packetLoss }
                .map { "\($0.stream?.direction.rawValue ?? "") \($0.severity)" }
        }
        #expect(losses { _ in } == [])
        let lossAfterIt = losses { call in for second in 56..<96 { call.seconds[second].sentLost += 7 } }
        #expect(lossAfterIt == ["outbound critical"])
    }

    /// The report as two, of a connection that sends and of one that receives.
    private static func split(_ fact: Fact, sendingOver publisher: String) -> [Fact] {
        guard case .report(let report) = fact else { return [fact] }
        let isSent = { (object: StatsObject) in ["SA", "OA", "OV", "RA"].contains(object.id) }
        let isReceived = { (object: StatsObject) in ["IA", "IV"].contains(object.id) }
        return [(publisher, isReceived), ("m", isSent)].map { name, isElsewhere in
            .report(
                StatsReport(
                    connection: ConnectionID(rawValue: name), time: report.time, receivedAt: report.receivedAt,
                    objects: report.objects.filter { !isElsewhere($0) }))
        }
    }

    /// Packets came after it in the report that tells of it, of sound and of pictures.
    @Test(arguments: [1, 5, 10]) func `what is lost after it is told as without it`(cadence: Int) throws {
        func losses(_ outage: [Range<Int>]) throws -> [String] {
            var call = ScriptedCall(100, bad: outage, Self.dead)
            for second in 50..<60 {
                call.seconds[second] = .losing(10)
                (call.seconds[second].videoLost, call.seconds[second].videoPackets) = (6, 54)
            }
            let found = try call.summary(every: cadence) { seconds, objects in
                objects.map { object in
                    var other = object
                    let last = outage.isEmpty || seconds <= 41 || seconds > 46 ? seconds : 41
                    if object.id == "IV" {
                        other.members["lastPacketReceivedTimestamp"] = .double(
                            Double(ScriptedCall.at(last).milliseconds - 20))
                    }
                    return other
                }
            }
            return found.issues.all.filter { $0.kind == .packetLoss }
                .map { "\($0.stream?.kind.rawValue ?? "") \($0.severity) \($0.worst?.value ?? 0)" }.sorted()
        }
        #expect(try losses([]) == ["audio critical 10.0", "video critical 10.0"])
        #expect(try losses([41..<46]) == losses([]))
    }

    /// Nothing passed, and the decoder waits for a key frame.
    @Test func `a decoder without pictures in the report after it is not stuck`() {
        var waiting = ScriptedSecond()
        (waiting.frames, waiting.freezes, waiting.frozenSeconds) = (0, 0.1, 1)
        var call = ScriptedCall(120, bad: [55..<60], Self.dead)
        for second in 60..<70 { call.seconds[second] = waiting }
        #expect(!call.issues(every: 10).contains { $0.kind == .stuckDecoder })
        for second in 70..<90 { call.seconds[second] = waiting }
        #expect(call.issues(every: 10).contains { $0.kind == .stuckDecoder })
    }

    /// Of a call of 62 s no sound comes for the last seconds; the end is told 50 ms after the last report.
    @Test(arguments: [1, 10], [1, 2])
    func `a silence in which the far end hung up is no blackout`(cadence: Int, silence: Int) throws {
        var call = ScriptedCall(62, bad: [62 - silence..<62], Self.dead)
        func blackouts(_ events: [CallEvent]) throws -> [Int] {
            call.events = events
            let summary = try #require(call.summary(every: cadence))
            #expect(!summary.issues.all.contains { [.concealment, .packetLoss, .lossBursts].contains($0.kind) })
            return [summary.outages.count, summary.issues.all.count { $0.kind == .blackout }]
        }
        func ended(_ seconds: Double) -> CallEvent { ScriptedCall.event("callState", "ENDED", at: seconds) }
        #expect(try blackouts([ended(62.05)]) == [0, 0])
        #expect(try blackouts([]) == [1, 1], "nothing ended it")
        #expect(try blackouts([ended(66)]) == [1, 1], "it went on for longer than anybody takes to hang up")
        let change = ScriptedCall.event("ipChange", "ipChangeStarted", at: 61.5)
        #expect(try blackouts([change, ended(62.05)]) == [1, 1], "the path failed")
    }

    @Test(arguments: [1, 10]) func `a longer one is, and one that is over`(cadence: Int) throws {
        var call = ScriptedCall(62, bad: [58..<62], Self.dead)
        call.events = [ScriptedCall.event("callState", "ENDED", at: 62.05)]
        #expect(kinds(call, every: cadence).contains(.blackout))
        for second in [58, 61] { call.seconds[second] = ScriptedSecond() }
        #expect(kinds(call, every: cadence).contains(.blackout))
    }

    @Test(arguments: [1, 5, 10])
    func `an interruption raises nothing, and the background nothing of a picture`(cadence: Int) {
        var call = ScriptedCall(120, bad: [40..<80], Self.dead)
        call.events = [
            ScriptedCall.event("app", "beginInterruption", at: 40),
            ScriptedCall.event("app", "endInterruption", at: 80),
        ]
        #expect(call.issues(every: cadence) == [])
        call.events = [
            ScriptedCall.event("app", "background", at: 40), ScriptedCall.event("app", "foreground", at: 80),
        ]
        #expect(Set(call.issues(every: cadence).map(\.kind)) == [.blackout, .oneWayAudio])
    }

    @Test(arguments: [1, 5, 10])
    func `sound that comes and is not answered by any goes one way only`(cadence: Int) throws {
        var second = ScriptedSecond()
        second.packets = 0
        (second.concealedSeconds, second.silentSeconds) = (1, 1)
        let issue = try #require(
            ScriptedCall(120, bad: [40..<80], second).issues(every: cadence).first { $0.kind == .oneWayAudio })
        #expect(issue.cause == .farEndSendsNothing)
        #expect(abs(issue.span.start.seconds(since: ScriptedCall.at(40))) <= Double(cadence))
        #expect(abs(try #require(issue.span.end).seconds(since: ScriptedCall.at(80))) <= Double(cadence))
    }

    @Test func `an ICE disconnect is told, longer ones as critical`() {
        var call = ScriptedCall(60)
        call.events = [
            ScriptedCall.event("iceState", "iceConnected", at: 0),
            ScriptedCall.event("iceState", "iceDisconnected", at: 20),
            ScriptedCall.event("iceState", "iceConnected", at: 21),
            ScriptedCall.event("iceState", "iceDisconnected", at: 50),
        ]
        let issues = call.issues(every: 10).filter { $0.kind == .iceDisconnected }
        #expect(issues.map(\.severity) == [.critical, .warning])
        #expect(issues.map(\.isOpen) == [true, false])
    }

    @Test(arguments: [1, 10])
    func `a change of the path is told where no ICE event tells of it`(cadence: Int) {
        var call = ScriptedCall(60)
        for second in 30..<60 { call.seconds[second].pair = "CP2" }
        #expect(kinds(call, every: cadence) == [.pathChange])
        call.events = [
            ScriptedCall.event("iceState", "iceDisconnected", at: 30),
            ScriptedCall.event("iceState", "iceConnected", at: 31),
        ]
        #expect(kinds(call, every: cadence) == [.iceDisconnected])
    }

    @Test func `only another type, or another address of the device's own in the same family, is another network`() {
        func moves(_ paths: [(type: String?, candidate: String, address: String)]) -> [String] {
            var watch = PathWatch()
            for (index, told) in paths.enumerated() {
                var path = PathSummary()
                (path.networkType, path.localType, path.localAddress) = (told.type, told.candidate, told.address)
                watch.take(path, at: ScriptedCall.at(Double(10 * index)))
            }
            return watch.moves.map { "\($0.from) to \($0.to)" }
        }
        let home = ("wifi", "host", "192.168.1.0/24")
        #expect(moves([home, ("wifi", "relay", "198.51.100.0/24"), ("wifi", "srflx", "203.0.113.0/24"), home]) == [])
        #expect(moves([home, ("wifi", "host", "2001:db8::/48"), home]) == [])
        #expect(moves([("wifi", "host", "mdns"), home]) == [])
        #expect(
            moves([home, ("wifi", "host", "10.9.0.0/24")]) == ["wifi 192.168.1.0/24 to wifi 10.9.0.0/24"])
        #expect(
            moves([home, ("cellular", "relay", "198.51.100.0/24"), ("cellular", "host", "10.9.0.0/24")])
                == ["wifi 192.168.1.0/24 to cellular"])
        #expect(moves([(nil, "host", "10.9.0.0/24"), (nil, "host", "10.8.0.0/24")]) == ["10.9.0.0/24 to 10.8.0.0/24"])
    }

    @Test func `while the path is being found changes are none`() {
        var call = ScriptedCall(60)
        for second in 5..<60 { call.seconds[second].pair = "CP2" }
        #expect(kinds(call) == [])
    }

    @Test func `a change of the address is told from events`() {
        var call = ScriptedCall(60)
        call.events = [
            ScriptedCall.event("ipChange", "ipChangeStarted", at: 20),
            ScriptedCall.event("ipChange", "ipChangeEnded", at: 24),
        ]
        #expect(kinds(call) == [.ipChange])
    }

    @Test(arguments: [1, 10])
    func `a relay over TCP is told for as long as it was in use`(cadence: Int) throws {
        var call = ScriptedCall(60)
        for second in 0..<40 { call.seconds[second].relayProtocol = "tcp" }
        let issue = try #require(call.issues(every: cadence).first { $0.kind == .relayOverTCP })
        #expect(!issue.isOpen)
        #expect(abs(try #require(issue.span.end).seconds(since: ScriptedCall.at(40))) <= Double(cadence))
        for second in 0..<60 { call.seconds[second].relayProtocol = "udp" }
        #expect(!kinds(call).contains(.relayOverTCP))
    }

    @Test(arguments: [
        ("audio/opus", "audio/PCMU", true), ("audio/PCMU", "audio/opus", false), ("audio/opus", "audio/CN", false),
    ])
    func `a codec with a narrower band is a fallback`(before: String, after: String, isFallback: Bool) {
        var call = ScriptedCall(60)
        for second in 0..<60 { call.seconds[second].codec = second < 30 ? before : after }
        #expect(kinds(call).contains(.codecFallback) == isFallback)
    }

    @Test func `a setup that takes long is told with the part that did`() {
        var call = ScriptedCall(0)
        call.events = [
            ScriptedCall.event("callMetric", "callCreate", at: -20),
            ScriptedCall.event("iceTimeout", "iceNoRelay", at: -16),
            ScriptedCall.event("callMetric", "callRinging", at: -13),
            ScriptedCall.event("callMetric", "callAnswerReceived", at: -4),
            ScriptedCall.event("iceState", "iceConnected", at: 0),
        ]
        let issues = call.issues(every: 1)
        #expect(Set(issues.map(\.kind)) == [.slowSetup, .lateGathering])
        #expect(issues.filter { $0.kind == .slowSetup }.map(\.evidence[0].member) == ["postDialDelay", "mediaSetup"])
        #expect(issues.first { $0.kind == .lateGathering }?.worst?.value == 4)
    }

    @Test func `a call that was answered and never had media never connected`() {
        var call = ScriptedCall(0)
        call.events = [
            ScriptedCall.event("callMetric", "callCreate", at: -40),
            ScriptedCall.event("callMetric", "callAnswerReceived", at: -30),
            ScriptedCall.event("iceState", "iceDisconnected", at: -15),
        ]
        call.hasVideo = false
        var session = CallSession(key: Self.key)
        _ = session.fold(call.events.map(Fact.event))
        #expect(session.summary()?.issues.all.map(\.kind) == [.neverConnected])
    }

    /// Media need keys (RFC 8827 §6.5), whatever ICE and the client's own word say.
    @Test(arguments: ["failed", "connecting", "connected"])
    func `a call whose ends never agreed on keys never connected`(
        _ state: String
    ) throws {
        var call = ScriptedCall(0)
        call.events = [
            ScriptedCall.event("callMetric", "callCreate", at: -2),
            ScriptedCall.event("callMetric", "callAnswerReceived", at: -1),
            ScriptedCall.event("iceState", "iceConnected", at: 0), ScriptedCall.event("callState", "IN_CALL", at: 0),
            ScriptedCall.event("callState", "ENDED", at: 31),
        ]
        let reports = (0...3).map { number -> Fact in
            let time = ScriptedCall.at(Double(10 * number))
            let transport = StatsObject(
                id: "T", type: .transport, timestamp: time,
                members: ["dtlsState": .string(number == 0 ? "new" : state)])
            return .report(StatsReport(connection: .only, time: time, receivedAt: time, objects: [transport]))
        }
        let facts = (reports + call.events.map(Fact.event)).sorted { $0.key < $1.key }
        let found = try #require(ScriptedCall.summary(of: facts))
        let isUp = state == "connected"
        #expect(found.outcome == (isUp ? .connected : .notConnected))
        let evidence = found.issues.all.first { $0.kind == .neverConnected }?.evidence
        #expect(
            evidence == (isUp ? nil : [.init("dtlsState", text: state), CallIssue.Evidence("packetsReceived", 0)]))
    }

    private static let key = CallKey(
        identity: CallIdentity(tenant: .default, call: CallID(rawValue: "scripted")), observer: .client, attempt: 1)

    @Test func `reports that are missing are told, and raise nothing else`() {
        let all = ScriptedCall(120).facts(every: 1)
        let kept = all.filter { !(ScriptedCall.at(50)...ScriptedCall.at(70)).contains($0.time) }
        var session = CallSession(key: Self.key)
        _ = session.fold(kept)
        #expect(session.summary()?.issues.all.map(\.kind) == [.missingReports])
    }

    @Test func `a clock that was set is told`() {
        let facts = ScriptedCall(120).facts(every: 1).map { fact in
            var fact = fact
            let shift: Int64 = fact.time >= ScriptedCall.at(60) ? -60_000 : 0
            fact.receivedAt = fact.time.advanced(byMilliseconds: 80 + shift)
            return fact
        }
        var session = CallSession(key: Self.key)
        _ = session.fold(facts)
        #expect(session.summary()?.issues.all.map(\.kind) == [.clockTrouble])
    }

    @Test func `no more issues are kept than anyone reads, and the rest is counted`() {
        var call = ScriptedCall(9_000)
        for second in stride(from: 20, to: 9_000, by: 60) {
            for bad in second..<second + 10 { call.seconds[bad] = .losing(20) }
        }
        let issues = call.summary(every: 1)?.issues
        #expect(issues?.all.count == CallIssues.most)
        #expect((issues?.leftOut ?? 0) > 40)
    }

    @Test func `what is critical is told however many smaller matters came before it`() {
        var light = ScriptedSecond.losing(2)
        (light.videoPackets, light.videoLost) = (59, 1)
        var worse = ScriptedSecond.losing(30)
        (worse.videoPackets, worse.videoLost, worse.frames, worse.freezes, worse.frozenSeconds) = (42, 18, 8, 1, 0.5)
        let calm = ScriptedCall(6_800, bad: [6_700..<6_740], worse)
        var busy = calm
        for second in stride(from: 20, to: 6_620, by: 60) {
            for bad in second..<second + 12 { busy.seconds[bad] = light }
        }
        let told = Self.critical(calm.issues(every: 5))
        #expect(Set(told.map(\.kind)).isSuperset(of: [.packetLoss, .concealment, .freeze]))
        #expect(Self.critical(busy.issues(every: 5)) == told)
    }

    /// Kind, stream and span of what is critical.
    private static func critical(_ issues: [CallIssue]) -> [CallIssue] {
        issues.filter { $0.severity == .critical }.map { issue in
            CallIssue(kind: issue.kind, severity: issue.severity, stream: issue.stream, span: issue.span)
        }
    }

    @Test func `the worst of each kind is told however many of others came before it`() {
        var call = ScriptedCall(6_200)
        for second in stride(from: 20, to: 6_020, by: 60) {
            for bad in second..<second + 10 { call.seconds[bad] = .losing(20) }
        }
        for silent in 6_100..<6_106 { call.seconds[silent] = Self.dead }
        let issues = call.issues(every: 5)
        #expect(issues.count == CallIssues.most)
        #expect(issues.filter { $0.kind == .blackout }.map(\.severity) == [.critical])
    }
}
