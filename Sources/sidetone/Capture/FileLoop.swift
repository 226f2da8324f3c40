import CallModel
import CallReport
import PacketCapture

/// The reading of a capture file. Confined to the sensor's thread.
struct FileLoop: PacketLoop, ~Copyable {
    private var file: CaptureFile
    private var probe: WireProbe
    private let sensor: Sensor
    /// Frames between two looks at the progress.
    private static let framesPerRound = 16_384

    init(path: String, filter: String?, sensor: Sensor) throws(CaptureError) {
        let file = try CaptureFile(path: path, filter: filter)
        probe = WireProbe(linkType: file.linkType, options: sensor.settings.probe)
        if let statistics = file.statistics {
            probe.note(ofWholeFile: statistics)
            sensor.publish { $0.statistics = statistics }
        }
        self.file = file
        self.sensor = sensor
    }

    mutating func read() {
        var progress = ProgressBar(total: Terminal.hasStandardError ? file.byteCount : nil)
        var end = FrameLoopEnd.stopped
        while end == .stopped, !sensor.isStopping {
            end = Self.readRound(&file, &probe, sensor)
            if let bar = progress.advance(to: file.bytesRead) { Terminal.tell(bar) }
        }
        if Terminal.hasStandardError { Terminal.tell(ProgressBar.erasure) }
        sensor.publish {
            if case .broken(let error) = end { $0.breakage = error }
            $0.isCutShort = end == .stopped
        }
    }

    private static func readRound(
        _ file: inout CaptureFile, _ probe: inout WireProbe, _ sensor: Sensor
    ) -> FrameLoopEnd {
        var left = framesPerRound
        return file.forEachFrame { frame, wireLength, time, linkType, coming in
            probe.expect(coming)
            let hasOutput = probe.take(frame, wireLength: wireLength, at: time, as: linkType)
            left -= 1
            guard hasOutput else { return left > 0 ? .more : .enough }
            let isWanted = sensor.handover.put(Sensor.facts(of: &probe))
            if !isWanted { sensor.stop() }
            return left > 0 && isWanted ? .more : .enough
        }
    }

    mutating func finish() -> [CapturedFact] {
        probe.finish()
        sensor.publish { [figures = probe.figures] in $0.figures = figures }
        return Sensor.facts(of: &probe)
    }
}
