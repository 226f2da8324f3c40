import CallModel
import Foundation

/// Keeps the facts of calls that still go on out of memory.
///
/// They are appended in a compact form (``FactWriter``) to a buffer, and what does not fit into the buffer to a
/// temporary file, which is made when it is first needed. Of a call only its ``Chain`` stays with the caller. The space
/// of a call that is over is used again when no call is left; until then the file grows, by a few hundred bytes a fact.
struct FactSpool: ~Copyable {
    /// The facts of a call, from the last to the first: each knows where the one before it lies.
    struct Chain: Hashable {
        fileprivate var last = Place()
        fileprivate var count: UInt32 = 0
    }

    /// Where a fact lies.
    struct Place: Hashable {
        fileprivate var offset: Int = 0
        fileprivate var length: UInt32 = 0
    }

    /// A fact that can be read back, and what is known of it without.
    struct Entry {
        let observer: ObserverID
        let key: FactKey
        let place: Place
    }

    private let folder: String
    private let bufferBytes: Int
    private var buffer = FactWriter()
    private var file: SpoolFile?
    /// Bytes in the file, which all lie before those in the buffer.
    private var written = 0
    /// Facts of calls that were not forgotten.
    private var count = 0

    /// - Parameters:
    ///   - folder: where a temporary file may be made; `nil` for the folder that the system has for such (`TMPDIR`).
    ///   - bufferBytes: how much is kept in memory before the file is used.
    init(folder: String?, bufferBytes: Int) {
        self.folder = folder ?? FileManager.default.temporaryDirectory.path
        self.bufferBytes = bufferBytes
    }

    /// Keeps a fact of one end's record of a call.
    mutating func append(_ fact: Fact, observer: ObserverID, to chain: inout Chain) throws(FactSpoolError) {
        if buffer.count == 0 { buffer.reserve(bufferBytes) }
        if buffer.count >= bufferBytes { try flush() }
        let start = buffer.count
        let offset = written + start
        buffer.put(Int(chain.last.length))
        buffer.put(offset - chain.last.offset)
        buffer.put(observer.rawValue)
        buffer.put(fact.key)
        buffer.put(fact)
        chain.last = Place(offset: offset, length: UInt32(buffer.count - start))
        chain.count += 1
        count += 1
    }

    /// What there is of a call, in the order in which it came.
    func entries(of chain: Chain) throws(FactSpoolError) -> [Entry] {
        var entries: [Entry] = []
        entries.reserveCapacity(Int(chain.count))
        var place = chain.last
        for _ in 0..<chain.count {
            var reader = try reader(at: place)
            try read { () throws(FactReader.Damage) in
                let length = try reader.int()
                let offset = place.offset &- (try reader.int())
                entries.append(
                    Entry(observer: ObserverID(rawValue: try reader.text()), key: try reader.key(), place: place))
                place = Place(offset: offset, length: UInt32(clamping: length))
            }
        }
        entries.reverse()
        return entries
    }

    /// Reads a fact back.
    func fact(_ entry: Entry) throws(FactSpoolError) -> Fact {
        var reader = try reader(at: entry.place)
        return try read { () throws(FactReader.Damage) in
            _ = (try reader.int(), try reader.int(), try reader.text(), try reader.key())
            return try reader.fact()
        }
    }

    /// Forgets the facts of a call.
    mutating func forget(_ chain: Chain) {
        count -= Int(chain.count)
        guard count == 0 else { return }
        buffer.removeAll()
        file?.empty()
        written = 0
    }

    // MARK: Memory and file

    private mutating func flush() throws(FactSpoolError) {
        if file == nil { file = try SpoolFile(in: folder) }
        try file?.append(buffer.bytes)
        written += buffer.count
        buffer.removeAll()
    }

    private func reader(at place: Place) throws(FactSpoolError) -> FactReader {
        if place.offset >= written { return FactReader(buffer.bytes, from: place.offset - written) }
        return FactReader(try file?.bytes(at: place.offset, count: Int(place.length)) ?? [], from: 0)
    }

    private func read<Value>(_ body: () throws(FactReader.Damage) -> Value) throws(FactSpoolError) -> Value {
        do {
            return try body()
        } catch {
            throw .cannotRead(folder: folder, reason: "what is in it was not written by this program")
        }
    }
}
