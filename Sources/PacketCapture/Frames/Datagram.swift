import RTPMeter

/// The fragments of one datagram so far.
struct Datagram {
    /// The longest content of an IP packet; a fragment that ends behind it is the "ping of death".
    static let maximumLength = 65_535

    enum Addition {
        case added
        /// The same bytes at the same place are there already.
        case copy
        /// It overlaps, ends behind the end, or moves the end.
        case contradiction
    }

    /// Tells it from an earlier datagram with the same key.
    let serial: Int
    let firstArrival: ArrivalTime
    /// Whether one with the same key was put together shortly before, so that its fragments are copies.
    let isOfCopies: Bool
    /// What it is; known once the first fragment is there.
    private(set) var number: UInt8?
    private(set) var byteCount = 0
    private(set) var isRefused = false
    /// In order of offset, never overlapping.
    private var pieces: [(offset: Int, bytes: [UInt8])] = []
    /// Known once the last fragment is there.
    private var length: Int?

    init(serial: Int, firstArrival: ArrivalTime, isOfCopies: Bool) {
        (self.serial, self.firstArrival, self.isOfCopies) = (serial, firstArrival, isOfCopies)
    }

    /// Whether no byte is missing. Pieces do not overlap and none ends behind the end, so counting is enough.
    var isComplete: Bool { byteCount == length }

    /// Whether something is missing where its rest never comes.
    var isMissed: Bool { !isRefused && !isOfCopies }

    /// Fragments of it that are kept.
    var pieceCount: Int { pieces.count }

    mutating func add(_ piece: FragmentPiece, _ bytes: RawSpan, _ range: Range<Int>) -> Addition {
        let end = piece.offset + range.count
        let index = pieces.firstIndex { $0.offset >= piece.offset } ?? pieces.count
        if index < pieces.count, isCopy(of: pieces[index], piece, bytes, range) { return .copy }
        let overlapsBefore = index > 0 && pieces[index - 1].offset + pieces[index - 1].bytes.count > piece.offset
        let overlapsAfter = index < pieces.count && end > pieces[index].offset
        guard end <= Self.maximumLength, pieces.count < FragmentTable.maximumPieces, !overlapsBefore, !overlapsAfter,
            fitsEnd(end, isLast: !piece.hasMore)
        else { return .contradiction }
        if !piece.hasMore { length = end }
        if piece.offset == 0 { number = piece.number }
        pieces.insert((piece.offset, bytes.copy(range)), at: index)
        byteCount += range.count
        return .added
    }

    /// The bytes of all fragments in order.
    func assembled() -> [UInt8] {
        var all: [UInt8] = []
        all.reserveCapacity(byteCount)
        for piece in pieces { all += piece.bytes }
        return all
    }

    /// Forgets the bytes but not that it was refused: later fragments must not begin it anew.
    mutating func refuse() {
        isRefused = true
        pieces = []
        byteCount = 0
    }

    private func isCopy(
        of known: (offset: Int, bytes: [UInt8]), _ piece: FragmentPiece, _ bytes: RawSpan, _ range: Range<Int>
    ) -> Bool {
        known.offset == piece.offset && known.bytes.count == range.count
            && range.allSatisfy { bytes.byte(at: $0) == known.bytes[$0 - range.lowerBound] }
    }

    /// Nothing lies behind the end, and there is only one end.
    private func fitsEnd(_ end: Int, isLast: Bool) -> Bool {
        if let length { return isLast ? end == length : end <= length }
        guard isLast, let last = pieces.last else { return true }
        return last.offset + last.bytes.count <= end
    }
}
