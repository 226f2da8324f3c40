import CallModel

/// Packets of sound one way that came back as undeliverable, by what a probe counted.
struct UndeliverableSound: Archivable {
    /// How many, as far as is known.
    private(set) var packets = 0
    /// When the count last grew.
    private(set) var latest: Timestamp?

    /// Takes the count as of a report.
    mutating func note(_ count: Int?, at time: Timestamp) {
        guard let count, count > packets else { return }
        (packets, latest) = (count, time)
    }

    /// What tells in an issue of a span that some came back in it; empty where none did.
    func evidence(in span: TimeSpan, as member: String) -> [CallIssue.Evidence] {
        guard let latest, latest > span.start else { return [] }
        return [.init(member, Double(packets))]
    }
}

extension WireReport {
    /// Packets of sound on their way to the end that came back; `nil` while none is known to have.
    var soundUndeliverable: Int? {
        let counts = streams.filter { $0.kind == .audio }.compactMap { $0[.packetsUndeliverable] }
        return counts.isEmpty ? nil : Int(clamping: Int64(exactly: counts.reduce(0, +).rounded()) ?? .max)
    }
}

// MARK: - Archive

extension UndeliverableSound {
    func write(to archive: inout ArchiveWriter) { archive.put(packets, latest) }

    init(from archive: inout ArchiveReader) throws(ArchiveError) { (packets, latest) = try archive.get() }
}
