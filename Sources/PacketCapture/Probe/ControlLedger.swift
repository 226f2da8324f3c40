import CallModel
import RTPMeter

/// What RTCP told of one stream as it passed by, and checks of ICE of its way.
struct ControlLedger {
    /// The sender reports of the stream's source, to time the receiver's answers with; and the clocks of receivers, to
    /// time the answers to them with.
    var roundTrips = RoundTripEstimator()
    private(set) var senderReports = 0
    private(set) var packetsSent: UInt32?
    private(set) var receiverReports = 0
    private(set) var receiverPacketsLost: Int32?
    private var account = ReceiverAccount()
    private(set) var receiverPacketsExpected: UInt64?
    private(set) var receiverJitterTicks: UInt32?
    private(set) var lastControlAt: ArrivalTime?
    /// From the probe to the receiver and back, last measured, in seconds.
    private(set) var receiverSeconds: Double?
    /// From the probe to the source and back, in seconds; last measured by its answers to a receiver that sends nothing, or to
    /// checks of ICE.
    private(set) var senderSeconds: Double?
    /// Whether who sends the stream checks its way as Firefox does.
    var isSentByFirefox = false
    /// Whether RTCP has measured; checks of ICE are for where it cannot.
    private var isMeasuredByReports = false
    private(set) var totalRoundTripSeconds = 0.0
    private(set) var roundTripMeasurements = 0
    private(set) var nackedPackets = 0
    private(set) var keyFrameRequests = 0
    /// How those who receive the stream fare, by the last report of each; the one that reported last stands last.
    private(set) var metrics: [ReceiverMetrics] = []
    /// What else who sends the stream receives.
    var unseenSources = UnseenSources()
    /// By how much the source's count was ahead of ours when it last told it while its packets came, and how many it has
    /// counted beyond that since they come no more.
    private var aheadInFlow: UInt32?
    private var sentInSilence = 0
    /// When the source last told, after its packets had stopped, that it had sent none.
    private var silentAt: ArrivalTime?
    /// When the source last said goodbye.
    private var leftAt: ArrivalTime?

    /// Takes a report of the stream's source.
    /// - Parameters:
    ///   - report: The report.
    ///   - meter: What came of the stream by then.
    ///   - time: When it passed by.
    mutating func take(_ report: SenderReport, of meter: RTPStreamMeter, at time: ArrivalTime) {
        let ahead = report.packetCount &- UInt32(truncatingIfNeeded: meter.expectedPackets)
        if meter.openGap(at: time) ?? 0 <= 1 {
            (aheadInFlow, sentInSilence) = (ahead, 0)
        } else if let aheadInFlow {
            sentInSilence = Int(Int32(bitPattern: ahead &- aheadInFlow))
            if abs(sentInSilence) <= Self.mostInFlight { silentAt = time }
        } else if packetsSent == report.packetCount {
            silentAt = time
        }
        take(early: report, at: time)
    }

    /// Takes a report of the stream's source that came before the stream was known for one. What had come of it by then is not
    /// known any more, so that the source's count tells nothing beside it.
    mutating func take(early report: SenderReport, at time: ArrivalTime) {
        senderReports += 1
        packetsSent = report.packetCount
        lastControlAt = time
        roundTrips.noteSenderReport(ssrc: report.ssrc, ntpMiddle: report.ntpMiddle, at: time)
    }

    /// Takes a report of the stream's source in which it is none of a sender: so reports who has sent nothing since its last
    /// report but one ([RFC 3550 §6.4](https://www.rfc-editor.org/rfc/rfc3550#section-6.4)). A source that has never reported
    /// as a sender, though it sends, says nothing by that.
    mutating func takeReportOfReceiver(at time: ArrivalTime) {
        if senderReports > 0 { silentAt = time }
    }

    /// Takes a receiver's report about the stream.
    /// - Parameters:
    ///   - block: The report.
    ///   - receiver: Who gives it.
    ///   - meter: What came of the stream by then.
    ///   - otherHalf: From the probe to the stream's sender and back, as far as known.
    ///   - time: When it passed by.
    mutating func take(
        _ block: ReportBlock, by receiver: UInt32, of meter: RTPStreamMeter, otherHalf: Double?, at time: ArrivalTime
    ) {
        receiverReports += 1
        account.take(block, by: receiver, of: meter)
        receiverPacketsLost = block.cumulativeLost
        // What the receiver lost before the probe saw the stream is in its count, too.
        let before = UInt64(max(0, aheadInFlow.map { Int32(bitPattern: $0) } ?? 0))
        receiverPacketsExpected = meter.expectedPackets(upTo: block.highestSequence).map { $0 + before }
        receiverJitterTicks = block.jitterTicks
        lastControlAt = time
        take(roundTrip: roundTrips.roundTrip(block, at: time), otherHalf: otherHalf)
    }

    mutating func take(_ answer: ReceiverReportDelay, otherHalf: Double?, at time: ArrivalTime) {
        lastControlAt = time
        take(roundTrip: roundTrips.roundTrip(answer, at: time), otherHalf: otherHalf)
    }

