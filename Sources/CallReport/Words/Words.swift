import CallModel

/// Phrases that several sections share.
enum Words {
    /// A length of time: `5.0 s`, `2 min 05 s`, `3 h 02 min`; `–` when it is not known.
    static func duration(seconds: Double?) -> String {
        guard let seconds, seconds.isFinite else { return Figures.unknown }
        guard seconds >= 59.95 else { return Figures.fixed(seconds, places: 1) + " s" }
        guard let whole = Int64(exactly: seconds.rounded()) else { return "\(seconds) s" }
        if whole < 3600 { return "\(whole / 60) min \(twoDigits(whole % 60)) s" }
        return "\(whole / 3600) h \(twoDigits(whole / 60 % 60)) min"
    }

    static func duration(milliseconds: Int64?) -> String {
        duration(seconds: milliseconds.map { Double($0) / 1000 })
    }

    /// How long something lasted of which often no more is known than a longer span in which it lies: `1.2 s within 10.0 s`.
    static func duration(seconds: Double, within span: TimeSpan) -> String {
        duration(seconds: seconds)
            + (span.isLonger(than: seconds) ? " within \(duration(milliseconds: span.milliseconds))" : "")
    }

    /// Time since the start of a record: `+12.345 s`; milliseconds stay exact.
    static func offset(milliseconds: Int64) -> String {
        let size = milliseconds.magnitude
        let digits = String(size % 1000)
        let fraction = String(repeating: "0", count: 3 - digits.count) + digits
        return (milliseconds < 0 ? "-" : "+") + "\(size / 1000).\(fraction) s"
    }

    /// `1 gap`, `2 gaps`.
    static func counted(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }

    static func twoDigits(_ value: Int64) -> String {
        value < 10 ? "0\(value)" : "\(value)"
    }
}

extension TimeSpan {
    /// Whether what lasted for so many seconds lies somewhere within it.
    fileprivate func isLonger(than seconds: Double) -> Bool {
        milliseconds.map { Double($0) / 1000 > seconds + 0.5 } ?? false
    }
}

extension MediaOutage {
    /// Whether it is known when it was, and not only of which report.
    var isPlaced: Bool { !span.isLonger(than: seconds) }
}
