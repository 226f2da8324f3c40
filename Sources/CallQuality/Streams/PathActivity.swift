/// What arrives over a connection beside media: RTCP of the far end and ICE checks. They come evenly while the path is up,
/// whether or not anybody sends media, and stop when it is down.
struct PathActivity: Archivable {
    /// What the path was while a stream was silent.
    enum State {
        case up, down
    }

    /// Such packets a second while nothing was amiss: more of them follows at once, less slowly. A far end answers what is
    /// sent to it, which is less when this end is silent, and that must not make an outage look like the usual.
    private var usualRate: Double?
    /// Whether it is the rate of the setup: feedback comes more often until the bandwidth is known, and more pairs are checked.
    private var isOfSetup = false
    private static let memory = 0.9

    /// Fewer packets than this are no evidence.
    static let leastExpected = 3.0
    /// Of those that would be missing if the path were down, fewer than this share may be missing while it is up.
    private static let upShare = 0.4
    /// A silence of less than this share of the span is lost in the ordinary ups and downs.
    static let leastShare = 0.25

    /// Takes the next span in which nothing was amiss. In the setup the last one tells, and what is usual later takes its place.
    mutating func learn(packets: Double?, seconds: Double, isSetup: Bool = false) {
        guard let packets, seconds >= 0.9 else { return }
        let rate = packets / seconds
        let known = isOfSetup ? nil : usualRate
        usualRate = known.map { max(rate, Self.memory * $0 + (1 - Self.memory) * rate) } ?? rate
        isOfSetup = isSetup
    }

    /// Whether the path was up while a stream was silent for `silence` of `seconds`; `nil` when too little is known.
    ///
    /// Of a silence that the network caused, these packets are missing too. More are usual in the setup than later, so that only
    /// their absence tells of a path that is down as long as no other rate is known.
    func state(packets: Double?, silence: Double, of seconds: Double, least: Double = leastExpected) -> State? {
        guard let packets, let usualRate else { return nil }
        let expected = usualRate * min(silence, seconds)
        guard expected >= least, silence >= Self.leastShare * seconds else { return nil }
        let missing = usualRate * seconds - packets
        if missing < Self.upShare * expected { return .up }
        return missing > (1 - Self.upShare) * expected && (packets == 0 || !isOfSetup) ? .down : nil
    }
}

// MARK: - Archive

extension PathActivity {
    func write(to archive: inout ArchiveWriter) {
        archive.put(usualRate, isOfSetup)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (usualRate, isOfSetup) = try archive.get()
    }
}
