import CallModel
import CallReport
import PacketCapture
import StandardStreams

/// The reading of a capture file, or of those that a capture was rotated into. Confined to the sensor's thread.
struct FileLoop: PacketLoop, ~Copyable {
    private var file: CaptureFile
    private var rest: ArraySlice<String>
    private let filter: String?
    private var probe: WireProbe
    private let sensor: Sensor
    /// Frames between two looks at the progress.
    private static let framesPerRound = 16_384

    init(paths: [String], filter: String?, sensor: Sensor) throws(CaptureError) {
        let ordered = try CaptureFile.inOrder(paths)
        let file = try CaptureFile(path: ordered[0], filter: filter)
        probe = WireProbe(linkType: file.linkType, options: sensor.settings.probe)
        rest = ordered.dropFirst()
        self.file = file
        self.filter = filter
        self.sensor = sensor
    }

    mutating func read() {
        readFile()
        while let path = rest.popFirst() {
            guard !sensor.isStopping else { return sensor.publish { $0.isCutShort = true } }
            do throws(CaptureError) {
                file = try CaptureFile(path: path, filter: filter)
            } catch {
                sensor.publish { $0.breakages.append(error) }
                continue
            }
            readFile()
        }
    }

    private mutating func readFile() {
        probe.mayLackTimes = file.mayLackTimes
        if let statistics = file.statistics {
            probe.note(ofWholeFile: statistics)
            sensor.publish { $0.statistics = statistics }
        }
        var progress = ProgressBar(total: Terminal.hasStandardError ? file.byteCount : nil)
        var end = FrameLoopEnd.stopped
        while end == .stopped, !sensor.isStopping {
            end = Self.readRound(&file, &probe, sensor)
            if let bar = progress.advance(to: file.bytesRead) { Terminal.tell(bar) }
        }
        if Terminal.hasStandardError { Terminal.tell(ProgressBar.erasure) }
        sensor.publish {
            if case .broken(let error) = end { $0.breakages.append(error) }
            $0.isCutShort = $0.isCutShort || end == .stopped
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
