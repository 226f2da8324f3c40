import CallModel

/// One stream of a report.
///
/// A class, for it is large, never changes, and is looked at by many: copies would cost more than what most do with it.
final class KeyedSample {
    let key: StreamKey
    let sample: StreamSample

    init(_ key: StreamKey, _ sample: StreamSample) {
        (self.key, self.sample) = (key, sample)
    }
}

extension StreamKey {
    /// Whether it is sound that is received.
    var isInboundAudio: Bool { direction == .inbound && kind == .audio }
}
