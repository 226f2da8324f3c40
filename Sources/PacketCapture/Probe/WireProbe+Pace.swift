import RTPMeter

// MARK: - Clocks that nobody tells

extension WireProbe {
    /// How many pairs of packets a clock is looked for in; beyond, the stream has none that is known.
    private static let mostClockPairs = 3_000

    /// After so many a clock that was found early is beyond doubt.
    private static let enoughClockPairs = 500

    /// Looks for the clock of a stream, or for that of another payload type to which its sender may have changed.
    @inline(never)
    mutating func followClock(of place: Int, _ header: RTPHeader, at time: ArrivalTime) {
        let isWatched = changes[place]?.payloadType == header.payloadType && streams[place].hasUnknownClock(header)
        if isWatched || streams[place].mayHaveOtherClock(header) {
            followChange(of: place, header, at: time)
        } else {
            changes[place]?.noteOther()
            if changes[place]?.others ?? 0 > ClockChange.mostOthers { changes[place] = nil }
            inferClock(of: place, header, at: time)
        }
    }

    /// Streams that begin unevenly, or out of order, show their clock later; those whose sender changes to a dynamic payload
    /// type, once the meter has left the clock of the static one.
    private mutating func inferClock(of place: Int, _ header: RTPHeader, at time: ArrivalTime) {
        let known = streams[place].meter.clock
        let isStatic = known?.source == .static
        let begun = clocks.removeValue(forKey: place)
        var inference = begun ?? ClockInference()
        guard isStatic ? StaticPayloadType.clock(of: header.payloadType) == nil : known?.source != .signalled,
            begun != nil || isStatic || known == nil,
            inference.pairs < (known == nil ? Self.mostClockPairs : Self.enoughClockPairs),
            inference.packets < 2 * Self.mostClockPairs
        else {
            streams[place].needsClock = changes[place] != nil
            return
        }
        inference.take(header, arrival: time)
        let isDue = streams[place].meter.uniquePackets % 100 == 0
        if isDue, !isStatic, let clock = inference.clock { streams[place].meter.setClock(clock) }
        clocks[place] = inference
    }

    /// The clock of the stream stays while the packets of another payload type may have it, too. Once these are what the
    /// stream consists of, another one takes its place, or none before it is known which.
    private mutating func followChange(of place: Int, _ header: RTPHeader, at time: ArrivalTime) {
        var change = changes.removeValue(forKey: place) ?? ClockChange(to: header.payloadType)
        change.take(header, arrival: time)
        let known = streams[place].meter.clock
        let isTheStream = streams[place].meter.payloadType == header.payloadType
        if let clock = change.clock, isTheStream || clock.hertz == known?.hertz {
            if clock.hertz != known?.hertz {
                streams[place].meter.change(toPayloadType: header.payloadType, clock: clock)
                // It is looked at again, as any that is inferred.
                clocks[place] = change.inference
            }
        } else if change.packets < ClockChange.mostPackets {
            changes[place] = change
            if isTheStream, let known, !change.mayHaveClock(of: known.hertz) {
                streams[place].meter.change(toPayloadType: header.payloadType, clock: nil)
            }
            return
        }
        streams[place].noteClock(of: header.payloadType)
        streams[place].needsClock = clocks[place] != nil
    }
}
