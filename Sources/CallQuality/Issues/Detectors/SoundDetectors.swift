import CallModel

/// What is heard, or not: made-up sound, silence, echo.
enum SoundDetectors {
    static let all = [concealment, silentMicrophone, silentFarEnd, echo]

    private static let concealment = LevelDetector(
        kind: .concealment, media: .audio, direction: .inbound, unit: .percent, form: .share(scale: 100), raise: 3,
        clear: 1, warning: 3, critical: 7, evidenceSeconds: 9, windowSeconds: 10,
        members: ["concealedSamples", "silentConcealedSamples", "totalSamplesReceived"],
        source: "3 %, cleared at 1 %: ObserveRTC; 7 %: Microsoft Teams, Skype for Business",
        reading: { sample in
            let counted = sample.delta.counted
            guard let active = sample.evidenceSeconds else { return nil }
            if let late = counted.lateSeconds { return IssueReading(amount: late, base: active) }
            guard let concealed = counted.concealedSamples, let samples = counted.samples, samples > 0 else {
                return nil
            }
            let ownSilence = sample.delta.isSilenceByDesign ? counted.silentConcealedSamples ?? 0 : 0
            let rate = sample.delta.sampleRate
            return IssueReading(
                amount: (concealed - sample.delta.forgivenConcealedSamples - ownSilence) / rate, base: samples / rate,
                explained: sample.delta.darkConcealedSeconds)
        },
        evidence: { record in
            var evidence = [CallIssue.Evidence("lateSeconds", record.amount)]
            if let rate = record.context.sampleRate {
                evidence = [
                    .init("concealedSamples", (record.amount * rate).rounded()),
                    .init("totalSamplesReceived", (record.base * rate).rounded()),
                ]
            }
            if record.context.expected > 0 { evidence.append(.init("packetsLost", max(0, record.context.lost))) }
            if let jitter = record.context.jitterMilliseconds { evidence.append(.init("jitter", jitter / 1000)) }
            return evidence
        })

    private static func silence(
        _ kind: IssueKind, _ direction: MediaDirection, members: [String], source: String
    ) -> LevelDetector {
        LevelDetector(
            kind: kind, media: .audio, direction: direction, unit: .seconds, form: .share(scale: 100), raise: 97,
            clear: 50, warning: direction == .outbound ? 0 : .infinity, critical: .infinity, evidenceSeconds: 28,
            windowSeconds: 30, members: members, source: source,
            reading: { sample in
                let counted = sample.delta.counted
                guard sample.quietSeconds == 0, let active = sample.evidenceSeconds, let packets = counted.packets,
                    packets > 0, let isSilence = sample.isSilence, sample.delta.heldSeconds == 0
                else { return nil }
                return IssueReading(amount: isSilence && !sample.isHeardBeside ? active : 0, base: active)
            },
            evidence: { [.init("totalAudioEnergy", nil), .init("totalSamplesDuration", $0.base)] })
    }

    private static let silentMicrophone = silence(
        .silentMicrophone, .outbound, members: ["totalAudioEnergy", "totalSamplesDuration", "packetsSent"],
        source: "RMS 0.001 of full scale for 30 s: ObserveRTC, Telnyx")
    private static let silentFarEnd = silence(
        .silentFarEnd, .inbound, members: ["totalAudioEnergy", "totalSamplesDuration", "packetsReceived"],
        source: "RMS 0.001 of full scale for 30 s while packets come: Telnyx")

    /// Engines that measured nothing report −100 dB, or −30 dB: there libwebrtc's AEC3 begins (`kMaxErl` in its ErlEstimator),
    /// and comes down by a tenth a block. What comes back 10 dB louder than speech of −26 dBov overloads the microphone, for
    /// its peaks are 16 dB above: no such loss is measured.
    private static let leastReturnLoss = -10.0
    /// AEC3 rests at this enhancement, the logarithm of 1 as it approximates it, while it has found none.
    private static let idleEnhancement = 0.1755...0.1756

    /// How loud the loudspeaker comes back: the less return loss, the worse.
    private static let echo = LevelDetector(
        kind: .echo, media: .audio, direction: .outbound, unit: .decibels, form: .level, raise: -20, clear: -25,
        warning: -10, critical: 0, evidenceSeconds: 20, windowSeconds: 30,
        members: ["echoReturnLoss", "echoReturnLossEnhancement"],
        source: "own choice: 20 dB in all is what ITU-T G.131 grants no delay",
        reading: { sample in
            guard let loss = sample.delta.sample.echoReturnLoss,
                let enhancement = sample.delta.sample.echoReturnLossEnhancement, loss > leastReturnLoss,
                enhancement > leastReturnLoss, !idleEnhancement.contains(enhancement), sample.quietSeconds == 0
            else { return nil }
            return IssueReading(amount: -(loss + enhancement), base: 1)
        },
        evidence: { [.init("echoReturnLoss + echoReturnLossEnhancement", -$0.worst)] })
}
