import CallModel

// What of the vocabulary is part of a call's state.

extension MediaKind: Archivable {}
extension MediaDirection: Archivable {}
extension QualityCause: Archivable {}
extension ScoreInterval.Series: Archivable {}
extension SetupLatencies.IceOutcome: Archivable {}
extension PathSummary.Kind: Archivable {}
extension CallEndCause: Archivable {}
extension CallPhase: Archivable {}
extension CallLane.Kind: Archivable {}
extension CallProblem.Kind: Archivable {}
extension PictureChange.Limit: Archivable {}
extension WireStream.Role: Archivable {}
extension WireStream.ClockOrigin: Archivable {}
extension UnseenMedia: Archivable {}
extension ReceiverMetrics.LossConcealment: Archivable {}
extension TenantID: Archivable {}
extension CallID: Archivable {}
extension ObserverID: Archivable {}
extension ConnectionID: Archivable {}

extension Timestamp: Archivable {
    func write(to archive: inout ArchiveWriter) { archive.put(moment: milliseconds) }
    init(from archive: inout ArchiveReader) throws(ArchiveError) { self.init(milliseconds: try archive.moment()) }
}

extension TimeSpan: Archivable {
    func write(to archive: inout ArchiveWriter) { archive.put(start, end) }
    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(start: try archive.get(), end: try archive.get())
    }
}

extension CallKey: Archivable {
    func write(to archive: inout ArchiveWriter) { archive.put(identity.tenant, identity.call, observer, attempt) }
    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(
            identity: CallIdentity(tenant: try archive.get(), call: try archive.get()), observer: try archive.get(),
            attempt: try archive.get())
    }
}

extension StreamKey: Archivable {
    func write(to archive: inout ArchiveWriter) { archive.put(connection, direction, kind, source) }
    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(
            connection: try archive.get(), direction: try archive.get(), kind: try archive.get(),
            source: try archive.get())
    }
}

extension FactKey: Archivable {
    func write(to archive: inout ArchiveWriter) { archive.put(time, rank, name) }
    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(time: try archive.get(), rank: try archive.get(), name: try archive.get())
    }
}

extension MediaOutage: Archivable {
    func write(to archive: inout ArchiveWriter) { archive.put(span, seconds, evidence) }
    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(span: try archive.get(), seconds: try archive.get(), evidence: try archive.get())
    }
}

extension MediaHold: Archivable {
    func write(to archive: inout ArchiveWriter) { archive.put(span, seconds, isSenderPause) }
    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(span: try archive.get(), seconds: try archive.get(), isSenderPause: try archive.get())
    }
}

extension CallLane: Archivable {
    func write(to archive: inout ArchiveWriter) { archive.put(kind, span, value) }
    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(kind: try archive.get(), span: try archive.get(), value: try archive.get())
    }
}

extension PhaseChange: Archivable {
    func write(to archive: inout ArchiveWriter) { archive.put(time, phase) }
    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(time: try archive.get(), phase: try archive.get())
    }
}

extension CallProblem: Archivable {
    func write(to archive: inout ArchiveWriter) { archive.put(time, kind, name) }
    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(time: try archive.get(), kind: try archive.get(), name: try archive.get())
    }
}

extension OperationCount: Archivable {
    func write(to archive: inout ArchiveWriter) { archive.put(name, succeeded, failed, asked) }
    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(name: try archive.get())
        (succeeded, failed, asked) = try archive.get()
    }
}

extension PictureChange.Picture: Archivable {
    func write(to archive: inout ArchiveWriter) { archive.put(width, height, framesPerSecond) }
    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(width: try archive.get(), height: try archive.get(), framesPerSecond: try archive.get())
    }
}

extension PictureChange: Archivable {
    func write(to archive: inout ArchiveWriter) { archive.put(time, from, to, limit) }
    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(
            time: try archive.get(), from: try archive.get(), to: try archive.get(), limit: try archive.get())
    }
}

