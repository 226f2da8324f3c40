import CallModel

/// The streams of a record, in the order in which they were first told of.
struct StreamList: MutableCollection, RandomAccessCollection, Archivable {
    private var records: [StreamRecord] = []
    /// Where each is, once there are many.
    private var places: [StreamKey: Int] = [:]

    /// More are not followed: every report costs something for each.
    static let most = 1_000
    /// So few are found as fast by looking at them.
    private static let few = 32

    var startIndex: Int { records.startIndex }
    var endIndex: Int { records.endIndex }
    var isFull: Bool { records.count >= Self.most }

    subscript(place: Int) -> StreamRecord {
        // Written into who reads: by itself it would copy the record, for one member of it.
        @inline(__always)
        _read { yield records[place] }
        _modify { yield &records[place] }
    }

    mutating func append(_ record: StreamRecord) {
        records.append(record)
        index()
    }

    /// The place of a stream; `nil` when there is none. One report names them in the order of the one before, so the next is
    /// mostly where it is expected.
    func index(of key: StreamKey, near place: Int) -> Int? {
        if place < records.count, records[place].stream == key { return place }
        return records.count > Self.few ? places[key] : records.indices.first { records[$0].stream == key }
    }

    private mutating func index() {
        guard records.count > Self.few else { return }
        for place in places.count..<records.count { places[records[place].stream] = place }
    }
}

// MARK: - Archive

extension StreamList {
    func write(to archive: inout ArchiveWriter) { archive.put(records) }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        records = try archive.get()
        index()
    }
}
