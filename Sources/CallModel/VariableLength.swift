// Whole numbers in as few bytes as they need, as several stores and spools keep them: seven bits a byte, the lowest first;
// the eighth says that more follow (LEB128). Of numbers with a sign, it goes into the lowest bit, so that those near 0 stay
// short.

extension [UInt8] {
    /// Appends a number: 1 to 10 bytes.
    @inlinable
    package mutating func append(variableLength number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }

    /// Appends a number of either sign: 1 to 10 bytes.
    @inlinable
    package mutating func append(variableLength number: Int64) {
        append(variableLength: UInt64(bitPattern: number << 1 ^ number >> 63))
    }
}

extension UInt64 {
    /// The number whose bytes `next` gives, one after another; `nil` when they do not end within 64 bits.
    /// - Throws: what `next` throws.
    @inlinable
    package init?<Failure>(variableLength next: () throws(Failure) -> UInt8) throws(Failure) {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            let byte = try next()
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 {
                self = number
                return
            }
        }
        return nil
    }
}

extension Int64 {
    /// As ``Swift/UInt64/init(variableLength:)``, of a number of either sign.
    @inlinable
    package init?<Failure>(variableLength next: () throws(Failure) -> UInt8) throws(Failure) {
        guard let bits = try UInt64(variableLength: next) else { return nil }
        self = Int64(bitPattern: bits >> 1) ^ -Int64(bitPattern: bits & 1)
    }
}
