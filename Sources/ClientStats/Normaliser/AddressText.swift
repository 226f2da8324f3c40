/// Addresses inside longer texts: messages of errors, candidates, whole descriptions in JSON.
///
/// Works on bytes, for every text that is stored passes here.
struct AddressText {
    private let bytes: [UInt8]
    private let policy: AddressPolicy
    private var result: [UInt8] = []

    /// The text with what is kept of each address in its place; doing it twice changes nothing.
    static func redact(_ text: String, by policy: AddressPolicy) -> String {
        guard policy != .full else { return text }
        let sent = Array(text.utf8)
        let plain = AddressSpelling.decoded(sent)
        var bytes = AddressSpelling.cutDashed(plain, by: policy)
        // What is cut may make an address with what stands beside it.
        for _ in 0..<mostPasses {
            var scan = AddressText(bytes: bytes, policy: policy)
            scan.run()
            guard scan.result != bytes else { break }
            bytes = scan.result
        }
        // Where no address was found nothing is spelled anew.
        return bytes == plain ? text : String(decoding: bytes, as: UTF8.self)
    }

    private static let mostPasses = 8

    private static let dot = UInt8(ascii: ".")
    private static let colon = UInt8(ascii: ":")
    private static let slash = UInt8(ascii: "/")
    /// Longer than any address with a port.
    private static let longest = 64

    private init(bytes: [UInt8], policy: AddressPolicy) {
        self.bytes = bytes
        self.policy = policy
        result.reserveCapacity(bytes.count)
    }

    /// Takes each longest run of what an address is made of.
    private mutating func run() {
        var index = 0
        // Behind an escape a word begins, whatever letter the escape ends with.
        var endOfEscape = 0
        while index < bytes.count {
            guard Self.isPart(bytes[index]) else {
                let end = AddressSpelling.endOfEscape(in: bytes, at: index)
                endOfEscape = end ?? endOfEscape
                let next = end ?? index + 1
                result += bytes[index..<next]
                index = next
                continue
            }
            let start = index
            while index < bytes.count, Self.isPart(bytes[index]) { index += 1 }
            index = take(start..<index, beginsWord: start == endOfEscape)
        }
    }

    /// - Returns: where to go on: a length of prefix may belong to the address.
    private mutating func take(_ run: Range<Int>, beginsWord: Bool) -> Int {
        var run = run
        // The end of a word before it: `candidate:2001:db8::1`, `host:10.0.0.1`.
        if !beginsWord, run.lowerBound > 0, Self.isLetter(bytes[run.lowerBound - 1]) {
            run = copy(run, until: bytes[run].firstIndex(of: Self.colon).map { $0 + 1 } ?? run.upperBound)
        }
        while run.count > 1, bytes[run.lowerBound] == Self.dot { run = copy(run, until: run.lowerBound + 1) }
        if run.count > 1, bytes[run.lowerBound] == Self.colon, bytes[run.lowerBound + 1] != Self.colon {
            run = copy(run, until: run.lowerBound + 1)
        }
        guard !run.isEmpty else { return run.upperBound }
        var end = run.upperBound
        while end > run.lowerBound, [Self.dot, Self.colon].contains(bytes[end - 1]), !isGap(endingAt: end) { end -= 1 }
        if end < bytes.count, end == run.upperBound, Self.isLetter(bytes[end]) { return copyAll(run) }
        return replace(run.lowerBound..<end) ?? takeParts(run)
    }

    /// Whether `::` stands before `end`.
    private func isGap(endingAt end: Int) -> Bool {
        end >= 2 && bytes[end - 1] == Self.colon && bytes[end - 2] == Self.colon
    }

    private mutating func replace(_ range: Range<Int>) -> Int? {
        guard range.count <= Self.longest else { return nil }
        let text = String(decoding: bytes[range], as: UTF8.self)
        let hasDot = bytes[range].contains(Self.dot)
        let colons = bytes[range].count { $0 == Self.colon }
        let hasPort = hasDot && colons == 1
        let host = hasPort ? String(text.prefix { $0 != ":" }) : text
        // What this is asked of has only digits, letters to f, dots and colons.
        guard hasDot || colons > 0, host.utf8.contains(where: { $0 != Self.dot && $0 != Self.colon }),
            let address = NetworkAddress.bytes(of: host)
        else { return AddressSpelling.beforePort(bytes[range]).flatMap { replace(range.lowerBound..<$0) } }
        let prefix = hasPort ? range.upperBound : endOfPrefix(at: range.upperBound)
        let whole = String(decoding: bytes[range.lowerBound..<prefix], as: UTF8.self)
        let isCut = whole == NetworkAddress.network(of: address)
        result += Array((isCut ? whole : policy.kept(of: address, text: host)).utf8)
        if hasPort { result += Array(text.drop { $0 != ":" }.utf8) }
        return prefix
    }

    /// Where `/24` ends, if it stands there.
    private func endOfPrefix(at start: Int) -> Int {
        guard start < bytes.count, bytes[start] == Self.slash else { return start }
        var end = start + 1
        while end < bytes.count, end - start <= 3, Self.isDigit(bytes[end]) { end += 1 }
        return end == start + 1 ? start : end
    }

    /// Numbers, colons and addresses in one: `1:10.0.0.1:5000`.
    private mutating func takeParts(_ run: Range<Int>) -> Int {
        var start = run.lowerBound
        while start < run.upperBound {
            let end = bytes[start..<run.upperBound].firstIndex(of: Self.colon) ?? run.upperBound
            var last = end
            while last > start, bytes[last - 1] == Self.dot { last -= 1 }
            let next = last > start ? replace(start..<last) : nil
            start = next ?? start
            if next == nil { result += bytes[start..<end] } else { result += bytes[last..<end] }
            start = max(end, start)
            if start < run.upperBound {
                result.append(bytes[start])
                start += 1
            }
        }
        return max(start, run.upperBound)
    }

    private mutating func copy(_ run: Range<Int>, until end: Int) -> Range<Int> {
        result += bytes[run.lowerBound..<end]
        return end..<run.upperBound
    }

    private mutating func copyAll(_ run: Range<Int>) -> Int {
        result += bytes[run]
        return run.upperBound
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    private static func isPart(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x61...0x66).contains(byte | 0x20) || byte == dot || byte == colon
    }
}
