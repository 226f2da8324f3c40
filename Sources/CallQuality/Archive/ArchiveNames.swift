import CallModel

/// Texts that nearly every archive holds: they are written as a number from the first time on.
enum ArchiveNames {
    static let all: [String] = {
        var names = MetricCounters.members + IssueDetectors.byID.keys.sorted()
        names += QualityCause.allCases.map(\.rawValue)
        names += MediaKind.allCases.map(\.rawValue) + MediaDirection.allCases.map(\.rawValue)
        names += ScoreInterval.Series.allCases.map(\.rawValue) + PathSummary.Kind.allCases.map(\.rawValue)
        return names + ["", "default", "client", "audio/opus", "video/VP8", "video/VP9", "video/H264"]
    }()

    static let numbers = Dictionary(zip(all, 0...)) { first, _ in first }

    /// Differs when the texts do: what was written with others is not read.
    static let mark = ContentHash(of: all.joined(separator: "\n"))
}
