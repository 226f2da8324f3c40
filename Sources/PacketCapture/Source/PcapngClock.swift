import RTPMeter

/// What the time stamps of an interface in a pcapng file mean.
struct PcapngClock: Hashable {
    /// Ticks of a time stamp in a second; never 0. Microseconds, where the file does not say.
    private(set) var resolution: UInt64 = 1_000_000
    /// Seconds to be added to each time stamp (`if_tsoffset`).
    var offset: Int64 = 0

    /// Takes the option `if_tsresol`: how many digits a second has, with the first bit set binary ones.
    /// - Returns: false if there are more of them than a time stamp has.
    mutating func setResolution(_ option: UInt8) -> Bool {
        let digits = option & 0x7F
        let isBinary = option & 0x80 != 0
        guard digits <= (isBinary ? 63 : 19) else { return false }
        resolution = (0..<digits).reduce(1) { power, _ in power * (isBinary ? 2 : 10) }
        return true
    }

    /// The time of a time stamp; what is less than a nanosecond is left out, what is beyond the range saturates.
    func time(ticks: UInt64) -> ArrivalTime {
        let (seconds, rest) = ticks.quotientAndRemainder(dividingBy: resolution)
        let (nanoseconds, _) = resolution.dividingFullWidth(rest.multipliedFullWidth(by: 1_000_000_000))
        let (sum, isBeyond) = Int64(clamping: seconds).addingReportingOverflow(offset)
        return ArrivalTime(seconds: isBeyond ? .max : sum, nanoseconds: Int64(nanoseconds))
    }
}
