import CallModel

/// Lengths between moments, and what is odd about them.
struct SetupLengths {
    var anomalies: Set<String>

    /// Longer than any setup: such a difference says that a clock is wrong.
    private static let implausibleMilliseconds: Int64 = 24 * 3600 * 1000
    /// What SendBird allows its callers to wait, in seconds.
    private static let ringSeconds = 30.0...60.0

    /// In milliseconds; `nil` where either is missing, or the length cannot be.
    mutating func length(_ from: Timestamp?, _ to: Timestamp?, isSigned: Bool = false) -> Int64? {
        guard let from, let to else { return nil }
        let length = to.milliseconds(since: from)
        guard abs(length) < Self.implausibleMilliseconds else {
            anomalies.insert("implausible")
            return nil
        }
        guard length >= 0 || isSigned else {
            anomalies.insert("negative_interval")
            return nil
        }
        return length
    }

    /// Holds what was measured against how the call was set up to be. What the client says stays the truth.
    mutating func check(
        _ setup: inout SetupLatencies, _ configuration: CallConfiguration, _ first: SetupMoments, _ cause: CallEndCause?
    ) {
        setup.isGatheringReported = configuration.usesTrickle.map { !$0 }
        if isInconsistent(setup, configuration) { anomalies.insert("ice_inconsistent") }
        if let offered = configuration.mediaSections, let answered = configuration.answeredMediaSections,
            offered != answered
        {
            anomalies.insert("m_lines_differ")
        }
        guard let seconds = configuration.ringSeconds else { return }
        if !Self.ringSeconds.contains(seconds) { anomalies.insert("timeout_out_of_range") }
        guard cause == .noAnswer, let accepted = first[.requestAccepted], let ended = first[.ended] else {
            return
        }
        let slack = ended.milliseconds(since: accepted) - seconds.wholeMilliseconds
        setup.timeoutSlack = slack
        if slack < 0 { anomalies.insert("timeout_early") }
    }

    /// The time-out cuts gathering off after half of it with a relay, after all of it without (Kandy). Gathering starts
    /// after `callCreate`, so only too short a time contradicts.
    private func isInconsistent(_ setup: SetupLatencies, _ configuration: CallConfiguration) -> Bool {
        guard let outcome = setup.iceOutcome else { return false }
        if configuration.usesTrickle == true { return true }
        guard let timeout = configuration.iceTimeoutSeconds, outcome != .normal else { return false }
        guard timeout > 0, let took = setup.iceGatheringUpperBound else { return timeout == 0 }
        return Double(took) < 1000 * (outcome == .oneRelay ? timeout / 2 : timeout)
    }
}
