import CallModel
import RTPMeter

extension ReceiverMetrics {
    /// What a VoIP metrics block says.
    /// - Parameters:
    ///   - block: The block.
    ///   - reporter: Who gave it.
    ///   - reports: How many such blocks of his there were, this one included.
    ///   - time: When it passed by.
    init(_ block: VoIPMetrics, by reporter: UInt32, reports: Int, at time: Timestamp) {
        self.init(reportedAt: time, reporter: reporter, reports: reports)
        (lossRate, discardRate) = (block.lossRate, block.discardRate)
        (burstDensity, gapDensity) = (block.burstDensity, block.gapDensity)
        (burstMilliseconds, gapMilliseconds) = (Int(block.burstDuration), Int(block.gapDuration))
        minimumGap = Int(block.minimumGap)
        roundTripMilliseconds = block.roundTripDelay.map { Int($0) }
        endSystemMilliseconds = Int(block.endSystemDelay)
        signalLevelDecibels = block.signalLevel.map { Int($0) }
        noiseLevelDecibels = block.noiseLevel.map { Int($0) }
        residualEchoReturnLossDecibels = block.residualEchoReturnLoss.map { Int($0) }
        (rFactor, externalRFactor) = (block.rFactor.map { Int($0) }, block.externalRFactor.map { Int($0) })
        (listeningMOS, conversationalMOS) = (block.listeningMOS, block.conversationalMOS)
        lossConcealment = LossConcealment(block.lossConcealment)
        isJitterBufferAdaptive = block.isJitterBufferAdaptive
        jitterBufferRate = Int(block.jitterBufferRate)
        jitterBufferNominalMilliseconds = Int(block.jitterBufferNominal)
        jitterBufferMaximumMilliseconds = Int(block.jitterBufferMaximum)
        jitterBufferAbsoluteMaximumMilliseconds = Int(block.jitterBufferAbsoluteMaximum)
    }
}

extension ReceiverMetrics.LossConcealment {
    fileprivate init?(_ told: VoIPMetrics.LossConcealment) {
        switch told {
        case .unspecified: return nil
        case .disabled: self = .disabled
        case .enhanced: self = .enhanced
        case .standard: self = .standard
        }
    }
}
