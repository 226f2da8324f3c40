/// Reports the calls of an app to Sidetone: WebRTC's statistics and what happens to each call.
///
/// ```swift
/// let reporter = Reporter(.init(collector: "https://collector.example", token: "sdt_…"))
/// reporter.report(callAdditionalInfo: info)                        // in callAdditionalInfoChanged
/// reporter.report(rtpStatistics: statistics, call: call.id)        // every 10 s, and once more at the end
/// reporter.report("callState", "ENDED", call: call.id, ["statusCode": 9901])
/// ```
///
/// What is reported is on disk when the call returns, so that it survives the end of the app, and is deleted when the
/// collector has stored it. Nothing is thrown and nothing waits for the network. How much is kept is bounded; what had
/// to go is counted in ``figures``. May be called from any thread.
///
/// A class, for there is one folder, and one task that delivers.
public final class Reporter: Sendable {
    private let configuration: Configuration
    private let spool: Spool
    private let courier: Courier
    private let anchors = CallAnchors()
    private let rejections = Counter()
    private let delivery: Task<Void, Never>

    /// Takes up what an earlier run of the app left, and begins to deliver.
    /// - Parameter configuration: where to, as whom, and how much to keep.
    public convenience init(_ configuration: Configuration) {
        self.init(configuration, transport: URLSessionTransport())
    }

    init(_ configuration: Configuration, transport: any Transport) {
        let spool = Spool(folder: configuration.folder, limits: configuration.limits)
        if let trouble = spool.figures.trouble { configuration.log("reports are kept in memory only: \(trouble)") }
        let courier = Courier(of: spool, by: transport, configuration)
        self.configuration = configuration
        self.spool = spool
        self.courier = courier
        delivery = Task(priority: .utility) { await courier.run() }
    }

    deinit {
        delivery.cancel()
    }

    // MARK: What happens

    /// Reports statistics, as `getRTPStatistics` hands them over every 10 s.
    ///
    /// Also after the call has ended: the last report has the last seconds of it.
    /// - Parameters:
    ///   - statistics: the text; `nil` or empty text is passed over. The collector looks into it, not this library: text
    ///     that is no JSON is refused there, and costs nothing else.
    ///   - call: the identifier of the call (Kandy's `getId`).
    ///   - session: the identifier of its session (Kandy's `getCallId`), if it is known.
    ///   - connection: which connection it is, where a call has several.
    public func report(
        rtpStatistics statistics: String?, call: String, session: String? = nil, connection: String? = nil
    ) {
        guard let statistics, !statistics.isEmpty else { return }
        var members: [String: ReportValue] = ["statistics": .text(statistics)]
        members["sessionId"] = session.map(ReportValue.text)
        members["connectionId"] = connection.map(ReportValue.text)
        report("rtpStatistics", "getRTPStatistics", call: call, members)
    }

    /// Reports what `callAdditionalInfoChanged` tells: a map with `action`, `type`, `callId` and `time`.
    /// - Parameters:
    ///   - info: the map as it came; `time` may be text or a number.
    ///   - call: the identifier of the call, where the map has none.
    /// - Returns: how long after its call's `callCreate` it happened; `nil` where that is not known.
    @discardableResult public func report(callAdditionalInfo info: [AnyHashable: Any], call: String? = nil) -> Duration?
    {
        var members: [String: ReportValue] = [:]
        for (key, value) in info { members[ReportValue.name(key)] = ReportValue(value) }
        if members["callId"] == nil { members["callId"] = call.map(ReportValue.text) }
        add(members)
        return anchors.sinceCreation(of: members)
    }

    /// Reports an event.
    /// - Parameters:
    ///   - action: its category: `callState`.
    ///   - type: what happened, by the SDK's own name: `ENDED`.
    ///   - call: the identifier of the call; `nil` where a member names its session.
    ///   - members: what else is said of it: `statusCode`, `reason`, `detail`, … A `time` in ms since 1970 stands in for
    ///     the device's clock.
    public func report(_ action: String, _ type: String, call: String?, _ members: [String: ReportValue] = [:]) {
        var members = members
        members["action"] = .text(action)
        members["type"] = .text(type)
        if let call { members["callId"] = .text(call) }
        add(members)
        _ = anchors.sinceCreation(of: members)
    }

    private func add(_ members: [String: ReportValue]) {
        var members = members
        if members["time"] == nil { members["time"] = .whole(Milliseconds.now) }
        if members["observer"] == nil, members["role"] == nil, members["side"] == nil {
            members["observer"] = configuration.observer.map(ReportValue.text)
        }
        if members["source"] == nil { members["source"] = configuration.source.map(ReportValue.text) }
        do {
            spool.add(try ReportEntry(members))
            courier.noteAddition()
        } catch {
            rejections.increment()
            configuration.log("\(error)")
        }
    }

    // MARK: How it goes

    /// Delivers what waits, at once, as when the app goes to the background. The collector's own wish to wait is respected.
    /// - Parameter patience: how long to wait for it.
    /// - Returns: whether nothing waits any more.
    @discardableResult public func flush(within patience: Duration = .seconds(10)) async -> Bool {
        await courier.flush(within: patience)
    }

    /// Whether a flush waits.
    var isAnybodyWaiting: Bool { courier.isAnybodyWaiting }

    /// Ends delivery, and waits until it has. What is reported from then on is kept for the next reporter of this folder,
    /// which can have it when this object is gone.
    public func stop() async {
        delivery.cancel()
        await delivery.value
    }

    /// What became of what was reported, since this object was made.
    public var figures: Figures {
        let (kept, sent) = (spool.figures, courier.figures)
        return Figures(
            waiting: kept.waiting, delivered: sent.delivered, refused: sent.refused, dropped: kept.dropped,
            rejected: rejections.value, trouble: sent.trouble, storageTrouble: kept.trouble)
    }

    /// What became of what was reported.
    public struct Figures: Hashable, Sendable {
        /// Entries that wait for the collector, also those of earlier runs.
        public internal(set) var waiting = 0
        /// Entries that the collector has stored, or had already.
        public internal(set) var delivered = 0
        /// Entries that the collector will not have; the log has its words.
        public internal(set) var refused = 0
        /// Entries that gave way to younger ones, for there was no room.
        public internal(set) var dropped = 0
        /// What was reported without `action` or `type`, or is too long to be sent.
        public internal(set) var rejected = 0
        /// Why nothing can be delivered now; `nil` while all is well.
        public internal(set) var trouble: String?
        /// Why entries are kept in memory only; `nil` while they are on disk.
        public internal(set) var storageTrouble: String?
    }
}
