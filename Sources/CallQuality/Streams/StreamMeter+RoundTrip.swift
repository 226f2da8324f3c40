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
