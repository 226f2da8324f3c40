/// Whole numbers in as few bytes as they need, as stores and spools keep them: seven bits a byte, the lowest first; the
/// eighth says that more follow (LEB128). Of numbers with a sign, it goes into the lowest bit, so that those near 0 stay
/// short.
public enum VariableLength {
    /// Appends a number: 1 to 10 bytes.
    @inlinable
    public static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Appends a number of either sign: 1 to 10 bytes.
    @inlinable
    public static func append(signed number: Int64, to bytes: inout [UInt8]) {
        append(UInt64(bitPattern: number << 1 ^ number >> 63), to: &bytes)
    }

    /// The number whose bytes `next` gives, one after another; `nil` when they do not end within 64 bits.
    /// - Throws: what `next` throws.
    @inlinable
    public static func number<Failure>(_ next: () throws(Failure) -> UInt8) throws(Failure) -> UInt64? {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            let byte = try next()
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        return nil
    }

    /// As ``number(_:)``, of a number of either sign.
    @inlinable
    public static func signed<Failure>(_ next: () throws(Failure) -> UInt8) throws(Failure) -> Int64? {
        guard let bits = try number(next) else { return nil }
        return Int64(bitPattern: bits >> 1) ^ -Int64(bitPattern: bits & 1)
    }
}
