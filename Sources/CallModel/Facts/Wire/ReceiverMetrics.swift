/// How the receiver of a stream says that it fares: the last VoIP metrics block of its extended reports
/// ([RFC 3611 §4.7](https://www.rfc-editor.org/rfc/rfc3611#section-4.7)).
///
/// What the receiver marks as unavailable is `nil`, and so is what lies outside of the range that the RFC gives.
public struct ReceiverMetrics: Hashable, Sendable, Codable {
    /// So many receivers of one stream are told of: of more than one there are in a group, or where one began anew.
    public static let mostReporters = 4

    /// How the receiver fills in for packets that are missing.
    public enum LossConcealment: String, Hashable, Sendable, Codable, CaseIterable {
        /// It plays silence.
        case disabled
        /// It interpolates.
        case enhanced
        /// It repeats what came last.
        case standard
    }

    /// When the report passed the probe.
    public var reportedAt: Timestamp
    /// The source that gave it (RFC 3550 §5.1).
    public var reporter: UInt32
    /// How many such blocks about the stream came so far, this one included.
    public var reports: Int

    /// Share of packets that never came, since the receiver began; 0...1.
    public var lossRate: Double
    /// Share of packets that came too late or too early to be played, since the receiver began; 0...1.
    public var discardRate: Double
    /// Share of packets lost or discarded within bursts; 0...1.
    public var burstDensity: Double
    /// Share of packets lost or discarded in the gaps between bursts; 0...1.
    public var gapDensity: Double
    /// Mean length of the bursts, in milliseconds.
    public var burstMilliseconds: Int
    /// Mean length of the gaps, in milliseconds.
    public var gapMilliseconds: Int
    /// How many packets in a row must come for a burst to be over (Gmin).
    public var minimumGap: Int

    /// Latest round trip between the two RTP interfaces, in milliseconds; `nil` while it has measured none.
    public var roundTripMilliseconds: Int?
    /// Latest delay inside the receiver, in and out, in milliseconds.
    public var endSystemMilliseconds: Int
    /// Level of the speech, in dBm0; `nil` when unavailable.
    public var signalLevelDecibels: Int?
    /// Level of the background in its pauses, in dBm0; `nil` when unavailable.
    public var noiseLevelDecibels: Int?
    /// Residual echo return loss (RERL), in dB; `nil` when unavailable.
    public var residualEchoReturnLossDecibels: Int?

    /// Conversational quality, 0...100 (ITU-T G.107); `nil` when unavailable.
    public var rFactor: Int?
    /// The same for another network that the call runs over, 0...100; `nil` when unavailable.
    public var externalRFactor: Int?
    /// Opinion score of listening, 1...5; `nil` when unavailable.
    public var listeningMOS: Double?
    /// Opinion score of conversation, 1...5; `nil` when unavailable.
    public var conversationalMOS: Double?

    /// How the receiver fills in for packets that are missing; `nil` when it does not say.
    public var lossConcealment: LossConcealment?
    /// Whether its jitter buffer adapts; `nil` when it does not say.
    public var isJitterBufferAdaptive: Bool?
    /// How slowly the buffer adapts, 0...15, in units of the implementation.
    public var jitterBufferRate: Int
    /// Delay in the buffer of a packet that comes on time, in milliseconds.
    public var jitterBufferNominalMilliseconds: Int
    /// Delay of the earliest packet that is not discarded, in milliseconds.
    public var jitterBufferMaximumMilliseconds: Int
    /// The largest delay that the buffer can reach, in milliseconds.
    public var jitterBufferAbsoluteMaximumMilliseconds: Int

    /// A report of which nothing but the ratios and lengths that it must have is known, all of them 0.
    public init(reportedAt: Timestamp, reporter: UInt32, reports: Int) {
        self.reportedAt = reportedAt
        self.reporter = reporter
        self.reports = reports
        (lossRate, discardRate, burstDensity, gapDensity) = (0, 0, 0, 0)
        (burstMilliseconds, gapMilliseconds, minimumGap, endSystemMilliseconds) = (0, 0, 0, 0)
        jitterBufferRate = 0
        (jitterBufferNominalMilliseconds, jitterBufferMaximumMilliseconds) = (0, 0)
        jitterBufferAbsoluteMaximumMilliseconds = 0
    }
}

// MARK: - JSON