    private mutating func take(roundTrip seconds: Double?, otherHalf: Double?) {
        guard let seconds else { return }
        isMeasuredByReports = true
        note(roundTrip: seconds, otherHalf: otherHalf)
    }

    /// Takes the answer of the stream's source to the clock of a receiver that sends no media itself.
    mutating func takeAnswer(toListener answer: ReceiverReportDelay, at time: ArrivalTime) {
        guard let seconds = roundTrips.roundTrip(answer, at: time) else { return }
        senderSeconds = seconds
        isMeasuredByReports = true
    }

    /// Takes the time to the stream's source and back, by its answer to a check of ICE.
    mutating func takeCheck(toSender seconds: Double) {
        if !isMeasuredByReports { senderSeconds = seconds }
    }

    /// Takes the time to the stream's receiver and back, by its answer to a check of ICE.
    mutating func takeCheck(toReceiver seconds: Double, otherHalf: Double?) {
        if !isMeasuredByReports { note(roundTrip: seconds, otherHalf: otherHalf) }
    }

    private mutating func note(roundTrip seconds: Double, otherHalf: Double?) {
        receiverSeconds = seconds
        // Half a round trip is none.
        guard let otherHalf else { return }
        totalRoundTripSeconds += seconds + otherHalf
        roundTripMeasurements += 1
    }

    mutating func take(_ block: VoIPMetrics, by reporter: UInt32, at time: ArrivalTime) {
        let before = metrics.first { $0.reporter == reporter }?.reports ?? 0
        metrics.removeAll { $0.reporter == reporter }
        if metrics.count >= ReceiverMetrics.mostReporters { metrics.removeFirst() }
        metrics.append(ReceiverMetrics(block, by: reporter, reports: before + 1, at: time.timestamp))
        lastControlAt = time
    }

    mutating func take(_ kind: RTCPFeedback.Kind) {
        switch kind {
        case .missingPackets(let count): nackedPackets += count
        case .pictureLoss, .fullIntraRequest: keyFrameRequests += 1
        default: break
        }
    }

    /// Notes RTCP of the source of which nothing else can be read.
    mutating func noteUnreadable(at time: ArrivalTime) { lastControlAt = time }

    mutating func leave(at time: ArrivalTime) { leftAt = time }

    /// Packets may overtake a goodbye, or be overtaken by it, by so much; in seconds.
    private static let farewell = 1.0

    /// Whether the source said goodbye when it sent no more. What goes on sending has not left, whatever was said; and what
    /// was silent long before, its goodbye does not explain.
    func hasLeft(lastPacketAt last: ArrivalTime) -> Bool {
        leftAt.map { abs(last.seconds(since: $0)) <= Self.farewell } ?? false
    }

    /// Whether the source told that it sent nothing, in a silence that began at `start`. What is told in the first second may
    /// be of the packets before it.
    func tellsOfSilence(since start: ArrivalTime) -> Bool { silentAt.map { $0.seconds(since: start) > 1 } ?? false }

    /// Whether the source counts packets as sent that did not come, since none come any more; of a few, who knows.
    var tellsOfMissing: Bool { sentInSilence > Self.mostInFlight }

    /// As many as may be on their way when a report is (``RTPStreamMeter`` takes no fewer for a jump either).
    private static let mostInFlight = 10

    /// Puts what is known into a snapshot.
    func fill(_ stream: inout WireStream) {
        stream.lastControlAt = lastControlAt?.timestamp
        if senderReports > 0 { stream[.senderReports] = Double(senderReports) }
        stream[.packetsSent] = packetsSent.map(Double.init)
        if receiverReports > 0 { stream[.receiverReports] = Double(receiverReports) }
        stream[.receiverPacketsLost] = receiverPacketsLost.map(Double.init)
        stream[.packetsLostBehind] = account.lostBehind.map(Double.init)
        stream[.receiverPacketsExpected] = receiverPacketsExpected.map { Double($0) }
        if let rate = stream.clockRate {
            stream[.receiverJitter] = receiverJitterTicks.map { Double($0) / Double(rate) }
        }
        // In thousands of packets that our recordings have of it there was no redundancy, whatever its SDP offers.
        if isSentByFirefox, stream.codec == "audio/opus", stream.clockOrigin == .inferred {
            stream.formatParameters = "useinbandfec=0"
        }
        stream[.receiverRoundTripTime] = receiverSeconds
        if roundTripMeasurements > 0 {
            stream[.totalRoundTripTime] = totalRoundTripSeconds
            stream[.roundTripTimeMeasurements] = Double(roundTripMeasurements)
        }
        stream.receiverMetrics = metrics.isEmpty ? nil : metrics
        stream[.receiverListeningMOS] = metrics.last?.listeningMOS
        stream[.receiverConversationalMOS] = metrics.last?.conversationalMOS
        stream[.receiverRFactor] = metrics.last?.rFactor.map(Double.init)
        if nackedPackets > 0 { stream[.nackedPackets] = Double(nackedPackets) }
        if keyFrameRequests > 0 { stream[.keyFrameRequests] = Double(keyFrameRequests) }
    }
}
