import CallModel

/// The round trips that a far end has measured.
extension StreamMeter {
    @inline(__always)
    func measureRoundTrips(_ delta: inout StreamDelta) {
        guard let farEnd = delta.sample.farEnd, isFresh(farEnd) else { return }
        if let total = farEnd.totalRoundTripSeconds, let count = farEnd.roundTripMeasurements,
            let totalBefore = lastFarEnd?.totalRoundTripSeconds, let countBefore = lastFarEnd?.roundTripMeasurements,
            count > countBefore, total >= totalBefore
        {
            delta.roundTripSeconds = total - totalBefore
            delta.roundTripMeasurements = count - countBefore
        } else if let roundTrip = farEnd.roundTripSeconds {
            delta.roundTripSeconds = roundTrip
            delta.roundTripMeasurements = 1
        } else if delta.sample.firstPacketAt != nil, lastFarEnd?.roundTripMeasurements == nil,
            let total = farEnd.totalRoundTripSeconds, let count = farEnd.roundTripMeasurements, count > 0, total >= 0
        {
            // A probe counts from the first packet on.
            (delta.roundTripSeconds, delta.roundTripMeasurements) = (total, count)
        }
    }

    /// Leaves out round trips that began in an interruption, of the sound or of this end: who slept answers what he had been asked
    /// before, and that is no length of the way.
    func leaveOutHeldUp(_ delta: inout StreamDelta, _ connection: ConnectionState) -> Timestamp? {
        let isInterrupted = connection.isInterrupted || max(delta.darkSeconds, delta.heldSeconds) > 0
        let latest = isInterrupted ? delta.end : interruptedUntil
        let measured = RoundTripTotals(seconds: delta.roundTripSeconds, measurements: delta.roundTripMeasurements)
        guard let latest, measured.isLong, let mean = measured.meanMilliseconds else { return latest }
        if delta.start.advanced(byMilliseconds: -(mean / 1000).wholeMilliseconds) < latest {
            (delta.roundTripSeconds, delta.roundTripMeasurements) = (0, 0)
        }
        return latest
    }

    @inline(__always)
    private func isFresh(_ farEnd: FarEndSample) -> Bool {
        guard let arrived = farEnd.arrivedAt else {
            // Where the object has no time of its own, what it counts tells; where it counts nothing, it is as of now.
            let isCounted = zip(farEnd.roundTripMeasurements, lastFarEnd?.roundTripMeasurements).map { $0 > $1 }
            return isCounted ?? (farEnd.roundTripMeasurements == nil)
        }
        return arrived > (lastFarEnd?.arrivedAt ?? previous.time)
    }
}

extension RoundTripTotals {
    /// Whether they took so long that an interruption of the path, which takes a second, may be what held them up.
    var isLong: Bool { seconds > InterruptionDetectors.leastBlackoutSeconds * measurements }
}
