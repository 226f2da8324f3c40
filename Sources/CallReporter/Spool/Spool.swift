import Deflate
import Synchronization

/// Entries that wait to be sent, oldest first, on disk as far as the disk has them.
///
/// An entry that was added survives the end of this process. Entries are confirmed a segment at a time: one that was sent
/// but not confirmed is sent again, which collectors know.
///
/// A class, for who adds and who sends share it. One of them only sends.
final class Spool: Sendable {
    /// How much it keeps.
    struct Limits: Hashable, Sendable {
        /// On disk and in memory.
        var mostBytes = 16 << 20
        /// In memory, while the disk has no room for it.
        var mostBytesInMemory = 1 << 20
        /// Lines in a segment: a request takes a fraction of what collectors accept.
        var bytesInSegment = 256 << 10
    }

    /// What it holds, and what it had to let go.
    struct Figures: Hashable, Sendable {
        var waiting = 0
        /// Entries that gave way to younger ones.
        var dropped = 0
        /// Why entries are in memory only; `nil` while they are on disk.
        var trouble: String?
        /// Why entries on disk can be neither sent nor counted for now; `nil` while all can be read.
        var unread: String?
    }

    private let folder: SpoolFolder?
    private let limits: Limits
    private let state: Mutex<SpoolState>

    /// Takes the folder with what an earlier process left in it. Where that is not possible everything is in memory.
    init(folder path: String, limits: Limits = Limits()) {
        self.limits = limits
        var state = SpoolState()
        do {
            let folder = try SpoolFolder(path)
            try state.recover(folder)
            self.folder = folder
        } catch {
            state.trouble = "\(error)"
            folder = nil
        }
        self.state = Mutex(state)
    }

    var figures: Figures {
        state.withLock {
            Figures(waiting: $0.count, dropped: $0.dropped, trouble: $0.trouble, unread: $0.unread)
        }
    }

    /// Adds an entry. Where there is no room the oldest segment gives way.
    func add(_ entry: ReportEntry) {
        state.withLock { state in
            state.add(entry.line, folder)
            if state.openBytes >= limits.bytesInSegment { state.close() }
            state.makeRoom(limits, folder)
        }
    }

    /// The oldest entries that can be read, ready to be sent; `nil` where nothing waits, or nothing can be read
    /// (``Figures/unread``). The same ones until they are confirmed.
    func next() -> SpoolBatch? {
        var last = Int.min
        state.withLock { $0.unread = nil }
        while let segment = state.withLock({ $0.beginSending(after: last) }) {
            do throws(FileError) {
                if let batch = try batch(of: segment) { return batch }
                // Its file is gone or damaged.
                state.withLock { $0.drop(segment.number, folder) }
            } catch {
                // Too many files are open, or the disk fails: that may pass, and holds up nobody.
                state.withLock { $0.unread = "\(error)" }
            }
            last = segment.number
        }
        return nil
    }

    /// Forgets the entries of a batch: they were taken, or never will be.
    func confirm(_ batch: SpoolBatch) {
        state.withLock { $0.remove(batch.number, folder) }
    }

    /// Compresses what is not added to any more, so that more of it has room while nothing can be sent.
    func pack() {
        let loose = state.withLock { state in state.segments.filter { !$0.isPacked } }
        for segment in loose { _ = try? batch(of: segment) }
    }

    // MARK: Segments, outside the lock

    /// - Returns: `nil` where what was kept of it is gone or damaged.
    /// - Throws: ``FileError`` where it cannot be read.
    private func batch(of segment: SpoolSegment) throws(FileError) -> SpoolBatch? {
        switch segment.place {
        case .body(let body): return SpoolBatch(number: segment.number, count: segment.count, body: body)
        case .lines(let lines): return packed(segment, lines)
        case .loose:
            guard let lines = try read(SpoolSegment.looseName(segment.number), LineFile.lines) else { return nil }
            return packed(segment, lines)
        case .packed:
            let name = SpoolSegment.packedName(segment.number, count: segment.count)
            guard let body = try read(name, FileBytes.read), !body.isEmpty else { return nil }
            return SpoolBatch(number: segment.number, count: segment.count, body: body)
        }
    }

    /// - Returns: `nil` where there is no such file.
    private func read<Content>(
        _ name: String, _ reader: (String) throws(FileError) -> Content
    ) throws(FileError) -> Content? {
        guard let folder else { return nil }
        do throws(FileError) {
            return try reader(folder.path(of: name))
        } catch  where error.isAbsence {
            return nil
        }
    }

    private func packed(_ segment: SpoolSegment, _ lines: [[UInt8]]) -> SpoolBatch? {
        guard !lines.isEmpty else { return nil }
        let batch = SpoolBatch(number: segment.number, lines: lines)
        var result = segment
        result.count = lines.count
        result.bytes = batch.body.count
        result.place = .body(batch.body)
        var trouble: String?
        if let folder {
            do {
                let name = SpoolSegment.packedName(segment.number, count: lines.count)
                try FileBytes.replace(folder.path(of: name), with: batch.body)
                result.place = .packed
            } catch {
                trouble = "\(error)"
                // It stays as it was, if it is on disk at all.
                if case .loose = segment.place { return batch }
            }
        }
        state.withLock { $0.replace(result, trouble, folder) }
        return batch
    }
}
