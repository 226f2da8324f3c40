import CallModel
import RTPMeter

/// A call as a probe follows it: two ends, the streams on their way to each, and what is still to be told.
struct WireCall {
    /// One end of a call.
    struct End {
        /// Last part of the observer's name: `caller`, `callee`; `a`, `b` without signalling.
        var name: String
        /// Places of the streams that flow to this end.
        var streams: [Int] = []
        /// Snapshots that wait until it is known whether the silence in them is the network's or the sender's.
        var pending: PendingReports?
        /// Whether a stream came to it of which no report has told.
        var isUntold = false
        /// Up to when was reported.
        var reportedUpTo: ArrivalTime?
    }

    let id: CallID
    /// Whether SIP told of it.
    let isSignalled: Bool
    var ends: [End]
    let startedAt: ArrivalTime
    /// When a packet of media, or a SIP message, last came.
    var lastActivityAt: ArrivalTime
    /// When signalling ended it.
    var endedAt: ArrivalTime?
    /// Whether it was answered, so that media are due.
    var isAnswered = false
    /// Whether media are on hold, or something else than sound flows (T.38).
    var isHeld = false
    /// Whether a hold was among what happened, so that gaps that were forgiven are its.
    var wasHeld = false
    /// The kernel's drops when the call was first seen.
    var statisticsAtStart: CaptureStatistics?
    /// Whether the last of it was told.
    var isConcluded = false
    /// The addresses between which a call without signalling runs.
    var pair: AddressPair?
    /// Packets of which the capture kept too little.
    var packetsCutShort = 0

    init(id: CallID, isSignalled: Bool, at time: ArrivalTime, statistics: CaptureStatistics?) {
        self.id = id
        self.isSignalled = isSignalled
        ends = isSignalled ? [End(name: "caller"), End(name: "callee")] : [End(name: "a"), End(name: "b")]
        startedAt = time
        lastActivityAt = time
        statisticsAtStart = statistics
    }

    /// Whether any stream belongs to it.
    var hasStreams: Bool { ends.contains { !$0.streams.isEmpty } }
}
