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
    /// The same without the setup, in which feedback comes more often until the bandwidth is known, and more pairs are checked; as
    /// long as there is none, what the last span of the setup had.
    private var laterRate: Double?
    private var isOfSetup = false
    private static let memory = 0.9

    /// Fewer packets than this are no evidence.
    static let leastExpected = 3.0
    /// Of those that would be missing if the path were down, fewer than this share may be missing while it is up.
    private static let upShare = 0.4
    /// A silence of less than this share of the span is lost in the ordinary ups and downs.
    static let leastShare = 0.25

    /// Takes the next span in which nothing was amiss.
    mutating func learn(packets: Double?, seconds: Double, isSetup: Bool = false) {
        guard let packets, seconds >= 0.9 else { return }
        let rate = packets / seconds
        usualRate = Self.next(after: usualRate, rate)
        laterRate = Self.next(after: isOfSetup ? nil : laterRate, rate)
        isOfSetup = isSetup
    }

    private static func next(after known: Double?, _ rate: Double) -> Double {
        known.map { max(rate, memory * $0 + (1 - memory) * rate) } ?? rate
    }

    /// Whether the path was up while a stream was silent for `silence` of `seconds`; `nil` when too little is known, as with fewer
    /// than `least` packets expected.
    ///
    /// Of a silence that the network caused, these packets are missing too. More are usual in the setup than later, so that only
    /// their absence tells of a path that is down as long as no other rate is known.
    /// Where sound is not even, since it may fall silent, less of them comes meanwhile: what is usual is the most that came, and that
    /// may be the setup.
    func state(
        packets: Double?, silence: Double, of seconds: Double, isEven: Bool = true, least: Double = leastExpected
    ) -> State? {
        guard let packets, let rate = isEven ? laterRate : usualRate else { return nil }
        let expected = rate * min(silence, seconds)
        guard expected >= least, silence >= Self.leastShare * seconds else { return nil }
        let missing = rate * seconds - packets
        if missing < Self.upShare * expected { return .up }
        let canBeDown = packets == 0 || !isEven || !isOfSetup
        return canBeDown && missing > (1 - Self.upShare) * expected ? .down : nil
    }
}

// MARK: - Archive

extension PathActivity {
    func write(to archive: inout ArchiveWriter) {
        archive.put(usualRate, laterRate, isOfSetup)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (usualRate, laterRate, isOfSetup) = try archive.get()
    }
}