extension PathSummary: Archivable {
    func write(to archive: inout ArchiveWriter) {
        archive.put(localType, remoteType, transportProtocol, relayProtocol)
        archive.put(networkType, localAddress, remoteAddress)
        archive.put(changes, roundTripMilliseconds, secondsByKind)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init()
        (localType, remoteType, transportProtocol, relayProtocol) = try archive.get()
        (networkType, localAddress, remoteAddress) = try archive.get()
        (changes, roundTripMilliseconds, secondsByKind) = try archive.get()
    }
}

extension TransportSummary: Archivable {
    func write(to archive: inout ArchiveWriter) {
        archive.put(tlsVersion, dtlsCipher, srtpCipher, dtlsRole)
        archive.put(receivedKilobitsPerSecond, sentKilobitsPerSecond)
        archive.put(leastAvailableKilobitsPerSecond, meanAvailableKilobitsPerSecond, availableBitrateDrops)
        archive.put(answeredChecksPercent, messagesSent, messagesReceived)
        archive.put(playoutDelayMilliseconds, synthesizedPercent, videoAfterAudioMilliseconds)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init()
        (tlsVersion, dtlsCipher, srtpCipher, dtlsRole) = try archive.get()
        (receivedKilobitsPerSecond, sentKilobitsPerSecond) = try archive.get()
        (leastAvailableKilobitsPerSecond, meanAvailableKilobitsPerSecond, availableBitrateDrops) = try archive.get()
        (answeredChecksPercent, messagesSent, messagesReceived) = try archive.get()
        (playoutDelayMilliseconds, synthesizedPercent, videoAfterAudioMilliseconds) = try archive.get()
    }
}

extension ClientClock: Archivable {
    func write(to archive: inout ArchiveWriter) {
        archive.put(steps, usualMilliseconds)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init()
        (steps, usualMilliseconds) = try archive.get()
    }
}

extension ClientClock.Step: Archivable {
    func write(to archive: inout ArchiveWriter) {
        archive.put(receivedAfter, offsetMilliseconds)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        let (receivedAfter, offsetMilliseconds): (Timestamp, Int64) = try archive.get()
        self.init(receivedAfter: receivedAfter, offsetMilliseconds: offsetMilliseconds)
    }
}

extension DataQuality: Archivable {
    func write(to archive: inout ArchiveWriter) {
        archive.put(reports, events, medianIntervalMilliseconds, gaps)
        archive.put(contradictions, counterResets, clockOffsetMilliseconds)
        archive.put(missedReports, clockStepMilliseconds, unknownEvents, notes)
        archive.put(clock)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init()
        (reports, events, medianIntervalMilliseconds, gaps) = try archive.get()
        (contradictions, counterResets, clockOffsetMilliseconds) = try archive.get()
        (missedReports, clockStepMilliseconds, unknownEvents, notes) = try archive.get()
        clock = try archive.get()
    }
}

extension CallConfiguration: Archivable {
    func write(to archive: inout ArchiveWriter) {
        archive.put(iceTimeoutSeconds, usesTrickle, auditSeconds, mediaSections)
        archive.put(answeredMediaSections, audioLimitKilobitsPerSecond, videoLimitKilobitsPerSecond)
        archive.put(packetMilliseconds, usesDTX, usesFEC, opusKilobitsPerSecond)
        archive.put(maximumPlaybackHertz, wantedWidth, wantedHeight)
        archive.put(wantedFramesPerSecond, ringSeconds)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init()
        (iceTimeoutSeconds, usesTrickle, auditSeconds, mediaSections) = try archive.get()
        (answeredMediaSections, audioLimitKilobitsPerSecond, videoLimitKilobitsPerSecond) = try archive.get()
        (packetMilliseconds, usesDTX, usesFEC, opusKilobitsPerSecond) = try archive.get()
        (maximumPlaybackHertz, wantedWidth, wantedHeight) = try archive.get()
        (wantedFramesPerSecond, ringSeconds) = try archive.get()
    }
}

