import CallModel
import RTPMeter

/// What a probe has seen of the audio that an end of a call sends itself.
struct OwnAudio {
    /// ``WireReport/audioPacketsSent``.
    var packetsSent: Int?
    /// ``WireReport/isAudioDue``.
    var isDue = true
    /// ``WireReport/audioPacketsUndeliverable``.
    var packetsUndeliverable: Int?
}

extension OwnAudio {
    /// What a report says of it.
    init(in report: WireReport) {
        (packetsSent, isDue) = (report.audioPacketsSent, report.isAudioDue)
        packetsUndeliverable = report.audioPacketsUndeliverable
    }
}

extension WireReport {
    /// A report of what an end receives, and of what it sends.
    init(_ streams: [WireStream], _ sensor: SensorHealth, _ own: OwnAudio, at time: Timestamp) {
        self.init(
            time: time, receivedAt: time, streams: streams, sensor: sensor, audioPacketsSent: own.packetsSent,
            isAudioDue: own.isDue, audioPacketsUndeliverable: own.packetsUndeliverable)
    }
}

// MARK: - What an end sends

extension WireProbe {
    /// What was seen by now of the audio that an end sends.
    func ownAudio(of call: WireCall, _ end: Int, at time: ArrivalTime) -> OwnAudio {
        let undeliverable = Int(call.ends[1 - end].audioUndeliverable)
        return OwnAudio(
            packetsSent: audioPacketsSent(of: call, end), isDue: isAudioDue(of: call, end, at: time),
            packetsUndeliverable: undeliverable > 0 ? undeliverable : nil)
    }

    /// Packets of audio that an end of a call has sent so far, by their numbers; `nil` where no sound was seen either way, and
    /// where only signalling could tell that sound was to go both ways: the stream may be a broadcast, or half of it captured.
    private func audioPacketsSent(of call: WireCall, _ end: Int) -> Int? {
        let sent = call.ends[1 - end].streams.filter { isSound($0) }
        guard !sent.isEmpty || call.isSignalled && call.ends[end].streams.contains(where: { isSound($0) }) else {
            return nil
        }
        return sent.reduce(0) { sum, place in
            let meter = streams[place].meter
            return sum + Int(clamping: meter.expectedPackets) + meter.missedPackets
        }
    }

    /// Whether audio that an end sends is due: not where that stands still and is to go elsewhere, or may have gone past the
    /// probe; nor where its sender has told that it sends none, as the record of who would hear it has it
    /// (``isSilentByChoice(_:since:)``).
    private func isAudioDue(of call: WireCall, _ end: Int, at time: ArrivalTime) -> Bool {
        let sent = call.ends[1 - end].streams.filter { isSound($0) }
        guard let latest = sent.max(by: { isEarlier(streams[$0], streams[$1]) }),
            let last = streams[latest].meter.latestArrival, time.seconds(since: last) > 1
        else { return true }
        if isAbsent(latest) || hasStoppedWithMove(latest, of: call) { return false }
        return control[latest]?.tellsOfMissing == true || !isSilentByChoice(latest, since: last)
    }
}
