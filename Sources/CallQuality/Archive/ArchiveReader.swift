import CallModel

/// Reads an archive.
struct ArchiveReader {
    private let bytes: [UInt8]
    private(set) var position = 0
    /// The texts that this archive holds, in the order in which they were written first.
    private var texts: [String] = []
    private var lastMoment: Int64 = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func get<T: Archivable>() throws(ArchiveError) -> T { try T(from: &self) }

    mutating func get<T: Archivable, U: Archivable>() throws(ArchiveError) -> (T, U) {
        (try T(from: &self), try U(from: &self))
    }

    mutating func get<T: Archivable, U: Archivable, V: Archivable>() throws(ArchiveError) -> (T, U, V) {
        (try T(from: &self), try U(from: &self), try V(from: &self))
    }

    mutating func get<T: Archivable, U: Archivable, V: Archivable, W: Archivable>() throws(ArchiveError) -> (
        T, U, V, W
    ) {
        (try T(from: &self), try U(from: &self), try V(from: &self), try W(from: &self))
    }

    // MARK: Parts

    @inline(__always)
    mutating func byte() throws(ArchiveError) -> UInt8 {
        guard position < bytes.count else { throw ArchiveError() }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func unsigned() throws(ArchiveError) -> UInt64 {
        guard let value = try VariableLength.number({ () throws(ArchiveError) in try byte() }) else {
            throw ArchiveError()
        }
        return value
    }

    mutating func signed() throws(ArchiveError) -> Int64 {
        guard let value = try VariableLength.signed({ () throws(ArchiveError) in try byte() }) else {
            throw ArchiveError()
        }
        return value
    }

    mutating func bits() throws(ArchiveError) -> UInt64 {
        var bits: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 8) { bits |= UInt64(try byte()) << shift }
        return bits
    }

    mutating func moment() throws(ArchiveError) -> Int64 {
        lastMoment &+= try signed()
        return lastMoment
    }

    /// The number of parts that follow; each takes a byte at least.
    mutating func count() throws(ArchiveError) -> Int {
        let count = try unsigned()
        guard count <= bytes.count - position else { throw ArchiveError() }
        return Int(count)
    }

    mutating func text() throws(ArchiveError) -> String {
        let number = try unsigned()
        guard number == 0 else { return try text(number: number - 1) }
        let length = try count()
        let text = String(decoding: bytes[position..<position + length], as: UTF8.self)
        position += length
        texts.append(text)
        return text
    }

    private func text(number: UInt64) throws(ArchiveError) -> String {
        let known = ArchiveNames.all
        guard number < known.count + texts.count else { throw ArchiveError() }
        return number < known.count ? known[Int(number)] : texts[Int(number) - known.count]
    }
}
