import CallModel
import RTPMeter

/// A call as a probe follows it: two ends, the streams on their way to each, and what is still to be told.
struct WireCall {
    /// One end of a call.
    struct End {
        /// Who is said to have seen what flows to it.
        let observer: ObserverID
        /// Places of the streams that flow to this end.
        var streams: [Int] = []
        /// Snapshots that wait until it is known whether the silence in them is the network's or the sender's.
        var pending: PendingReports? {
            get { waiting.first }
            set { waiting = newValue.map { [$0] } ?? [] }
        }
        /// ``pending``, if there are any: few ends have some, and every one would have room for them.
        private var waiting: [PendingReports] = []
        /// Snapshots of a call without signalling that is silent, and over if it stays so.
        var deferred: [WireReport] = []
        /// Whether it has said where it expects its media, in words that could be read.
        var isDescribed = false
        /// Whether what it receives goes straight to it from the other end of another leg, which tells of it.
        var isServedElsewhere = false
        /// Whether a stream came to it of which no report has told.
        var isUntold = false
        /// Packets of audio on their way to it that came back as undeliverable.
        var audioUndeliverable: UInt32 = 0
        /// Up to when was reported.
        var reportedUpTo: ArrivalTime?

        init(observer: ObserverID) { self.observer = observer }
    }

    let id: CallID
    /// What SIP calls it; `nil` without signalling.
    var ref: CallRef?
    var ends: [End]
    let startedAt: ArrivalTime
    /// When a packet of media, or a SIP message, last came.
    var lastActivityAt: ArrivalTime
    /// By how many nanoseconds its time is ahead of the clock, which was set back while it went on.
    var clockStep: Int64 = 0
    /// When signalling ended it.
    var endedAt: ArrivalTime?
    /// Whether it was answered, so that media are due.
    var isAnswered = false
    /// Whether an answer to it was acknowledged.
    var isAcknowledged = false
    /// The way of its first SIP message, taken from the caller to the callee; `nil` without, and within one host.
    var signallingWay: Flow?
    /// Whether media are on hold, or something else than sound flows (T.38).
    var isHeld = false
    /// When they last went on.
    var resumedAt: ArrivalTime?
    /// When an end last named a place for its media that was not the call's before.
    var movedAt: ArrivalTime?
    /// The kernel's drops when the call was first seen.
    var statisticsAtStart: CaptureStatistics?
    /// Whether the last of it was told.
    var isConcluded = false
    /// The addresses between which a call without signalling runs.
    var pair: AddressPair?
    /// SIP messages between its hosts of which the capture had kept too little when it began; 0 without signalling, for they
    /// may have set it up.
    var cutMessagesAtStart = 0
    /// Packets of which the capture kept too little.
    var packetsCutShort = 0

    /// - Parameters:
    ///   - id: its identifier.
    ///   - ref: what SIP calls it, where SIP tells of it.
    ///   - probe: the name of the probe, with which the names of the observers begin; `caller` and `callee` end them, and
    ///     `a` and `b` without signalling.
    ///   - time: when it was first seen.
    ///   - statistics: the kernel's drops by then.
    init(id: CallID, ref: CallRef?, probe: String, at time: ArrivalTime, statistics: CaptureStatistics?) {
        self.id = id
        self.ref = ref
        let names = ref == nil ? ["a", "b"] : ["caller", "callee"]
        ends = names.map { End(observer: ObserverID(rawValue: "\(probe):\($0)")) }
        startedAt = time
        lastActivityAt = time
        statisticsAtStart = statistics
    }

    /// Whether SIP told of it.
    var isSignalled: Bool { ref != nil }

    /// Whether any stream belongs to it.
    var hasStreams: Bool { ends.contains { !$0.streams.isEmpty } }

    /// Whether any report of it was told.
    var wasTold: Bool { ends.contains { $0.reportedUpTo != nil } }
}