extension SensorHealth: Archivable {
    func write(to archive: inout ArchiveWriter) {
        archive.put(packetsDroppedByKernel, packetsDroppedByInterface, watchedUntil)
        archive.put(holes, packetsRecordedTwice, packetsCutShort, unseenMedia)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init()
        (packetsDroppedByKernel, packetsDroppedByInterface, watchedUntil) = try archive.get()
        (holes, packetsRecordedTwice, packetsCutShort, unseenMedia) = try archive.get()
    }
}

extension WireFigures: Archivable {
    /// The number of figures that are known; of each its place and its value.
    func write(to archive: inout ArchiveWriter) {
        let known = WireFigure.allCases.filter { self[$0] != nil }
        archive.put(byte: UInt8(known.count))
        for figure in known {
            archive.put(byte: UInt8(figure.rawValue))
            archive.put(self[figure] ?? 0)
        }
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init()
        for _ in 0..<(try archive.byte()) {
            guard let figure = WireFigure(rawValue: Int(try archive.byte())) else { throw ArchiveError() }
            self[figure] = try archive.get() as Double
        }
    }
}

extension ReceiverMetrics: Archivable {
    func write(to archive: inout ArchiveWriter) {
        archive.put(reportedAt, reporter, reports)
        archive.put(lossRate, discardRate, burstDensity, gapDensity)
        archive.put(burstMilliseconds, gapMilliseconds, minimumGap)
        archive.put(roundTripMilliseconds, endSystemMilliseconds)
        archive.put(signalLevelDecibels, noiseLevelDecibels, residualEchoReturnLossDecibels)
        archive.put(rFactor, externalRFactor, listeningMOS, conversationalMOS)
        archive.put(lossConcealment, isJitterBufferAdaptive, jitterBufferRate)
        archive.put(jitterBufferNominalMilliseconds, jitterBufferMaximumMilliseconds)
        archive.put(jitterBufferAbsoluteMaximumMilliseconds)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(reportedAt: try archive.get(), reporter: try archive.get(), reports: try archive.get())
        (lossRate, discardRate, burstDensity, gapDensity) = try archive.get()
        (burstMilliseconds, gapMilliseconds, minimumGap) = try archive.get()
        (roundTripMilliseconds, endSystemMilliseconds) = try archive.get()
        (signalLevelDecibels, noiseLevelDecibels, residualEchoReturnLossDecibels) = try archive.get()
        (rFactor, externalRFactor, listeningMOS, conversationalMOS) = try archive.get()
        (lossConcealment, isJitterBufferAdaptive, jitterBufferRate) = try archive.get()
        (jitterBufferNominalMilliseconds, jitterBufferMaximumMilliseconds) = try archive.get()
        jitterBufferAbsoluteMaximumMilliseconds = try archive.get()
    }
}

extension WireStream: Archivable {
    func write(to archive: inout ArchiveWriter) {
        archive.put(id, ssrc, source, destination)
        archive.put(kind, role, payloadType)
        archive.put(firstPacketAt, lastPacketAt, figures)
        archive.put(codec, clockRate, clockOrigin, formatParameters)
        archive.put(packetMilliseconds, isEncrypted)
        archive.put(lastControlAt, lastOutage, lossRuns, delayBuckets)
        archive.put(receiverMetrics)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        let (id, ssrc, source, destination): (String, UInt32, String, String) = try archive.get()
        let (kind, role, payloadType): (MediaKind, Role, Int) = try archive.get()
        let (first, last, figures): (Timestamp, Timestamp, WireFigures) = try archive.get()
        self.init(
            id: id, ssrc: ssrc, source: source, destination: destination, kind: kind, role: role,
            payloadType: payloadType, firstPacketAt: first, lastPacketAt: last, figures: figures)
        (codec, clockRate, clockOrigin, formatParameters) = try archive.get()
        (packetMilliseconds, isEncrypted) = try archive.get()
        (lastControlAt, lastOutage, lossRuns, delayBuckets) = try archive.get()
        receiverMetrics = try archive.get()
    }
}
