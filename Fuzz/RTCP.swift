import RTPMeter

/// A datagram of RTCP packets: the first byte says whether it is encrypted, the second how much the capture cut off.
func fuzzRTCP(_ input: RawSpan) {
    var reader = InputReader()
    let isEncrypted = reader.byte(input) & 1 != 0
    let cut = Int(reader.byte(input))
    let packet = input.extracting(reader.range(input, count: input.byteCount))
    let wireLength = packet.byteCount + cut
    let compound = RTCPCompound.parse(packet, wireLength: wireLength, isEncrypted: isEncrypted)
    // A packet has four bytes at least.
    require(
        compound.packets.count <= 1 + wireLength / 4, "\(compound.packets.count) packets fit into \(wireLength) bytes")
    if let error = compound.error { require(!"\(error)".isEmpty, "an error has words") }
    _ = RTCPCompound.fitsExactly(packet, wireLength: wireLength)
    takeRoundTrips(compound.packets)
}

/// Lets an estimator see the packets one second after the other.
private func takeRoundTrips(_ packets: [RTCPPacket]) {
    var estimator = RoundTripEstimator()
    var time = ArrivalTime(seconds: 1_700_000_000, nanoseconds: 0)
    for packet in packets {
        time = time.advanced(byNanoseconds: 1_000_000_000)
        switch packet {
        case .senderReport(let report):
            estimator.noteSenderReport(ssrc: report.ssrc, ntpMiddle: report.ntpMiddle, at: time)
            checkRoundTrips(report.reports, estimator, at: time)
        case .receiverReport(let report):
            checkRoundTrips(report.reports, estimator, at: time)
        default: break
        }
    }
}

private func checkRoundTrips(_ blocks: [ReportBlock], _ estimator: RoundTripEstimator, at time: ArrivalTime) {
    for block in blocks {
        guard let seconds = estimator.roundTrip(block, at: time) else { continue }
        require((0...RoundTripEstimator.longest).contains(seconds), "\(seconds) s is a round trip")
    }
}
