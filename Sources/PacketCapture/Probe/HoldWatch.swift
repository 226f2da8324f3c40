import RTPMeter

/// What sound does during a hold at the ends to which by the agreement none is to come.
///
/// The agreement that ends a hold may be missing in the capture. Sound that stopped with the hold, and later comes again, tells
/// of it; sound that never stopped, as some phones send it all the time, tells nothing.
struct HoldWatch {
    /// What sound does at one end.
    enum Sound: Hashable {
        /// It has not been seen to stop.
        case going
        /// It stopped with the hold.
        case stopped
        /// It stopped later than the hold began.
        case apart
        /// After it had stopped it came again.
        case back(since: ArrivalTime)
    }

    /// When the hold was agreed on.
    let since: ArrivalTime
    private var sounds = [Sound.going, .going]

    /// Longer silences are no losses, and no ends of words.
    private static let leastSilence = 1.0

    init(since: ArrivalTime) { self.since = since }

    /// Takes what is seen of an end at `time`.
    /// - Parameters:
    ///   - end: its place.
    ///   - last: when sound came to it last; `nil` without any.
    ///   - first: when the sound that flows began to come, where it flows.
    ///   - time: when that is.
    mutating func note(_ end: Int, last: ArrivalTime?, first: ArrivalTime?, at time: ArrivalTime) {
        let flows = last.map { time.seconds(since: $0) <= Self.leastSilence } ?? false
        switch sounds[end] {
        case .going:
            guard !flows, time.seconds(since: since) > Self.leastSilence else { return }
            let stopsWithHold = last.map { $0.seconds(since: since) <= Self.leastSilence } ?? true
            sounds[end] = stopsWithHold ? .stopped : .apart
        case .stopped: if flows { sounds[end] = .back(since: first ?? time) }
        case .back: if !flows { sounds[end] = .stopped }
        case .apart: break
        }
    }

    /// Since when sound has come again at all of some ends, if it has for so many seconds.
    func resumption(at ends: [Int], for seconds: Double, at time: ArrivalTime) -> ArrivalTime? {
        let begins = ends.compactMap { end in
            if case .back(let since) = sounds[end], time.seconds(since: since) >= seconds { since } else { nil }
        }
        return begins.count == ends.count ? begins.max() : nil
    }
}
