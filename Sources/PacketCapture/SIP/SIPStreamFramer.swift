/// Cuts one direction of a TCP connection into SIP messages
/// ([RFC 3261 §18.3](https://www.rfc-editor.org/rfc/rfc3261#section-18.3)), also those inside WebSocket frames.
///
/// Where bytes are missing it goes on at the next line that can begin a message.
struct SIPStreamFramer: Sendable {
    private enum Mode: Hashable {
        /// Nothing has been seen that tells.
        case unknown
        /// At the start of a message.
        case message
        /// In a message that is too long, of which so many bytes are left.
        case skipping(Int)
        /// Looking for the start of a message.
        case lost
        case webSocket
        /// Something else than SIP.
        case foreign
    }

    private var mode = Mode.unknown
    private var buffer: [UInt8] = []
    /// Whether the buffer begins inside of a line, the front of which was thrown away.
    private var isInsideLine = false
    /// Up to here the buffer holds no end of a header.
    private var searched = 0
    /// The length of the message at the front of the buffer, once its header has told.
    private var messageLength: Int?
    private var webSocket = WebSocketFramer()
    /// Bytes thrown away while looking for the start of a message.
    private(set) var discardedBytes = 0
    /// Messages that were passed over because they are too long.
    private(set) var oversizedMessages = 0

    /// A header beyond this is no message, and a body beyond this is not read.
    private static let maximumBytes = SIPMessage.maximumBytes
    /// A connection that shows no message for so long has none.
    private static let maximumDiscardedBytes = 1 << 20

    /// Whether the connection carries something else.
    var isForeign: Bool { mode == .foreign || webSocket.isLost }

    /// Whether the connection carries SIP, as far as was seen, and its place in it is known.
    var isReading: Bool {
        switch mode {
        case .message, .skipping, .webSocket: true
        case .unknown, .lost, .foreign: false
        }
    }

    /// Takes the next bytes of the stream.
    /// - Returns: The messages that are now complete, header and body each.
    mutating func take(_ bytes: [UInt8]) -> [[UInt8]] {
        if mode == .webSocket { return webSocket.take(bytes) }
        guard mode != .foreign else { return [] }
        buffer += bytes
        var messages: [[UInt8]] = []
        while step(&messages) {}
        return messages
    }

    /// Says that bytes are missing here.
    mutating func skipGap() {
        if mode == .webSocket { return webSocket.skipGap() }
        discard(buffer.count)
        isInsideLine = false  // perhaps; yet most segments that begin a message do so at their first byte
        if mode != .foreign { mode = .lost }
    }

    /// Does the next thing that the buffer allows.
    /// - Returns: Whether something was done.
    private mutating func step(_ messages: inout [[UInt8]]) -> Bool {
        switch mode {
        case .unknown: return recognise()
        case .message: return takeMessage(&messages)
        case .skipping(let left): return skip(left)
        case .lost: return findStart()
        case .webSocket:
            messages += webSocket.take(buffer)
            buffer = []
            return false
        case .foreign:
            buffer = []
            return false
        }
    }

    /// Looks at the first bytes of the connection.
    private mutating func recognise() -> Bool {
        dropLineEnds()
        guard buffer.count >= 16 else {
            if !buffer.isEmpty, !Self.mayBegin(buffer[...]) { mode = .foreign }
            return mode == .foreign
        }
        guard WebSocketFramer.beginsHandshake(buffer) else {
            var rest = buffer[...]
            let isWhole = rest.contains(0x0A)
            let line = SIPFields.nextLine(&rest)
            let isSIP = isWhole ? SIPStartLine.read(line) != nil : SIPStartLine.mayBegin(line)
            if isSIP, !isWhole { return false }
            mode = isSIP ? .message : .foreign
            return true
        }
        switch webSocket.takeHandshake(&buffer) {
        case .incomplete: return false
        case .accepted: mode = .webSocket
        case .refused: mode = .foreign
        }
        return true
    }

    private static func mayBegin(_ bytes: Bytes) -> Bool {
        SIPStartLine.mayBegin(bytes) || bytes.hasCaselessPrefix("HTTP")
    }

