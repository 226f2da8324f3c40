import RTPMeter

/// Takes an input apart, from its front. Past the end there are zeros, so that every input means something.
///
/// It keeps offsets only: a span cannot be stored.
struct InputReader {
    var offset = 0

    func isAtEnd(_ input: RawSpan) -> Bool { offset >= input.byteCount }

    mutating func byte(_ input: RawSpan) -> UInt8 {
        defer { offset += 1 }
        return offset < input.byteCount ? input.unsafeLoad(fromByteOffset: offset, as: UInt8.self) : 0
    }

    mutating func word(_ input: RawSpan) -> UInt16 {
        UInt16(byte(input)) << 8 | UInt16(byte(input))
    }

    mutating func double(_ input: RawSpan) -> UInt32 {
        UInt32(word(input)) << 16 | UInt32(word(input))
    }

    /// Where the next bytes lie, as many of them as there are.
    mutating func range(_ input: RawSpan, count: Int) -> Range<Int> {
        let start = min(offset, input.byteCount)
        offset = min(start + count, input.byteCount)
        return start..<offset
    }
}

/// The clock of a made-up capture: each record says how far it moves.
struct InputClock {
    private(set) var time = ArrivalTime(seconds: 1_700_000_000, nanoseconds: 0)

    /// Bits 0...4 are an exponent: so many powers of two of a microsecond, or with bit 6 thirty-firsts of the range of a
    /// capture file (136 years). Bit 7: backwards.
    mutating func move(_ code: UInt8) {
        let exponent = Int64(code & 31)
        let step = code & 64 != 0 ? exponent * 138_547_332_000_000_000 : 1000 << exponent
        time = time.advanced(byNanoseconds: code & 128 != 0 ? -step : step)
    }
}

/// A made-up capture: a byte for the link type, then frames, each after four bytes: length (11 bits of two bytes), bytes
/// cut off by the snap length (in sixteens), step of the clock.
///
/// `Fuzz/make-seeds` writes the same format.
func forEachFrame(in input: RawSpan, _ body: (RawSpan, _ wireLength: Int, ArrivalTime) -> Void) {
    var reader = InputReader(offset: 1)
    var clock = InputClock()
    while !reader.isAtEnd(input) {
        let length = Int(reader.word(input) & 0x07FF)
        let cut = Int(reader.byte(input)) * 16
        clock.move(reader.byte(input))
        let frame = input.extracting(reader.range(input, count: length))
        body(frame, frame.byteCount + cut, clock.time)
    }
}

extension RawSpan {
    /// A copy, for code that keeps what it is given.
    var array: [UInt8] {
        (0..<byteCount).map { unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
    }
}
