import CallModel

/// Writes an archive.
struct ArchiveWriter {
    private(set) var bytes: [UInt8] = []
    /// Where texts were written first, for a text is written once.
    private var places: [String: Int] = [:]
    /// Moments lie close together: each is written as its distance from the one before it.
    private var lastMoment: Int64 = 0

    init(expectedBytes: Int) {
        bytes.reserveCapacity(expectedBytes)
    }

    mutating func put(_ value: some Archivable) { value.write(to: &self) }

    mutating func put(_ first: some Archivable, _ second: some Archivable) {
        first.write(to: &self)
        second.write(to: &self)
    }

    mutating func put(_ first: some Archivable, _ second: some Archivable, _ third: some Archivable) {
        first.write(to: &self)
        second.write(to: &self)
        third.write(to: &self)
    }

    mutating func put(
        _ first: some Archivable, _ second: some Archivable, _ third: some Archivable, _ fourth: some Archivable
    ) {
        first.write(to: &self)
        second.write(to: &self)
        third.write(to: &self)
        fourth.write(to: &self)
    }

    // MARK: Parts

    @inline(__always)
    mutating func put(byte: UInt8) { bytes.append(byte) }

    mutating func put(unsigned value: UInt64) { VariableLength.append(value, to: &bytes) }
    mutating func put(signed value: Int64) { VariableLength.append(signed: value, to: &bytes) }

    mutating func put(bits: UInt64) {
        var rest = bits
        for _ in 0..<8 {
            bytes.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }

    mutating func put(moment: Int64) {
        put(signed: moment &- lastMoment)
        lastMoment = moment
    }

    /// A text that was written before, or that all archives know, is written as its number.
    mutating func put(text: String) {
        if let number = ArchiveNames.numbers[text] ?? places[text] {
            put(unsigned: UInt64(number) + 1)
            return
        }
        places[text] = ArchiveNames.all.count + places.count
        put(byte: 0)
        put(unsigned: UInt64(text.utf8.count))
        bytes += text.utf8
    }
}
