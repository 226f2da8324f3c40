import CallModel

/// Finds sound that goes one way only.
struct OneWayDetector: Codable {
    private var hasInbound = false
    private var hasOutbound = false
    private var seconds = 0.0
    private(set) var isFound = false

    /// A stream flows at this rate; comfort noise does not count.
    private static let leastPacketsPerSecond = 10.0
    /// Three reports of ten seconds.
    private static let leastSeconds = 25.0

    /// What one report tells of the audio of a connection.
    struct Span {
        var inbound: Double?
        var outbound: Double?
        var seconds = 0.0
        var isHeld = false

        mutating func add(_ delta: StreamDelta, direction: MediaDirection) {
            seconds = max(seconds, delta.seconds)
            isHeld = isHeld || delta.heldSeconds > 0
            guard let packets = delta.counted.packets else { return }
            if direction == .inbound {
                inbound = (inbound ?? 0) + packets
            } else {
                outbound = (outbound ?? 0) + packets
            }
        }
    }

    mutating func take(_ span: Span) {
        hasInbound = hasInbound || span.inbound != nil
        hasOutbound = hasOutbound || span.outbound != nil
        guard let inbound = span.inbound, let outbound = span.outbound, span.seconds > 0, !span.isHeld else {
            seconds = 0
            return
        }
        let flows = max(inbound, outbound) / span.seconds >= Self.leastPacketsPerSecond
        seconds = flows && min(inbound, outbound) == 0 ? seconds + span.seconds : 0
        if seconds >= Self.leastSeconds { isFound = true }
    }

    /// `nil` when a direction was never reported.
    var result: Bool? {
        hasInbound && hasOutbound ? isFound : nil
    }
}
