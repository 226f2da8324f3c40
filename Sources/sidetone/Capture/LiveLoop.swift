import CallModel
import PacketCapture
import RTPMeter

/// The reading of an interface. Confined to the sensor's thread.
struct LiveLoop: PacketLoop {
    private let capture: LiveCapture
    private let sensor: Sensor
    private var probe: WireProbe
    private var nextNote = ContinuousClock.now

    /// Frames between two looks at what else is to be done.
    private static let framesPerRound = 4096
    /// How long the kernel may keep a frame, and a bit: what is older than this has been read when nothing is there.
    private let longestDelay: Duration
    private static let noteInterval = Duration.seconds(1)

    init(interface: String, options: LiveOptions, sensor: Sensor) throws(CaptureError) {
        capture = try LiveCapture(interface: interface, options: options)
        self.sensor = sensor
        probe = WireProbe(linkType: capture.linkType, options: sensor.settings.probe)
        longestDelay = .milliseconds(2 * options.timeoutMilliseconds + 50)
    }

    mutating func read() {
        do throws(CaptureError) {
            while !sensor.isStopping { try round() }
            try drain()
        } catch {
            sensor.publish { $0.failure = error }
        }
        note()
    }

    mutating func finish() -> [CapturedFact] {
        probe.finish()
        sensor.publish { [figures = probe.figures] in $0.figures = figures }
        return Sensor.facts(of: &probe)
    }

    private mutating func round() throws(CaptureError) {
        let count = try poll()
        if count == 0 { probe.advance(to: Clock.packetTime().advanced(byNanoseconds: -longestDelay.nanoseconds)) }
        if ContinuousClock.now >= nextNote {
            nextNote = .now + Self.noteInterval
            note()
        }
        sensor.handover.offer(Sensor.facts(of: &probe))
        if count == 0 { _ = capture.wait(milliseconds: 100) }
    }

    private mutating func poll() throws(CaptureError) -> Int {
        try capture.poll(maximumFrames: Self.framesPerRound) { frame, wireLength, time in
            probe.take(frame, wireLength: wireLength, at: time)
        }
    }

    /// Reads what the kernel still holds of the time before the stop. Once more when the time is over: on a busy machine
    /// it may be over before this thread comes to what arrived in it.
    private mutating func drain() throws(CaptureError) {
        let end = ContinuousClock.now + longestDelay
        var isOver = false
        while !isOver {
            isOver = ContinuousClock.now >= end
            if try poll() == 0, !isOver { _ = capture.wait(milliseconds: 50) }
        }
    }

    /// Tells the probe and those outside what the kernel counts.
    private mutating func note() {
        let statistics = capture.statistics()
        probe.note(statistics)
        let figures = probe.figures
        sensor.publish {
            $0.figures = figures
            $0.statistics = statistics
        }
    }
}

extension Duration {
    /// In whole nanoseconds; for lengths below a century.
    fileprivate var nanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
