import CallModel

/// How well the capture did that the record comes from: whether a fault may be the sensor's and not the network's.
struct CaptureSection: ReportSection {
    let context: ReportContext

    var lines: [Line] {
        guard let sensor = context.summary.sensor else { return [] }
        let faults = SensorWords(sensor, unrecorded: context.summary.packetsUnrecorded)
            .faults(since: context.summary.start)
        guard !faults.isEmpty else {
            return [Line("Capture", .heading) + Line(": no fault was seen" + SensorWords(sensor).limits)]
        }
        return [Line("Capture", .heading)] + faults.flatMap { Wrap.lines($0, columns: context.columns, hanging: 4) }
    }
}

/// What a sensor did wrong, in words.
struct SensorWords {
    private let sensor: SensorHealth
    private let unrecorded: Int

    /// - Parameters:
    ///   - sensor: what it tells of itself.
    ///   - unrecorded: packets that it missed, by what receivers say.
    init(_ sensor: SensorHealth, unrecorded: Int = 0) {
        (self.sensor, self.unrecorded) = (sensor, unrecorded)
    }

    /// What cannot be known of a capture that was read from a file.
    var limits: String {
        guard sensor.packetsDroppedByKernel == nil, sensor.packetsDroppedByInterface == nil else { return "" }
        return " (what the sensor dropped is not in a file)"
    }

    /// Everything that went wrong, what makes loss doubtful first.
    func faults(since start: Timestamp) -> [String] {
        [
            dropped(sensor.packetsDroppedByKernel, by: "the kernel"),
            dropped(sensor.packetsDroppedByInterface, by: "the network interface"),
            holes(since: start), missed, unseen, recordedTwice, cutShort,
        ].compactMap { $0 }
    }

    private func dropped(_ count: Int?, by whom: String) -> String? {
        guard let count, count > 0 else { return nil }
        return "\(whom) dropped \(Words.counted(count, "packet")) while this call or its file was captured: loss "
            + "may be the sensor's, not the network's"
    }

    private var missed: String? {
        guard unrecorded > 0 else { return nil }
        return
            "the receiver has \(Words.counted(unrecorded, "packet")) that the capture has not, by its reports (RTCP): "
            + "this loss may be the sensor's, not the network's"
    }

    private func holes(since start: Timestamp) -> String? {
        guard !sensor.holes.isEmpty else { return nil }
        let shown = sensor.holes.prefix(5).map { hole in
            let offset = Words.offset(milliseconds: hole.start.milliseconds(since: start))
            let length = hole.milliseconds.map { "for \(Words.duration(milliseconds: $0))" } ?? "to the end"
            return "\(UTCTime(hole.start).millisecond) (\(offset)) \(length)"
        }
        let more = sensor.holes.count > 5 ? ", … \(sensor.holes.count - 5) more" : ""
        return "\(Words.counted(sensor.holes.count, "hole")) in the capture, in which no stream at all was recorded: "
            + shown.joined(separator: ", ") + more + "; what is missing there does not count as lost"
    }

    private var unseen: String? {
        switch sensor.unseenMedia {
        case nil: nil
        case .all:
            "no media of this call were seen by this probe: they pass elsewhere, or a filter left them out; what became of "
                + "them is not known"
        case .oneDirection:
            "one direction of this call was seen; signalling or RTCP tells of the other, which passed elsewhere: what is "
                + "missing says nothing of the network"
        case .otherLeg:
            "media pass between this end and one of another leg of the conversation, which tells of them; this leg has "
                + "signalling alone"
        }
    }

    private var recordedTwice: String? {
        guard sensor.packetsRecordedTwice > 0 else { return nil }
        return "\(Words.counted(sensor.packetsRecordedTwice, "packet")) recorded twice (a mirror port of both "
            + "directions, or the \"any\" device); no duplicates of the network"
    }

    private var cutShort: String? {
        guard sensor.packetsCutShort > 0 else { return nil }
        return "\(Words.counted(sensor.packetsCutShort, "packet")) cut short (snap length): what the figures need of "
            + "them was not recorded"
    }
}
