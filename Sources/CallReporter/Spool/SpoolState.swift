/// What a spool knows of its entries, guarded by its lock.
struct SpoolState {
    /// No longer added to, oldest first.
    private(set) var segments: [SpoolSegment] = []
    /// The segment that is being sent; it does not give way.
    var sending: Int?
    private(set) var dropped = 0
    var trouble: String?
    var unread: String?

    /// Where entries are added; `nil` where none is open, or the disk has no room.
    private var file: LineFile?
    private var openNumber = 0
    private var openLines: [[UInt8]] = []
    private(set) var openBytes = 0
    /// Whether all open lines are in the file.
    private var isOpenOnDisk = true

    /// Entries that wait.
    var count: Int {
        segments.reduce(openLines.count) { $0 + $1.count }
    }

    /// Takes what an earlier process left.
    /// - Throws: ``FileError`` where nobody can tell what that is.
    mutating func recover(_ folder: SpoolFolder) throws(FileError) {
        let names = try folder.names()
        for name in names where name.hasSuffix(".part") { FileBytes.remove(folder.path(of: name)) }
        for name in names {
            guard let (number, count) = SpoolSegment.packed(named: name) else { continue }
            let bytes = FileBytes.length(of: folder.path(of: name))
            segments.append(SpoolSegment(number: number, count: count, bytes: bytes, place: .packed))
        }
        for name in names {
            guard let number = SpoolSegment.loose(named: name) else { continue }
            if segments.contains(where: { $0.number == number }) {
                // Packed already, and the process ended before this one was removed.
                FileBytes.remove(folder.path(of: name))
            } else {
                recover(loose: number, at: folder.path(of: name))
            }
        }
        segments.sort { $0.number < $1.number }
        openNumber = (segments.last?.number ?? 0) + 1
    }

    private mutating func recover(loose number: Int, at path: String) {
        do throws(FileError) {
            let lines = try LineFile.lines(of: path)
            guard !lines.isEmpty else { return FileBytes.remove(path) }
            let bytes = lines.reduce(0) { $0 + $1.count }
            segments.append(SpoolSegment(number: number, count: lines.count, bytes: bytes, place: .loose))
        } catch {
            unread = "\(error)"
            let bytes = FileBytes.length(of: path)
            segments.append(SpoolSegment(number: number, count: 0, bytes: bytes, place: .loose))
        }
    }

    mutating func add(_ line: [UInt8], _ folder: SpoolFolder?) {
        if let folder {
            do {
                let target = try file ?? LineFile(addingTo: folder.path(of: SpoolSegment.looseName(openNumber)))
                file = target
                try target.add(line)
                trouble = nil
            } catch {
                isOpenOnDisk = false
                trouble = "\(error)"
            }
        } else {
            isOpenOnDisk = false
        }
        openLines.append(line)
        openBytes += line.count + 1
    }

    /// What is open becomes a segment; nothing is added to it any more.
    mutating func close() {
        guard !openLines.isEmpty else { return }
        segments.append(
            SpoolSegment(
                number: openNumber, count: openLines.count, bytes: openBytes,
                place: isOpenOnDisk ? .loose : .lines(openLines)))
        openNumber += 1
        openLines = []
        openBytes = 0
        isOpenOnDisk = true
        file = nil
    }

    /// The oldest segment behind that of a number, which no longer gives way; what is open where there is no other.
    mutating func beginSending(after number: Int) -> SpoolSegment? {
        if !segments.contains(where: { $0.number > number }) { close() }
        let segment = segments.first { $0.number > number }
        sending = segment?.number
        return segment
    }

    /// Lets the oldest go until what is left is within the limits.
    mutating func makeRoom(_ limits: Spool.Limits, _ folder: SpoolFolder?) {
        while segments.reduce(openBytes, { $0 + $1.bytes }) > limits.mostBytes {
            guard let oldest = segments.first(where: { $0.number != sending }) else { return }
            drop(oldest.number, folder)
        }
        while segments.reduce(0, { $0 + $1.bytesInMemory }) > limits.mostBytesInMemory {
            guard let oldest = segments.first(where: { $0.bytesInMemory > 0 && $0.number != sending }) else { return }
            drop(oldest.number, folder)
        }
    }

    mutating func drop(_ number: Int, _ folder: SpoolFolder?) {
        dropped += segments.first { $0.number == number }?.count ?? 0
        remove(number, folder)
    }

    mutating func remove(_ number: Int, _ folder: SpoolFolder?) {
        guard let index = segments.firstIndex(where: { $0.number == number }) else { return }
        let segment = segments.remove(at: index)
        if sending == number { sending = nil }
        guard let folder else { return }
        FileBytes.remove(folder.path(of: SpoolSegment.looseName(number)))
        FileBytes.remove(folder.path(of: SpoolSegment.packedName(number, count: segment.count)))
    }

    /// Notes where a segment lies now that it is packed.
    mutating func replace(_ segment: SpoolSegment, _ trouble: String?, _ folder: SpoolFolder?) {
        guard let index = segments.firstIndex(where: { $0.number == segment.number }) else {
            // It gave way meanwhile.
            if let folder {
                FileBytes.remove(folder.path(of: SpoolSegment.packedName(segment.number, count: segment.count)))
            }
            return
        }
        segments[index] = segment
        if let trouble { self.trouble = trouble }
        if case .packed = segment.place, let folder {
            FileBytes.remove(folder.path(of: SpoolSegment.looseName(segment.number)))
        }
    }
}
