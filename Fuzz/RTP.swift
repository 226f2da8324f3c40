import RTPMeter

/// One packet: the first byte says how much of it the capture cut off.
func fuzzRTP(_ input: RawSpan) {
    var reader = InputReader()
    let cut = Int(reader.byte(input))
    let packet = input.extracting(reader.range(input, count: input.byteCount))
    let wireLength = packet.byteCount + cut
    _ = PacketClass.of(packet, wireLength: wireLength)
    guard let header = try? RTPHeader(parsing: packet, wireLength: wireLength) else { return }
    require(header.payload.lowerBound >= 12, "the payload begins behind the header")
    require(header.payload.upperBound <= wireLength, "the payload \(header.payload) ends within \(wireLength) bytes")
    require(header.payloadType < 128, "the payload type has seven bits")
    if let padding = header.paddingBytes {
        require(header.payload.upperBound + padding == wireLength, "padding is what follows the payload")
    }
}

/// A stream of packets: probation, meter, figures.
///
/// The first byte chooses clock and signalling. Each packet is eight bytes: flags, sequence number (a step, or itself),
/// timestamp (a step in 20 ms, or its upper bits), payload length, payload type, step of the clock.
func fuzzMeter(_ input: RawSpan) {
    var reader = InputReader()
    let choice = reader.byte(input)
    let clock = RTPClock(hertz: [0, 8000, 48_000, 90_000][Int(choice & 3)], source: .signalled)
    var probation = StreamProbation(clock: clock, isAnnounced: choice & 4 != 0)
    var meter = choice & 8 != 0 ? RTPStreamMeter(clock: clock) : nil
    var header = RTPHeader(payloadType: 0, sequenceNumber: 0, timestamp: 0, ssrc: 1, payload: 12..<172)
    var time = InputClock()
    while !reader.isAtEnd(input) {
        let flags = reader.byte(input)
        let kind = PacketKind(rawValue: flags >> 1 & 3) ?? .media
        header.hasMarker = flags & 1 != 0
        let number = reader.word(input)
        header.sequenceNumber = flags & 8 != 0 ? number : header.sequenceNumber &+ number
        let stamp = reader.byte(input)
        let ticks = UInt32(truncatingIfNeeded: Int32(Int8(bitPattern: stamp))) &* ((clock?.hertz ?? 8000) / 50)
        header.timestamp = flags & 16 != 0 ? UInt32(stamp) << 24 : header.timestamp &+ ticks
        header.payload = 12..<(12 + Int(reader.byte(input)))
        let type = reader.byte(input)
        header.payloadType = type & 127
        time.move(reader.byte(input))
        if flags & 32 != 0 { meter?.forgiveNextGap() }
        if flags & 64 != 0 { meter?.setClock(RTPClock(hertz: UInt32(type) * 375, source: .inferred)) }
        if flags & 128 != 0 { meter?.forgiveGap(openSince: time.time) }
        if meter == nil {
            meter = probation.take(header, arrival: time.time, payloadBytes: header.payload.count, kind: kind)
        } else {
            _ = meter?.take(header, arrival: time.time, payloadBytes: header.payload.count, kind: kind)
        }
    }
    if let figures = (meter ?? probation.finish())?.figures() { check(figures) }
}

/// What holds for the figures of any packets whatever.
private func check(_ figures: RTPStreamFigures) {
    require(figures.lost >= 0, "loss is never negative, yet is \(figures.lost)")
    require(
        figures.expected == figures.unique + figures.lost,
        "\(figures.expected) expected are \(figures.unique) received and \(figures.lost) lost")
    require(
        figures.packets == figures.unique + figures.duplicates + figures.rejected,
        "\(figures.packets) packets are \(figures.unique) unique, \(figures.duplicates) duplicate, "
            + "\(figures.rejected) rejected")
    require(figures.closeDuplicates <= figures.duplicates, "close duplicates are duplicates")
    require(figures.reordered <= figures.unique, "what is reordered is unique")
    for jitter in [figures.jitter, figures.plainJitter].compactMap({ $0 }) {
        for seconds in [jitter.currentSeconds, jitter.meanSeconds, jitter.maximumSeconds] {
            require(seconds.isFinite && seconds >= 0, "jitter is a time, not \(seconds)")
        }
    }
    for seconds in [figures.skewSeconds, figures.driftPartsPerMillion, figures.packetSeconds].compactMap({ $0 }) {
        require(seconds.isFinite, "\(seconds) is a number")
    }
    let spans =
        [figures.lossGapSeconds, figures.pauseSeconds, figures.stallSeconds]
        + [figures.talkspurtSeconds, figures.silenceSeconds, figures.longestGapSeconds].compactMap { $0 }
    for seconds in spans { require(seconds.isFinite && seconds >= 0, "\(seconds) is a span of time") }
}
