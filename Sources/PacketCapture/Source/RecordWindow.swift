public import RTPMeter

/// Whole records in a piece of a capture file: the hot part of reading, to be compiled into the caller's loop.
///
/// Apart from ``FrameSource``, which owns the memory and puts the pieces there, because only what has no `deinit` can be
/// looked into from another module.
@safe @usableFromInline struct RecordWindow {
    @usableFromInline let records: PlainRecords
    /// What the frame given last begins with; nil for what cannot be decoded.
    @usableFromInline var linkType: LinkType?
    /// The memory, of which `position..<filled` are unread; nil when libpcap reads.
    @usableFromInline private(set) var start: UnsafeRawPointer?
    @usableFromInline var position = 0
    @usableFromInline private(set) var filled = 0
    /// Where the record lies that is looked at next in advance; not before `position` unless frames were just put here.
    @usableFromInline var ahead = 0

    /// Nothing yet of such records.
    init(_ records: PlainRecords, linkType: LinkType) {
        self.records = records
        self.linkType = linkType
    }

    /// How many bytes are unread.
    var unread: Int { filled - position }

    /// Looks at the first bytes of a memory, which has to stay until it is told otherwise.
    mutating func show(_ filled: Int, bytesAt start: UnsafeRawPointer?) {
        unsafe self.start = unsafe start
        (position, self.filled, ahead) = (0, filled, 0)
    }

    /// How many frames lie between the one given last and the one that ``coming()`` shows.
    @usableFromInline static let distance = 16

    /// What was captured of a frame that comes soon, ``distance`` frames after the one given last; nothing if it is not
    /// here.
    @inlinable
    @inline(__always)
    mutating func coming() -> UnsafeRawBufferPointer {
        if ahead <= position { catchUp() }
        return unsafe nextAhead() ?? UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// Begins anew to look in advance.
    @usableFromInline
    mutating func catchUp() {
        ahead = position
        for _ in 1..<Self.distance where unsafe nextAhead() == nil { return }
    }

    @inlinable
    @inline(__always)
    mutating func nextAhead() -> UnsafeRawBufferPointer? {
        let available = filled &- ahead &- PlainRecords.headerLength
        guard available >= 0, let start = unsafe start else { return nil }
        let record = unsafe start + ahead
        let captured = unsafe records.number(record.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
        guard captured <= records.snapLength, Int(captured) <= available else { return nil }
        ahead &+= PlainRecords.headerLength &+ Int(captured)
        return unsafe UnsafeRawBufferPointer(start: record + PlainRecords.headerLength, count: Int(captured))
    }

    /// The next frame; nil if it is not whole here, or something is odd about it.
    @inlinable
    @inline(__always)
    mutating func next() -> LentFrame? {
        let available = filled &- position &- PlainRecords.headerLength
        guard available >= 0, let start = unsafe start else { return nil }
        let record = unsafe start + position
        let seconds = unsafe records.number(record.loadUnaligned(as: UInt32.self))
        let ticks = unsafe records.number(record.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        let captured = unsafe records.number(record.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
        let length = unsafe records.number(record.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
        // libpcap has its own way with more than 2³¹ parts of a second.
        guard captured <= records.snapLength, Int(captured) <= available, ticks >> 31 == 0 else { return nil }
        position &+= PlainRecords.headerLength &+ Int(captured)
        let bytes = unsafe UnsafeRawBufferPointer(start: record + PlainRecords.headerLength, count: Int(captured))
        let nanoseconds = Int64(seconds) &* 1_000_000_000 &+ Int64(ticks) &* records.nanosecondsPerTick
        return unsafe LentFrame(bytes, length: length, time: ArrivalTime(nanoseconds: nanoseconds))
    }
}
