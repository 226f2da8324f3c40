import ArgumentParser
import PacketCapture

/// What may be given for a sensor, wherever it is given. `prefix` is what the names of the options begin with.
enum LiveOptionRules {
    static func check(_ name: String, _ value: Int?, in range: ClosedRange<Int>) throws {
        guard let value, !range.contains(value) else { return }
        throw ValidationError(
            "\(name) is \(value); expected a whole number from \(range.lowerBound) to \(range.upperBound)")
    }

    /// The kernel takes less than 2 GiB.
    static let bufferMebibytes = 1...2047
    /// Below this SIP and the headers of RTP are cut; above it nothing is gained.
    static let snapLengths = 96...262_144
    static let summarySeconds = 0...3600
    static let snapshotSeconds = 1...60
    static let flushSeconds = 1...3600

    /// A name of an observer leaves room for `:caller`.
    static func check(_ name: String, observer: String) throws {
        guard !(1...200).contains(observer.utf8.count) else { return }
        throw ValidationError("\(name) is \(observer.utf8.count) bytes long; expected 1 to 200 bytes")
    }
}
