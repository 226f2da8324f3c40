import CallModel

extension JSONReader {
    /// Reads a number that begins here with a digit or a minus.
    mutating func readNumber() throws(JSONSyntaxError) -> JSONValue {
        let start = position
        var digits = Digits()
        if current == .minus {
            position += 1
            digits.isNegative = true
        }
        guard isDigit(current) else { return try readAfterMinus(from: start) }
        if current == .zero {
            position += 1
            if isDigit(current) { throw unexpected("`.`, an exponent or the end of the number after a leading zero") }
        } else {
            readDigits { digits.append($0) }
        }
        let hasFraction = try readFraction(into: &digits)
        let hasExponent = try readExponent(into: &digits)
        if !hasFraction, !hasExponent, let integer = digits.integer { return .integer(integer) }
        return try double(digits, from: start)
    }

    private mutating func readAfterMinus(from start: Int) throws(JSONSyntaxError) -> JSONValue {
        let word = peekWord()
        guard !word.isEmpty else { throw unexpected("a digit after `-`") }
        return try readNonNumber(word, from: start, expected: "a digit after `-`")
    }

    private mutating func readDigits(_ take: (UInt8) -> Void) {
        while isDigit(current) {
            take(current - .zero)
            position += 1
        }
    }

    private mutating func readFraction(into digits: inout Digits) throws(JSONSyntaxError) -> Bool {
        guard current == .point else { return false }
        position += 1
        guard isDigit(current) else { throw unexpected("a digit after `.`") }
        readDigits { digits.appendFraction($0) }
        return true
    }

    private mutating func readExponent(into digits: inout Digits) throws(JSONSyntaxError) -> Bool {
        guard current | 0x20 == UInt8(ascii: "e") else { return false }
        position += 1
        let isNegative = current == .minus
        if isNegative || current == .plus { position += 1 }
        guard isDigit(current) else { throw unexpected("a digit in the exponent") }
        var exponent = 0
        // Beyond a thousand every exponent gives 0 or infinity.
        readDigits { exponent = min(exponent * 10 + Int($0), 1_000_000) }
        digits.exponent += isNegative ? -exponent : exponent
        return true
    }

    private func double(_ digits: Digits, from start: Int) throws(JSONSyntaxError) -> JSONValue {
        let value = digits.exactDouble ?? Double(String(decoding: bytes[start..<position], as: UTF8.self))
        guard let value, value.isFinite else {
            let spelling = bytes[start..<position].prefix(32)
            throw error(.numberOutOfRange(String(decoding: spelling, as: UTF8.self)), at: start)
        }
        if abs(value) < 9_007_199_254_740_992, let whole = Int64(exactly: value) { return .integer(whole) }
        return .double(value)
    }

    @inline(__always)
    private func isDigit(_ byte: UInt8) -> Bool {
        byte &- .zero < 10
    }
}

/// The decimal digits of a number and where its point stands.
private struct Digits {
    var isNegative = false
    /// Power of ten of the last digit.
    var exponent = 0
    private var magnitude: UInt64 = 0
    /// Whether more digits came than 64 bits hold.
    private var hasOverflown = false

    @inline(__always)
    mutating func append(_ digit: UInt8) {
        // Below this bound one more digit always fits.
        guard magnitude < 1_000_000_000_000_000_000 else {
            hasOverflown = hasOverflown || !appendChecked(digit)
            return
        }
        magnitude = magnitude &* 10 &+ UInt64(digit)
    }

    @inline(__always)
    mutating func appendFraction(_ digit: UInt8) {
        append(digit)
        exponent -= 1
    }

    private mutating func appendChecked(_ digit: UInt8) -> Bool {
        let (product, first) = magnitude.multipliedReportingOverflow(by: 10)
        let (sum, second) = product.addingReportingOverflow(UInt64(digit))
        guard !first, !second else { return false }
        magnitude = sum
        return true
    }

    /// The number as a 64-bit integer, if it has neither fraction nor exponent and fits.
    var integer: Int64? {
        guard !hasOverflown else { return nil }
        guard isNegative else { return Int64(exactly: magnitude) }
        return magnitude <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
    }

    /// The number when one correctly rounded operation on exact doubles gives it (Clinger 1990); else `nil`.
    var exactDouble: Double? {
        guard !hasOverflown, magnitude <= 1 << 53, abs(exponent) <= 22 else { return nil }
        let power = Self.powersOfTen[abs(exponent)]
        let value = exponent < 0 ? Double(magnitude) / power : Double(magnitude) * power
        return isNegative ? -value : value
    }

    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
}
