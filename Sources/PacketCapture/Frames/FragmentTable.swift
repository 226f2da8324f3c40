import RTPMeter

/// What a fragment says of itself.
struct FragmentPiece: Hashable {
    /// Common to the fragments of a datagram: 16 bits in IPv4, 32 in IPv6.
    var identification: UInt32
    /// Where its bytes belong in the datagram.
    var offset: Int
    /// Whether it is not the last.
    var hasMore: Bool
    /// What the datagram is, from the first fragment: an IP protocol number.
    var number: UInt8
}

/// Fragments of datagrams that are not complete yet.
///
/// Everything here is bounded, for anyone can send fragments: ``maximumDatagrams``, ``maximumBytes`` in all,
/// ``maximumPieces`` and 65,535 bytes a datagram, ``maximumAge``. Whoever comes when it is full displaces the oldest.
/// Overlapping fragments are refused together with their datagram
/// ([RFC 5722](https://www.rfc-editor.org/rfc/rfc5722),
/// [RFC 8200 §4.5](https://www.rfc-editor.org/rfc/rfc8200#section-4.5)); an exact copy of a fragment is ignored, since
/// networks and mirrors do duplicate.
struct FragmentTable {
    static let maximumDatagrams = 1024
    static let maximumBytes = 4 << 20
    static let maximumPieces = 128
    /// Seconds from the first fragment that arrives; RFC 8200 §4.5 allows 60, RFC 791 begins with 15.
    static let maximumAge = 30.0

    /// Datagrams by what became of them.
    struct Fates: Hashable, Sendable {
        /// Put together.
        var assembled = 0
        /// Given up after ``maximumAge``: a fragment was lost.
        var expired = 0
        /// Given up to make room: fragments come faster than they complete.
        var displaced = 0
        /// Refused, because fragments overlap or contradict each other.
        var refused = 0
    }

    /// What became of one fragment.
    enum Outcome {
        /// The rest is missing. Also an exact copy of one that is kept.
        case kept
        /// It was the last one missing: what the datagram is, and its bytes.
        case complete(number: UInt8, bytes: [UInt8])
        /// Its datagram is refused.
        case refused
    }

    struct Key: Hashable {
        var source: IPAddress
        var destination: IPAddress
        var identification: UInt32
        /// IPv4 tells datagrams of different protocols apart (RFC 791 §3.2); 0 for IPv6, whose header may differ.
        var number: UInt8
    }

    private(set) var fates = Fates()
    /// Fragments that were kept for datagrams that expired or were displaced: their rest never came.
    private(set) var strandedPieces = 0
    private var datagrams: [Key: Datagram] = [:]
    /// In order of arrival; entries whose serial is not that of the datagram any more are done.
    private var queue: [(key: Key, serial: Int)] = []
    private var queueHead = 0
    private var nextSerial = 0
    private var heldBytes = 0
    /// When the latest ones were put together, and those before: a mirror brings copies of their last fragments behind that.
    private var completed: [Key: ArrivalTime] = [:]
    private var completedBefore: [Key: ArrivalTime] = [:]

    /// Takes the bytes at `range` of a frame as one fragment.
    mutating func take(
        _ piece: FragmentPiece, key: Key, _ bytes: RawSpan, _ range: Range<Int>, at time: ArrivalTime
    ) -> Outcome {
        forgetExpired(at: time)
        var datagram = datagrams[key] ?? begin(key, at: time)
        guard !datagram.isRefused else { return .refused }
        switch datagram.add(piece, bytes, range) {
        case .copy:
            return .kept
        case .contradiction:
            heldBytes -= datagram.byteCount
            datagram.refuse()
            datagrams[key] = datagram
            fates.refused += 1
            return .refused
        case .added:
            heldBytes += range.count
        }
        if let number = datagram.number, datagram.isComplete {
            remove(key, datagram)
            noteCompleted(key, at: time)
            fates.assembled += 1
            return .complete(number: number, bytes: datagram.assembled())
        }
        datagrams[key] = datagram
        makeRoom()
        return .kept
    }

    /// Whether fragments of a datagram are kept and the rest has not come, and is no copy's.
    func isMissing(restOf key: Key) -> Bool { datagrams[key]?.isMissed ?? false }

    private mutating func begin(_ key: Key, at time: ArrivalTime) -> Datagram {
        // Entries that are done lie behind one that waits: from time to time they are cleared away.
        if queue.count >= 4 * Self.maximumDatagrams {
            queue = queue[queueHead...].filter { datagrams[$0.key]?.serial == $0.serial }
            queueHead = 0
        }
        nextSerial += 1
        queue.append((key, nextSerial))
        let last = completed[key] ?? completedBefore[key]
        return Datagram(
            serial: nextSerial, firstArrival: time,
            isOfCopies: last.map { abs(time.seconds(since: $0)) <= Self.maximumAge } ?? false)
    }

    private mutating func noteCompleted(_ key: Key, at time: ArrivalTime) {
        if completed.count >= Self.maximumDatagrams { (completedBefore, completed) = (completed, [:]) }
        completed[key] = time
    }

    private mutating func remove(_ key: Key, _ datagram: Datagram) {
        datagrams[key] = nil
        heldBytes -= datagram.byteCount
    }

    private mutating func forgetExpired(at time: ArrivalTime) {
        while let (key, datagram) = oldest(), abs(time.seconds(since: datagram.firstArrival)) > Self.maximumAge {
            if datagram.isMissed { fates.expired += 1 }
            strand(key, datagram)
        }
    }

    private mutating func makeRoom() {
        while datagrams.count > Self.maximumDatagrams || heldBytes > Self.maximumBytes, let (key, datagram) = oldest() {
            if datagram.isMissed { fates.displaced += 1 }
            strand(key, datagram)
        }
    }

    /// Gives up all that waits: nothing more will come.
    mutating func giveUp() {
        while let (key, datagram) = oldest() {
            if datagram.isMissed { fates.expired += 1 }
            strand(key, datagram)
        }
    }

    private mutating func strand(_ key: Key, _ datagram: Datagram) {
        if datagram.isMissed { strandedPieces += datagram.pieceCount }
        remove(key, datagram)
    }

    /// The datagram that began first; entries of the queue that are done are dropped on the way.
    private mutating func oldest() -> (Key, Datagram)? {
        while queueHead < queue.count {
            let entry = queue[queueHead]
            if let datagram = datagrams[entry.key], datagram.serial == entry.serial { return (entry.key, datagram) }
            queueHead += 1
        }
        queue.removeAll(keepingCapacity: true)
        queueHead = 0
        return nil
    }
}
