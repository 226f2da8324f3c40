import RTPMeter

@testable import PacketCapture

private let caller = Endpoint(address: IPAddress(v4: 0xC000_0201), port: 5060)
private let callee = Endpoint(address: IPAddress(v4: 0xC633_6402), port: 5060)
private let towardsCallee = Flow(source: caller, destination: callee)

/// One session description.
func fuzzSDP(_ input: RawSpan) {
    guard let description = try? SessionDescription(parsing: input) else { return }
    for media in description.media {
        require(media.payloads.allSatisfy { $0.number < 128 }, "a payload type has seven bits")
        _ = (media.endpoint, media.isHeld, media.isFax, media.isRTP)
    }
}

/// Messages of one or more calls, each ended by a byte that says when the next one comes: 0x1E 0.2 s later, 0x1D 40 s
/// later, 0x1C a second earlier and from the other end.
func fuzzSIP(_ input: RawSpan) {
    var dialogs = SIPDialogs(maximumDialogs: 8)
    var time = ArrivalTime(seconds: 1_700_000_000, nanoseconds: 0)
    var isTurned = false
    for part in parts(of: input.array) {
        let isResponse = part.bytes.starts(with: Array("SIP/".utf8))
        if let message = try? SIPMessage(parsing: part.bytes) {
            check(message)
            _ = dialogs.take(message, flow: isResponse != isTurned ? towardsCallee.reversed : towardsCallee, at: time)
        }
        isTurned = part.end == 0x1C
        time = time.advanced(byNanoseconds: [0x1D: 40_000_000_000, 0x1C: -1_000_000_000][part.end] ?? 200_000_000)
        _ = dialogs.expire(at: time)
    }
    _ = dialogs.finish()
}

private func parts(of input: [UInt8]) -> [(bytes: [UInt8], end: UInt8)] {
    var parts: [(bytes: [UInt8], end: UInt8)] = []
    var start = 0
    for place in input.indices where (0x1C...0x1E).contains(input[place]) {
        parts.append((Array(input[start..<place]), input[place]))
        start = place + 1
    }
    return parts + [(Array(input[start...]), 0)]
}

/// What must hold of any message: lengths, and that no secret stayed.
private func check(_ message: SIPMessage) {
    // Of bytes that are no UTF-8, each becomes one character.
    let length = message.callID.unicodeScalars.count
    require((1...256).contains(length), "a Call-ID has \(length) characters")
    require(message.aliases.count <= 16, "there are \(message.aliases.count) aliases")
    let secrets = ["a=crypto:", "a=ice-pwd:", "a=fingerprint:", "k="]
    for line in message.body.split(separator: 0x0A) {
        let text = String(decoding: line, as: UTF8.self).lowercased()
        for secret in secrets where text.hasPrefix(secret) && text.utf8.count > secret.utf8.count + 8 {
            require(false, "the body keeps no secret, yet has \(text)")
        }
    }
    _ = try? SessionDescription(parsing: message.body)
}

/// TCP segments of two directions. Each after seven bytes: flags (bits 0...2 FIN, SYN, RST, bit 3 direction, bit 4 the
/// sequence number itself, bit 5 ACK of all that was sent the other way), distance from the expected sequence number,
/// length (11 bits), bytes cut off, step of the clock.
func fuzzSIPOverTCP(_ input: RawSpan) {
    var streams = SIPStreams(maximumStreams: 2)
    var reader = InputReader()
    var clock = InputClock()
    var next: [UInt32] = [1000, 4_294_967_000]
    var whole: [UInt8] = []
    while !reader.isAtEnd(input) {
        let flags = reader.byte(input)
        let step = reader.word(input)
        let range = reader.word(input) & 0x07FF
        let cut = Int(reader.byte(input))
        clock.move(reader.byte(input))
        let payload = input.extracting(reader.range(input, count: Int(range))).array
        let direction = Int(flags >> 3 & 1)
        let signed = UInt32(truncatingIfNeeded: Int32(Int16(bitPattern: step)))
        let sequence = flags & 16 != 0 ? UInt32(step) << 16 : next[direction] &+ signed
        next[direction] = sequence &+ UInt32(payload.count + cut) &+ (flags & 2 != 0 ? 1 : 0)
        whole += payload
        let messages = streams.take(
            flow: direction == 0 ? towardsCallee : towardsCallee.reversed, sequence: sequence,
            acknowledgment: next[1 - direction], flags: flags & 7 | flags >> 1 & 16, payload: payload,
            wireLength: payload.count + cut, at: clock.time)
        for received in messages + streams.expire(at: clock.time) { check(received.message) }
    }
    for received in streams.finish() { check(received.message) }
    require(streams.count <= 2, "two directions are followed at most")
    checkFraming(of: whole)
}

/// However TCP cuts a stream, the same messages come out, as long as nothing had to be thrown away to find the next one.
private func checkFraming(of bytes: [UInt8]) {
    guard bytes.count <= 4096 else { return }
    var framer = SIPStreamFramer()
    let atOnce = framer.take(bytes)
    guard framer.discardedBytes == 0 else { return }
    for size in [1, 7, 1000] {
        var framer = SIPStreamFramer()
        var messages: [[UInt8]] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            messages += framer.take(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        require(
            messages == atOnce,
            "in pieces of \(size) a stream has \(messages.count) messages, at once \(atOnce.count)")
    }
}
