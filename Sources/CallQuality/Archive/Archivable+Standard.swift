import CallModel

extension Bool: Archivable {
    func write(to archive: inout ArchiveWriter) { archive.put(byte: self ? 1 : 0) }
    init(from archive: inout ArchiveReader) throws(ArchiveError) { self = try archive.byte() != 0 }
}

extension Int: Archivable {
    func write(to archive: inout ArchiveWriter) { archive.put(signed: Int64(self)) }
    init(from archive: inout ArchiveReader) throws(ArchiveError) { self = Int(try archive.signed()) }
}

extension Int64: Archivable {
    func write(to archive: inout ArchiveWriter) { archive.put(signed: self) }
    init(from archive: inout ArchiveReader) throws(ArchiveError) { self = try archive.signed() }
}

extension Int32: Archivable {
    func write(to archive: inout ArchiveWriter) { archive.put(signed: Int64(self)) }
    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self = Int32(truncatingIfNeeded: try archive.signed())
    }
}

extension UInt32: Archivable {
    func write(to archive: inout ArchiveWriter) { archive.put(unsigned: UInt64(self)) }
    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self = UInt32(truncatingIfNeeded: try archive.unsigned())
    }
}

extension String: Archivable {
    func write(to archive: inout ArchiveWriter) { archive.put(text: self) }
    init(from archive: inout ArchiveReader) throws(ArchiveError) { self = try archive.text() }
}

/// One byte for what is most frequent: nothing, and small whole numbers. Other whole numbers take few, the rest nine.
extension Double: Archivable {
    private static let missing: UInt8 = 0
    private static let exact: UInt8 = 1
    private static let whole: UInt8 = 2
    private static let firstSmall: UInt8 = 3

    func write(to archive: inout ArchiveWriter) {
        let whole = abs(self) < 9_007_199_254_740_992 ? Int64(self) : 0
        // The bits, for -0 is another number than 0 to whoever divides by it.
        guard Double(whole).bitPattern == bitPattern else {
            archive.put(byte: Self.exact)
            return archive.put(bits: bitPattern)
        }
        if whole >= 0, whole <= Int64(UInt8.max - Self.firstSmall) {
            return archive.put(byte: Self.firstSmall + UInt8(whole))
        }
        archive.put(byte: Self.whole)
        archive.put(signed: whole)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        guard let value = try Self.readOptional(from: &archive) else { throw ArchiveError() }
        self = value
    }

    static func write(_ value: Double?, to archive: inout ArchiveWriter) {
        guard let value else { return archive.put(byte: missing) }
        value.write(to: &archive)
    }

    static func readOptional(from archive: inout ArchiveReader) throws(ArchiveError) -> Double? {
        switch try archive.byte() {
        case missing: nil
        case exact: Double(bitPattern: try archive.bits())
        case whole: Double(try archive.signed())
        case let small: Double(small - firstSmall)
        }
    }
}

extension Optional: Archivable where Wrapped: Archivable {
    func write(to archive: inout ArchiveWriter) { Wrapped.write(self, to: &archive) }
    init(from archive: inout ArchiveReader) throws(ArchiveError) { self = try Wrapped.readOptional(from: &archive) }
}

extension Array: Archivable where Element: Archivable {
    func write(to archive: inout ArchiveWriter) {
        archive.put(unsigned: UInt64(count))
        for element in self { element.write(to: &archive) }
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self = []
        let count = try archive.count()
        reserveCapacity(count)
        for _ in 0..<count { append(try Element(from: &archive)) }
    }
}

extension Set: Archivable where Element: Archivable {
    func write(to archive: inout ArchiveWriter) {
        archive.put(unsigned: UInt64(count))
        for element in self { element.write(to: &archive) }
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        let count = try archive.count()
        self.init(minimumCapacity: count)
        for _ in 0..<count { insert(try Element(from: &archive)) }
    }
}

extension Dictionary: Archivable where Key: Archivable, Value: Archivable {
    func write(to archive: inout ArchiveWriter) {
        archive.put(unsigned: UInt64(count))
        for (key, value) in self { archive.put(key, value) }
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        let count = try archive.count()
        self.init(minimumCapacity: count)
        for _ in 0..<count {
            let (key, value): (Key, Value) = try archive.get()
            self[key] = value
        }
    }
}

/// Vocabularies are written as their texts.
extension Archivable where Self: RawRepresentable, RawValue == String {
    func write(to archive: inout ArchiveWriter) { archive.put(text: rawValue) }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        guard let value = Self(rawValue: try archive.text()) else { throw ArchiveError() }
        self = value
    }
}
