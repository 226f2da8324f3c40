/// Finds the clock rate of a stream without signalling, from how fast its timestamps run.
///
/// The sum of the timestamp steps over the sum of the arrival steps, over pairs with consecutive numbers, one payload type
/// and less than a second between them; the nearest of the rates in use, if it is within 8 %. While pairs are few it must
/// be a common one, for a stream often begins unevenly. What is then nearer to a rare one is not known yet: 44,100 is near
/// 48,000, and packets timed by the wrong one seem later and later. Packets that share a timestamp, as those of a video
/// frame do, count once, with the arrival of the first.
public struct ClockInference: Hashable, Sendable {
    /// Rates in use by RTP payload formats, in ticks per second.
    public static let candidates = (common + rare).sorted()
    /// What nearly all formats with dynamic payload types use.
    static let common: [UInt32] = [8000, 16000, 48000, 90000]
    /// What some may use; the pace must then be beyond doubt.
    static let rare: [UInt32] = [11025, 12000, 22050, 24000, 32000, 44100]
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

    /// Nothing measured.
    public init() {}

    /// Takes the next packet, in the order of capture.
    public mutating func take(_ header: RTPHeader, arrival: ArrivalTime) {
        let follows =
            header.sequenceNumber == lastSequence &+ 1 && header.payloadType == lastPayloadType
        if firstArrival == nil { (firstArrival, firstTimestamp) = (arrival.nanoseconds, header.timestamp) }
        lastSequence = header.sequenceNumber
        lastPayloadType = header.payloadType
        let step = header.timestamp &- anchorTimestamp
        if follows {
            guard step != 0 else { return }
            let nanoseconds = arrival.nanoseconds &- anchorArrival
            if nanoseconds > 0, nanoseconds < RTPStreamMeter.second, step < 1 << 31 {
                mediaTicks &+= UInt64(step)
                arrivalSeconds += Double(nanoseconds) * 1e-9
                pairs += 1
            }
        }
        anchorArrival = arrival.nanoseconds
        anchorTimestamp = header.timestamp
    }

    /// The rate from the first packet to the last, once they are so far apart that no delay matters, if one fits closely.
    ///
    /// Helps where packets overtake each other so often that hardly two in a row are consecutive.
    private var rateOverAll: UInt32? {
        guard let firstArrival else { return nil }
        let seconds = Double(anchorArrival &- firstArrival) * 1e-9
        guard seconds >= Self.longSpan, seconds < 3_600 else { return nil }
        let measured = Double(anchorTimestamp &- firstTimestamp) / seconds
        return Self.candidates.first { abs(Double($0) - measured) < 0.02 * Double($0) }
    }

    /// In seconds: a delay of 100 ms is then 1 %.
    private static let longSpan = 10.0

    /// Ticks per second as measured; nil with too few pairs.
    public var measuredHertz: Double? {
        pairs >= Self.minimumPairs ? Double(mediaTicks) / arrivalSeconds : nil
    }

    /// The clock; nil with too few pairs, or when no rate in use is near.
    public var clock: RTPClock? {
        if let rate = rateOverAll { return RTPClock(hertz: rate, source: .inferred) }
        guard let measured = measuredHertz else { return nil }
        let offsets = Self.candidates.map { abs(Double($0) - measured) / Double($0) }
        guard let (rate, offset) = zip(Self.candidates, offsets).min(by: { $0.1 < $1.1 }), offset < 0.08,
            pairs >= Self.certainPairs || Self.common.contains(rate)
        else { return nil }
        return RTPClock(hertz: rate, source: .inferred)
    }
}
