/// Takes SIP messages out of WebSocket frames ([RFC 6455 §5](https://www.rfc-editor.org/rfc/rfc6455#section-5),
/// [RFC 7118](https://www.rfc-editor.org/rfc/rfc7118)): one message of SIP is one message of WebSocket.
struct WebSocketFramer: Sendable {
    /// What became of the HTTP handshake.
    enum Handshake {
        case incomplete, accepted, refused
    }

    /// The fields at the front of a frame.
    private struct FrameHeader {
        var isFinal: Bool
        var isCompressed: Bool
        var opcode: UInt8
        var mask: [UInt8]
        var payload: Range<Int>
    }

    private var buffer: [UInt8] = []
    /// The frames so far of a message that comes in several.
    private var message: [UInt8] = []
    private var isReadable = true
    /// Whether the frames cannot be told apart any more: their limits are nowhere but in their order.
    private(set) var isLost = false

    private static let maximumHandshakeBytes = 16_384
    private static let maximumBytes = SIPMessage.maximumBytes

    /// Whether a connection begins as one of HTTP.
    static func beginsHandshake(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: "GET /".utf8) || bytes.starts(with: "HTTP/1.1 ".utf8)
    }

    /// Takes the request or the response of the handshake off the bytes.
    func takeHandshake(_ bytes: inout [UInt8]) -> Handshake {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard rest.contains(0x0A) else { break }
            guard SIPFields.nextLine(&rest).isEmpty else { continue }
            let fields = SIPFields(bytes[..<rest.startIndex])
            bytes.removeFirst(rest.startIndex)
            guard fields.first("Upgrade")?.isCaseless("websocket") == true,
                fields.first("Sec-WebSocket-Protocol")?.containsCaseless("sip") == true
            else { return .refused }
            return .accepted
        }
        return bytes.count > Self.maximumHandshakeBytes ? .refused : .incomplete
    }

    /// Takes the next bytes after the handshake.
    /// - Returns: The messages that are now complete.
    mutating func take(_ bytes: [UInt8]) -> [[UInt8]] {
        guard !isLost else { return [] }
        buffer += bytes
        var messages: [[UInt8]] = []
        var start = 0
        while let header = header(at: start), header.payload.upperBound <= buffer.count {
            take(header, into: &messages)
            start = header.payload.upperBound
        }
        // A frame that cannot be signalling has emptied the buffer.
        if !isLost { buffer.removeFirst(start) }
        return messages
    }

    /// Says that bytes are missing here.
    mutating func skipGap() {
        isLost = true
        buffer = []
        message = []
    }

    private mutating func take(_ header: FrameHeader, into messages: inout [[UInt8]]) {
        guard header.opcode < 8 else { return }  // ping, pong and close may come between the frames of a message
        if header.opcode != 0 {
            message = []
            isReadable = !header.isCompressed
        }
        if isReadable, message.count + header.payload.count <= Self.maximumBytes {
            message += zip(0..., buffer[header.payload]).map { index, byte in
                header.mask.isEmpty ? byte : byte ^ header.mask[index & 3]
            }
        } else {
            isReadable = false
        }
        guard header.isFinal else { return }
        if isReadable { messages.append(message) }
        message = []
    }

    /// Reads the header of a frame; `nil` while it is incomplete, and when the frame is too long for signalling.
    private mutating func header(at start: Int) -> FrameHeader? {
        guard buffer.count >= start + 2 else { return nil }
        let isMasked = buffer[start + 1] & 0x80 != 0
        let short = Int(buffer[start + 1] & 0x7F)
        let lengthBytes = short == 127 ? 8 : short == 126 ? 2 : 0
        let payloadStart = start + 2 + lengthBytes + (isMasked ? 4 : 0)
        guard buffer.count >= payloadStart else { return nil }
        let digits = buffer[(start + 2)..<(start + 2 + lengthBytes)]
        let length = lengthBytes == 0 ? UInt64(short) : digits.reduce(0) { $0 << 8 | UInt64($1) }
        guard length <= UInt64(1 << 20) else {
            skipGap()
            return nil
        }
        return FrameHeader(
            isFinal: buffer[start] & 0x80 != 0, isCompressed: buffer[start] & 0x40 != 0,
            opcode: buffer[start] & 0x0F, mask: isMasked ? Array(buffer[(payloadStart - 4)..<payloadStart]) : [],
            payload: payloadStart..<(payloadStart + Int(length)))
    }
}
