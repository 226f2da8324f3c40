/// Finds the clock rate of a stream without signalling, from how fast its timestamps run.
///
/// The sum of the timestamp steps over the sum of the arrival steps, over pairs with consecutive numbers, one payload type
/// and less than a second between them; the nearest of the rates in use, if it is within 8 %. While pairs are few it must
/// be a common one, for a stream often begins unevenly. What is then nearer to a rare one is not known yet: 44,100 is near
/// 48,000, and packets timed by the wrong one seem later and later. A sender that stands still now and then is slow for
/// long; of two rates that are near each other the one counts under which its usual step is a whole number of frames.
/// Packets that share a timestamp, as those of a video frame do, count once, with the arrival of the first.
public struct ClockInference: Hashable, Sendable {
    /// Rates in use by RTP payload formats, in ticks per second.
    public static let candidates = (common + rare).sorted()
    /// What nearly all formats with dynamic payload types use.
    static let common: [UInt32] = [8000, 16000, 48000, 90000]
    /// What some may use; the pace must then be beyond doubt.
    static let rare: [UInt32] = [11025, 12000, 22050, 24000, 32000, 44100]
    /// Fewer pairs are beyond doubt only where their pace is this near.
    static let exactTolerance = 0.01
    /// So many pairs are beyond doubt.
    static let certainPairs = 200
    /// Fewer pairs decide nothing.
    public static let minimumPairs = 8

    private var mediaTicks: UInt64 = 0
    private var arrivalSeconds = 0.0
    /// How many pairs were measured.
    public private(set) var pairs = 0
    private var anchorArrival: Int64 = 0
    private var anchorTimestamp: UInt32 = 0
    private var lastSequence: UInt16 = 0
    private var lastPayloadType: UInt8 = 0xff
    private var firstArrival: Int64?
    private var firstTimestamp: UInt32 = 0
    private var usualStep = PacketTimeEstimator()
    private var taken: UInt32 = 0
    /// How many packets were taken.
    public var packets: Int { Int(taken) }

    /// Nothing measured.
    public init() {}

    /// Takes the next packet, in the order of capture.
    public mutating func take(_ header: RTPHeader, arrival: ArrivalTime) {
        take(MeteredPacket(header, arrival: arrival, payloadBytes: 0, kind: .media))
    }

    mutating func take(_ packet: MeteredPacket) {
        let follows = packet.sequenceNumber == lastSequence &+ 1 && packet.payloadType == lastPayloadType
        taken &+= 1
        if firstArrival == nil { (firstArrival, firstTimestamp) = (packet.arrival, packet.timestamp) }
        lastSequence = packet.sequenceNumber
        lastPayloadType = packet.payloadType
        let step = packet.timestamp &- anchorTimestamp
        if follows {
            guard step != 0 else { return }
            let nanoseconds = packet.arrival &- anchorArrival
            if nanoseconds > 0, nanoseconds < RTPStreamMeter.second, step < 1 << 31 {
                mediaTicks &+= UInt64(step)
                arrivalSeconds += Double(nanoseconds) * 1e-9
                pairs += 1
                if !usualStep.confirm(step) { usualStep.vote(step) }
            }
        }
        anchorArrival = packet.arrival
        anchorTimestamp = packet.timestamp
    }

    /// Ticks per second from the first packet to the last, once they are so far apart that no delay matters.
    ///
    /// Helps where packets overtake each other so often that hardly two in a row are consecutive.
    private var hertzOverAll: Double? {
        guard let firstArrival else { return nil }
        let seconds = Double(anchorArrival &- firstArrival) * 1e-9
        guard seconds >= Self.longSpan, seconds < 3_600 else { return nil }
        return Double(anchorTimestamp &- firstTimestamp) / seconds
    }

    /// In seconds: a delay of 100 ms is then 1 %.
    private static let longSpan = 10.0

    /// Ticks per second as measured; nil with too few pairs.
    public var measuredHertz: Double? {
        pairs >= Self.minimumPairs ? Double(mediaTicks) / arrivalSeconds : nil
    }

    /// The clock; nil with too few pairs, or when no rate in use is near.
    public var clock: RTPClock? {
        if let rate = hertzOverAll.flatMap({ rate(near: $0, within: 0.02) }) {
            return RTPClock(hertz: rate, source: .inferred)
        }
        if let exactClock { return exactClock }
        guard let rate = measuredHertz.flatMap({ rate(near: $0, within: 0.08) }),
            pairs >= Self.certainPairs || Self.common.contains(rate)
        else { return nil }
        return RTPClock(hertz: rate, source: .inferred)
    }

    /// The clock that few pairs are sure of, also a rare one: the pace is that rate, a packet is a whole number of frames under
    /// it, and most packets came in order.
    var exactClock: RTPClock? {
        guard let rate = measuredHertz.flatMap({ rate(near: $0, within: Self.exactTolerance) }), isWhole(rate),
            2 * pairs >= packets
        else { return nil }
        return RTPClock(hertz: rate, source: .inferred)
    }

    /// The rate in use that is nearest, if it is within `tolerance`. Where the usual step is no whole number of frames
    /// under it, but one under its neighbour, it is the neighbour's: nil then unless that is within `tolerance`, too.
    private func rate(near measured: Double, within tolerance: Double) -> UInt32? {
        func offset(_ rate: UInt32) -> Double { abs(Double(rate) - measured) / Double(rate) }
        guard let nearest = Self.candidates.min(by: { offset($0) < offset($1) }), offset(nearest) < tolerance else {
            return nil
        }
        let neighbour = Self.candidates.first { $0 != nearest && abs(Double($0) / Double(nearest) - 1) < 0.1 }
        guard let neighbour, isWhole(neighbour), !isWhole(nearest) else { return nearest }
        return offset(neighbour) < tolerance ? neighbour : nil
    }

    /// Whether the usual step is a whole number of 2.5 ms under `rate`, the shortest frame of a codec in use
    /// ([RFC 6716, section 2](https://www.rfc-editor.org/rfc/rfc6716#section-2)): 960 ticks are 8 of them at 48,000 and no
    /// whole number at 44,100, 882 the other way round. Or whether it is a whole number of the 1,024 samples of a frame of AAC,
    /// which has its rate of samples for its clock ([RFC 3640, section 3.2.1](https://www.rfc-editor.org/rfc/rfc3640)).
    private func isWhole(_ rate: UInt32) -> Bool {
        guard usualStep.isKnown else { return false }
        return (UInt64(usualStep.ticks) * 400).isMultiple(of: UInt64(rate))
            || usualStep.ticks.isMultiple(of: Self.samplesOfAAC)
    }

    private static let samplesOfAAC: UInt32 = 1_024
}