    /// Takes the line ends off that clients send to keep a connection alive
    /// ([RFC 5626 §3.5.1](https://www.rfc-editor.org/rfc/rfc5626#section-3.5.1)).
    private mutating func dropLineEnds() {
        let count = buffer.prefix { $0 == 0x0D || $0 == 0x0A }.count
        if count > 0 { buffer.removeFirst(count) }
    }

    /// Cuts a message off whose header, and body, are complete.
    private mutating func takeMessage(_ messages: inout [[UInt8]]) -> Bool {
        if messageLength == nil, !measureMessage() { return mode != .message }
        guard let length = messageLength, buffer.count >= length else { return false }
        messages.append(Array(buffer[..<length]))
        buffer.removeFirst(length)
        startAfresh()
        return true
    }

    /// Finds out how long the message at the front is.
    /// - Returns: Whether that is known now, and it can be read. When it never will be, the framer is lost.
    private mutating func measureMessage() -> Bool {
        if searched == 0 { dropLineEnds() }
        let bodyStart = endOfHeader()
        guard bodyStart ?? buffer.count <= Self.maximumBytes else {
            skipStartLine()
            return false
        }
        guard let bodyStart else { return false }
        var header = buffer[..<bodyStart]
        guard SIPStartLine.read(SIPFields.nextLine(&header)) != nil else {
            mode = .lost
            return false
        }
        // Over a stream the length is mandatory; a message without one ends with its header.
        let length = SIPFields(header).first("Content-Length", short: "l")?.decimal ?? 0
        guard length <= Self.maximumBytes else {
            passOver(header: bodyStart, body: length)
            return false
        }
        messageLength = bodyStart + length
        return true
    }

    /// Passes over a message whose body is too long, exactly to its end, lest the next one be missed. A length that no
    /// signalling has is not believed.
    private mutating func passOver(header: Int, body: Int) {
        oversizedMessages += 1
        if body <= Self.maximumDiscardedBytes {
            mode = .skipping(header + body)
            startAfresh()
        } else {
            mode = .lost
            discard(header)
        }
    }

    private mutating func skip(_ left: Int) -> Bool {
        let count = min(left, buffer.count)
        buffer.removeFirst(count)
        mode = count == left ? .message : .skipping(left - count)
        return count == left
    }

    /// Gives up the message at the front. Its first line goes, or it would be found again and again.
    private mutating func skipStartLine() {
        mode = .lost
        if let end = buffer.firstIndex(of: 0x0A) { discard(end + 1) }
    }

    /// The offset behind the first empty line.
    private mutating func endOfHeader() -> Int? {
        while let end = buffer[searched...].firstIndex(of: 0x0A) {
            var next = end + 1
            if next < buffer.count, buffer[next] == 0x0D { next += 1 }
            guard next < buffer.count else {  // what follows the line has not come yet
                searched = end
                return nil
            }
            if buffer[next] == 0x0A { return next + 1 }
            searched = end + 1
        }
        searched = buffer.count
        return nil
    }

    /// Looks for a line that begins a message.
    private mutating func findStart() -> Bool {
        if isInsideLine { discardLine() }
        var rest = buffer[...]
        while let end = rest.firstIndex(of: 0x0A) {
            let start = rest.startIndex
            guard SIPStartLine.read(SIPFields.nextLine(&rest)) == nil else {
                mode = .message
                discard(start)
                return true
            }
            rest = buffer[(end + 1)...]
        }
        // An incomplete line is kept while it may still begin a message.
        let lineStart = rest.startIndex
        let mayBegin = SIPStartLine.mayBegin(SIPFields.nextLine(&rest))
        discard(lineStart)
        if !mayBegin { discardLine() }
        if discardedBytes > Self.maximumDiscardedBytes { mode = .foreign }
        return false
    }

    /// Throws the buffer away up to the end of its first line, or all of it where the line goes on in bytes to come.
    private mutating func discardLine() {
        let end = buffer.firstIndex(of: 0x0A)
        isInsideLine = end == nil
        discard(end.map { $0 + 1 } ?? buffer.count)
    }

    private mutating func discard(_ count: Int) {
        buffer.removeFirst(count)
        discardedBytes += count
        startAfresh()
    }

    private mutating func startAfresh() {
        searched = 0
        messageLength = nil
    }
}
