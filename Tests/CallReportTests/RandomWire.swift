import CallModel
import CallReport
import TestSupport

/// What a probe would never say.
extension RandomRecord {
    mutating func wireStream() -> WireStream {
        var stream = WireStream(
            id: text(), ssrc: pick([0, 1, .max, 0x29A6_3B0E]), source: text(), destination: text(),
            kind: pick([.audio, .video]), role: pick(WireStream.Role.allCases), payloadType: count(),
            firstPacketAt: time(), lastPacketAt: time())
        (stream.codec, stream.clockRate) = (maybe { $0.text() }, maybe { $0.count() })
        (stream.clockOrigin, stream.formatParameters) = (pick([nil, .inferred, .signalled]), maybe { $0.text() })
        (stream.packetMilliseconds, stream.isEncrypted) = (maybe { $0.number() }, maybe { $0.flip() })
        (stream.lastControlAt, stream.lastOutage) = (maybe { $0.time() }, maybe { $0.span() })
        stream.receiverMetrics = maybe { $0.list(3) { $0.metrics() } }
        for (figure, value) in list(60, { ($0.pick(WireFigure.allCases), $0.number()) }) { stream[figure] = value }
        (stream.lossRuns, stream.delayBuckets) = (list(12) { $0.count() }, list(9) { $0.count() })
        return stream
    }

    private mutating func metrics() -> ReceiverMetrics {
        var metrics = ReceiverMetrics(reportedAt: time(), reporter: .max, reports: count())
        (metrics.lossRate, metrics.discardRate, metrics.burstDensity) = (number(), number(), number())
        (metrics.burstMilliseconds, metrics.roundTripMilliseconds) = (count(), maybe { $0.count() })
        (metrics.signalLevelDecibels, metrics.listeningMOS) = (maybe { $0.count() }, maybe { $0.number() })
        metrics.lossConcealment = pick([nil, .standard, .disabled])
        return metrics
    }

    mutating func basis() -> ScoreBasis {
        ScoreBasis(
            rulesVersion: count(), codec: maybe { $0.text() }, isRepairAssumed: maybe { $0.flip() },
            lossPercent: number(), meanLossRun: maybe { $0.number() }, latePercent: maybe { $0.number() },
            concealedPercent: number(), stretchedPercent: number(), silentPercent: number(),
            networkDelayMilliseconds: maybe { $0.number() }, bufferDelayMilliseconds: number(),
            codecDelayMilliseconds: number())
    }

    mutating func rating() -> TransmissionRating {
        TransmissionRating(
            band: pick(SpeechBand.allCases), rFactor: maybe { $0.number() }, listeningRFactor: number(),
            mosLQ: number(),
            mosCQ: maybe { $0.number() }, codecRow: text(), isEstimate: flip(), equipmentImpairment: number(),
            lossRobustness: number(), lossPercent: number(), burstRatio: number(),
            oneWayDelayMilliseconds: maybe { $0.number() })
    }

    mutating func sensor() -> SensorHealth {
        SensorHealth(
            packetsDroppedByKernel: maybe { $0.count() }, packetsDroppedByInterface: maybe { $0.count() },
            holes: list(7) { $0.span() }, packetsRecordedTwice: count(), packetsCutShort: count(),
            unseenMedia: maybe { $0.pick(UnseenMedia.allCases) }, watchedUntil: maybe { $0.time() })
    }

    mutating func capture() -> CaptureFigures {
        var figures = CaptureFigures(name: text())
        (figures.linkType, figures.frames, figures.rtpPackets) = (maybe { $0.text() }, count(), count())
        (figures.rtcpPackets, figures.sipMessages) = (count(), count())
        (figures.streams, figures.calls) = (count(), count())
        (figures.firstFrameAt, figures.lastFrameAt) = (maybe { $0.time() }, maybe { $0.time() })
        figures.otherPackets = Dictionary(list(9) { ($0.text(), $0.count()) }) { first, _ in first }
        figures.refusals = Dictionary(list(9) { ($0.text(), $0.count()) }) { first, _ in first }
        figures.notes = list(3) { $0.text() }
        return figures
    }
}
