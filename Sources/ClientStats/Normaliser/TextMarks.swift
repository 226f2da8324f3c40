/// What one look at the bytes of a text tells: most texts of a report are a word or a number, in which nothing has to be
/// sought.
struct TextMarks {
    private var dots = 0
    private var colons = 0
    /// Whether there may be a secret behind a word that names one.
    private(set) var mayHoldSecret = false
    /// Whether there may be a line of a session description, or a candidate.
    private(set) var mayDescribeSession = false

    /// Whether there may be an address: three dots or two colons.
    var mayHoldAddress: Bool { dots >= 3 || colons >= 2 }

    init(_ text: String) {
        let bytes = text.utf8Span.span
        var (last, lastButOne): (UInt8, UInt8) = (0, 0)
        for index in bytes.indices {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "."): dots += 1
            case UInt8(ascii: ":"):
                colons += 1
                // `candidate:`
                mayDescribeSession = mayDescribeSession || last == UInt8(ascii: "e")
                look(behind: lastButOne, last)
            case UInt8(ascii: "="):
                // `a=`
                mayDescribeSession = mayDescribeSession || last == UInt8(ascii: "a")
                look(behind: lastButOne, last)
            case UInt8(ascii: "I"):
                // `c=IN`
                mayDescribeSession = mayDescribeSession || lastButOne == UInt8(ascii: "c") && last == UInt8(ascii: "=")
            // Quotes, and what stands before one in a text inside a text, may be between a name and its separator.
            case UInt8(ascii: " "), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"):
                look(behind: lastButOne, last)
            default: break
            }
            (lastButOne, last) = (last, byte)
        }
    }

    private mutating func look(behind lastButOne: UInt8, _ last: UInt8) {
        mayHoldSecret = mayHoldSecret || SecretText.endings.contains(UInt16(lastButOne) << 8 | UInt16(last))
    }
}
