import CallModel

/// What happened on a stream between two reports, for everything that looks at it.
///
/// A class for the reason that ``KeyedSample`` is one.
final class MeasuredSpan {
    let delta: StreamDelta
    /// What the picture is held against; `nil` for sound.
    let reference: VideoReference?
    /// The same as a row of the time series.
    let row: MediaInterval

    init(_ delta: StreamDelta, reference: VideoReference?, row: MediaInterval) {
        (self.delta, self.reference, self.row) = (delta, reference, row)
    }
}
