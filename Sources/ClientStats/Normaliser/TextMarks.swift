/// What one look at the bytes of a text tells: most texts of a report are a word or a number, in which nothing has to be
/// sought.
struct TextMarks {
    private var dots = 0
    /// And what may stand for a colon or a dot: `%3A`.
    private var colons = 0
    private var dashes = 0
    /// Whether there may be a secret behind a word that names one.
    private(set) var mayHoldSecret = false
    /// Whether there may be a line of a session description, or a candidate.
    private(set) var mayDescribeSession = false

    /// Whether there may be an address: three dots, two colons, or three dashes and a dot, however spelled.
    var mayHoldAddress: Bool { dots >= 3 || colons >= 2 || dashes >= 3 && dots + colons > 0 }

    init(_ text: String) {
        let bytes = text.utf8Span.span
        var (last, lastButOne): (UInt8, UInt8) = (0, 0)
        var letters = 0
        for index in bytes.indices {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "."): dots += 1
            case UInt8(ascii: "-"): dashes += 1
            case UInt8(ascii: "%"): colons += 1
            // `turn:user:password@host`
            case UInt8(ascii: "@"): mayHoldSecret = mayHoldSecret || colons > 0
            case UInt8(ascii: ":"):
                colons += 1
                // `candidate:`
                mayDescribeSession = mayDescribeSession || last == UInt8(ascii: "e")
                look(behind: letters)
            case UInt8(ascii: "="):
                // `a=`
                mayDescribeSession = mayDescribeSession || last == UInt8(ascii: "a")
                look(behind: letters)
            case UInt8(ascii: "I"):
                // `c=IN`
                mayDescribeSession = mayDescribeSession || lastButOne == UInt8(ascii: "c") && last == UInt8(ascii: "=")
            // Blanks, quotes, and what stands before one in a text inside a text, may be between a name and its separator.
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"),
                UInt8(ascii: "]"), UInt8(ascii: ">"):
                look(behind: letters)
            default: break
            }
            (lastButOne, last) = (last, byte)
            letters = SecretNames.letters(letters, then: byte)
        }
    }

    private mutating func look(behind letters: Int) {
        mayHoldSecret = mayHoldSecret || SecretNames.mayEnd(in: letters)
    }
}
