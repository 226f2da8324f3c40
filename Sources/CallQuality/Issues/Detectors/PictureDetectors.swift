import CallModel

/// What is seen: pictures that stand still or stutter, a decoder that is stuck, an encoder that is held back.
enum PictureDetectors {
    static let all = [
        freeze, lowFrameRate, stuckDecoder, limited(.cpuLimited, "cpu", \.cpuLimitedSeconds),
        limited(.bandwidthLimited, "bandwidth", \.bandwidthLimitedSeconds),
    ]

    private static let freeze = LevelDetector(
        kind: .freeze, media: .video, direction: .inbound, unit: .percent, form: .share(scale: 100), raise: 10,
        clear: 5, warning: 10, critical: 30, evidenceSeconds: 9, windowSeconds: 10,
        members: ["totalFreezesDuration", "totalPausesDuration", "framesDecoded"],
        source: "1 s in 10 s: mean length of webrtc-issue-detector; 30 % of the time: the same",
        reading: { sample in
            guard let told = sample.delta.unmovedSeconds, let active = sample.evidenceSeconds else { return nil }
            let delta = sample.delta
            // Where no blackout is told, a standstill is told while it lasts: it may never be over.
            let untold = delta.untoldStandstillSeconds - delta.earlierStandstillSeconds
            let frozen = told + (delta.isDownWithoutSound ? untold : 0)
            return IssueReading(
                amount: max(0, frozen), base: active, leadSeconds: max(0, frozen - delta.seconds))
        },
        evidence: { record in
            record.context.isFreezeCounted
                ? [.init("totalFreezesDuration", record.amount)]
                : [.init("framesDecoded", 0), .init("stillSeconds", record.amount)]
        })

    private static let lowFrameRate = LevelDetector(
        kind: .lowFrameRate, media: .video, direction: .inbound, unit: .percent, form: .share(scale: 100), raise: 50,
        clear: 30, warning: 50, critical: 80, evidenceSeconds: 9, windowSeconds: 10, members: ["framesDecoded"],
        source: "half of what is usual: ObserveRTC's capture detector",
        reading: { sample in
            guard let frames = sample.delta.counted.frames, let usual = sample.reference?.framesPerSecond, usual > 0,
                let active = sample.evidenceSeconds, (sample.delta.counted.packets ?? 0) > 0
            else { return nil }
            // What stood still is told as such, and what still does at the end with the report in which the picture moves again.
            let still = max(0, sample.delta.unmovedSeconds ?? 0) + sample.delta.standstillAtEndSeconds
            // While sound was missing pictures were, too, and stood still: a blackout is told as such. So did they afterwards
            // where none came in the last second: they wait for a key frame.
            var dark = min(active, sample.darkSeconds)
            if still < dark, sample.delta.sample.framesPerSecond ?? 0 == 0 { dark = max(dark, active - frames / usual) }
            let moving = max(0, active - max(still, dark))
            var reading = IssueReading(amount: max(0, usual * moving - frames), base: usual * moving)
            if dark > 0 { (reading.seconds, reading.excusedSeconds) = (active - dark, dark) }
            return reading
        },
        evidence: { record in
            let usual = record.base
            return [.init("framesDecoded", max(0, usual - record.amount)), .init("framesUsual", usual)]
        })

    private static let stuckDecoder = LevelDetector(
        kind: .stuckDecoder, media: .video, direction: .inbound, unit: .seconds, form: .share(scale: 100), raise: 90,
        clear: 50, warning: 0, critical: 0, evidenceSeconds: 9, windowSeconds: 10,
        members: ["framesDecoded", "packetsReceived", "bytesReceived"],
        source: "no frame from 10 kbit/s and more: ObserveRTC; for 10 s, so that any cadence sees it",
        reading: { sample in
            let counted = sample.delta.counted
            guard let frames = counted.frames, let bytes = counted.bytes, let active = sample.evidenceSeconds,
                sample.delta.heldSeconds == 0, !sample.isDark, sample.darkBefore == 0
            else { return nil }
            let isStuck = frames == 0 && 8 * bytes / active >= StreamDelta.leastPictureRate
            return IssueReading(amount: isStuck ? active : 0, base: active)
        },
        evidence: { [.init("framesDecoded", 0), .init("stuckSeconds", $0.amount)] })

    private static func limited(
        _ kind: IssueKind, _ reason: String, _ seconds: @escaping @Sendable (CounterSet) -> Double?
    ) -> LevelDetector {
        let member = "qualityLimitationDurations.\(reason)"
        return LevelDetector(
            kind: kind, media: .video, direction: .outbound, unit: .percent, form: .share(scale: 100), raise: 30,
            clear: 10, warning: 30, critical: .infinity, evidenceSeconds: 9, windowSeconds: 10,
            members: [member, "qualityLimitationReason"],
            source: "30 % of the time: ObserveRTC; the first 15 s of media left out (our recordings)",
            reading: { sample in
                guard let limited = seconds(sample.delta.counted), sample.delta.seconds > 0,
                    (sample.delta.counted.packets ?? 0) > 0
                else { return nil }
                return IssueReading(amount: limited, base: sample.delta.seconds)
            },
            evidence: { [.init(member, $0.amount)] })
    }
}
