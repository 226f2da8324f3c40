import CallModel

extension StreamMeter {
    /// What is left of the audio a transition may cost.
    struct Allowance: Archivable {
        var stretchedSeconds: Double
        var concealedSeconds: Double
        var until: Timestamp

        /// The simulated jitter buffer of a probe fills and drains, too.
        mutating func forgive(_ counted: inout CounterSet) {
            let late = min(concealedSeconds, counted.lateSeconds ?? 0)
            let stretched = min(stretchedSeconds, counted.stretchedSeconds ?? 0)
            counted.lateSeconds = counted.lateSeconds.map { $0 - late }
            counted.stretchedSeconds = counted.stretchedSeconds.map { $0 - stretched }
            concealedSeconds -= late
            stretchedSeconds -= stretched
        }
    }
}

// MARK: - Archive

extension StreamMeter.Allowance {
    func write(to archive: inout ArchiveWriter) {
        archive.put(stretchedSeconds, concealedSeconds, until)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (stretchedSeconds, concealedSeconds, until) = try archive.get()
    }
}