extension ReceiverMetrics {
    /// The metrics as JSON members; those that are not known are left out.
    public var members: JSONObject {
        var result: JSONObject = [
            "reportedAt": .integer(reportedAt.milliseconds), "reporter": .integer(Int64(reporter)),
            "reports": .integer(Int64(reports)),
            "lossRate": .double(lossRate), "discardRate": .double(discardRate),
            "burstDensity": .double(burstDensity), "gapDensity": .double(gapDensity),
        ]
        func put(_ name: String, _ value: Int?) { result[name] = value.map { .integer(Int64($0)) } }
        put("burstMilliseconds", burstMilliseconds)
        put("gapMilliseconds", gapMilliseconds)
        put("minimumGap", minimumGap)
        put("roundTripMilliseconds", roundTripMilliseconds)
        put("endSystemMilliseconds", endSystemMilliseconds)
        put("signalLevelDecibels", signalLevelDecibels)
        put("noiseLevelDecibels", noiseLevelDecibels)
        put("residualEchoReturnLossDecibels", residualEchoReturnLossDecibels)
        put("rFactor", rFactor)
        put("externalRFactor", externalRFactor)
        result["listeningMOS"] = listeningMOS.map(JSONValue.double)
        result["conversationalMOS"] = conversationalMOS.map(JSONValue.double)
        result["lossConcealment"] = lossConcealment.map { .string($0.rawValue) }
        result["isJitterBufferAdaptive"] = isJitterBufferAdaptive.map(JSONValue.bool)
        put("jitterBufferRate", jitterBufferRate)
        put("jitterBufferNominalMilliseconds", jitterBufferNominalMilliseconds)
        put("jitterBufferMaximumMilliseconds", jitterBufferMaximumMilliseconds)
        put("jitterBufferAbsoluteMaximumMilliseconds", jitterBufferAbsoluteMaximumMilliseconds)
        return result
    }

    private static let counts = 0...Int64(Int32.max)
    private static let milliseconds = 0...Int64(UInt16.max)
    private static let levels = Int64(Int8.min)...Int64(Int8.max)

    /// Reads what ``members`` wrote.
    public init(members: JSONObject) throws(WireReportError) {
        try self.init(reader: MemberReader(.object(members), path: "receiverMetrics"))
    }

    init(reader: MemberReader) throws(WireReportError) {
        func whole(_ name: String, in range: ClosedRange<Int64>) throws(WireReportError) -> Int? {
            try reader.optionalWhole(name, in: range).map { Int($0) }
        }
        func share(_ name: String) throws(WireReportError) -> Double { try reader.optionalNumber(name, in: 0...1) ?? 0 }

        self.init(
            reportedAt: Timestamp(milliseconds: try reader.whole("reportedAt")),
            reporter: UInt32(try reader.whole("reporter", in: 0...Int64(UInt32.max))),
            reports: try whole("reports", in: Self.counts) ?? 1)
        (lossRate, discardRate) = (try share("lossRate"), try share("discardRate"))
        (burstDensity, gapDensity) = (try share("burstDensity"), try share("gapDensity"))
        burstMilliseconds = try whole("burstMilliseconds", in: Self.milliseconds) ?? 0
        gapMilliseconds = try whole("gapMilliseconds", in: Self.milliseconds) ?? 0
        minimumGap = try whole("minimumGap", in: 0...255) ?? 0
        roundTripMilliseconds = try whole("roundTripMilliseconds", in: Self.milliseconds)
        endSystemMilliseconds = try whole("endSystemMilliseconds", in: Self.milliseconds) ?? 0
        signalLevelDecibels = try whole("signalLevelDecibels", in: Self.levels)
        noiseLevelDecibels = try whole("noiseLevelDecibels", in: Self.levels)
        residualEchoReturnLossDecibels = try whole("residualEchoReturnLossDecibels", in: 0...255)
        rFactor = try whole("rFactor", in: 0...100)
        externalRFactor = try whole("externalRFactor", in: 0...100)
        listeningMOS = try reader.optionalNumber("listeningMOS", in: 1...5)
        conversationalMOS = try reader.optionalNumber("conversationalMOS", in: 1...5)
        lossConcealment = try reader.optionalChoice("lossConcealment", of: LossConcealment.self)
        isJitterBufferAdaptive = try reader.optionalTruth("isJitterBufferAdaptive")
        jitterBufferRate = try whole("jitterBufferRate", in: 0...15) ?? 0
        jitterBufferNominalMilliseconds = try whole("jitterBufferNominalMilliseconds", in: Self.milliseconds) ?? 0
        jitterBufferMaximumMilliseconds = try whole("jitterBufferMaximumMilliseconds", in: Self.milliseconds) ?? 0
        jitterBufferAbsoluteMaximumMilliseconds =
            try whole("jitterBufferAbsoluteMaximumMilliseconds", in: Self.milliseconds) ?? 0
    }
}
