@testable import PacketCapture

extension LinkType {
    /// The link type that the first byte of an input stands for.
    static func chosen(by input: RawSpan) -> LinkType {
        var reader = InputReader()
        return allCases[Int(reader.byte(input)) % allCases.count]
    }
}

/// Frames of one capture through one decoder, so that fragments meet.
func fuzzFrames(_ input: RawSpan) {
    var decoder = FrameDecoder(linkType: .chosen(by: input))
    var frames = 0
    var decoded = 0
    forEachFrame(in: input) { frame, wireLength, time in
        frames += 1
        guard let found = decoder.decode(frame, wireLength: wireLength, at: time) else { return }
        decoded += 1
        let end = found.isAssembled ? decoder.assembled.count : frame.byteCount
        require(found.payload.upperBound <= end, "the payload \(found.payload) lies within \(end) bytes")
        require(found.payloadWireLength >= found.payload.count, "no more was captured than sent")
        decoder.withPayload(of: found, in: frame) { payload in
            require(payload.byteCount == found.payload.count, "the payload is as long as it says")
        }
    }
    let refused = decoder.refused.values.reduce(0, +)
    require(
        decoded + refused + decoder.heldFragments == frames,
        "\(frames) frames are \(decoded) decoded, \(refused) refused, \(decoder.heldFragments) held")
}
