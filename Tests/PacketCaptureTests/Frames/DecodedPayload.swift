import RTPMeter

@testable import PacketCapture

/// A decoded frame together with its payload, so that tests compare whole values.
struct DecodedPayload: Hashable {
    var frame: DecodedFrame
    var payload: [UInt8]
}

/// A decoder of arrays. A class, because the macros of tests evaluate their arguments where nothing may be mutated.
final class ArrayDecoder {
    private(set) var decoder: FrameDecoder

    init(linkType: LinkType) {
        decoder = FrameDecoder(linkType: linkType)
    }

    /// Decodes an array, as if all of it, or of `wireLength` bytes its beginning, was captured.
    func decode(
        _ bytes: [UInt8], wireLength: Int? = nil, at time: ArrivalTime = ArrivalTime(nanoseconds: 0)
    ) -> DecodedPayload? {
        let frame = bytes.withRawSpan { decoder.decode($0, wireLength: wireLength ?? bytes.count, at: time) }
        guard let frame else { return nil }
        let source = frame.isAssembled ? decoder.assembled : bytes
        return DecodedPayload(frame: frame, payload: Array(source[frame.payload]))
    }

    var refused: [FrameRefusal: Int] { decoder.refused }
    /// How many frames were refused, whatever the reason.
    var refusedCount: Int { refused.values.reduce(0, +) }
    var heldFragments: Int { decoder.heldFragments }
    var fragmentFates: FragmentTable.Fates { decoder.fragmentFates }
}
