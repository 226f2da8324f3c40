import CallModel

/// One wire report as it was sent.
struct WireReportReader {
    let call: CallID
    let observer: ObserverID
    let unknownProperties: [String]
    private let time: Timestamp
    private let members: JSONObject
    private let context: ParsingContext

    private static let known = Set(
        Envelope.observerNames + [
            "callId", "time", "timeUnit", "streams", "sensor", "audioPacketsSent", "isAudioDue",
            "audioPacketsUndeliverable",
        ])
    /// More streams than any call has: each costs a row every few seconds.
    private static let mostStreams = 1_000
    private static let identifiers = ["id", "source", "destination", "mimeType"]
    private static let plausible = "milliseconds since 1970 in the years 2000 to 2099"

    /// Reads whose report it is and when it was made; `context` names the observer that stands in when it names none.
    /// - Throws: ``Problem`` when the call is not named, or the time is missing or implausible.
    init(_ members: JSONObject, in context: ParsingContext) throws(Problem) {
        self.members = members
        self.context = context
        call = try Self.call(of: members, in: context)
        observer = try Envelope.observer(in: members, limits: context.limits) ?? context.observer ?? .wire
        let carried = try EventTime(members, receivedAt: context.receivedAt)
        guard !carried.isImplausible else {
            throw .wrongType("time", members["time"] ?? .null, expected: Self.plausible)
        }
        time = carried.timestamp
        unknownProperties = members.keys.filter { !Self.known.contains($0) }
    }

    private static func call(of members: JSONObject, in context: ParsingContext) throws(Problem) -> CallID {
        let own = try identifier("callId", in: members, limits: context.limits)
        if let path = context.call { return try EventReader.agreed(own, with: path) }
        guard let own else { throw .missing("callId") }
        return CallID(rawValue: own)
    }

    /// The report, its addresses cut.
    func report() throws(Problem) -> WireReport {
        try checkSizes()
        let sent: WireReport
        do {
            sent = try WireReport(members: members, time: time, receivedAt: context.receivedAt)
        } catch {
            throw Problem(error.found == nil ? .missingMember : .wrongType, "\(error)")
        }
        try Self.checkMoments(of: sent)
        for stream in sent.streams { try Self.checkFigures(of: stream) }
        return WireReport(
            time: sent.time, receivedAt: sent.receivedAt, streams: sent.streams.map(redacted),
            sensor: sent.sensor, audioPacketsSent: sent.audioPacketsSent, isAudioDue: sent.isAudioDue,
            audioPacketsUndeliverable: sent.audioPacketsUndeliverable)
    }

    private func redacted(_ stream: WireStream) -> WireStream {
        var stream = stream
        stream.source = NetworkAddress.keepEndpoint(stream.source, by: context.addresses)
        stream.destination = NetworkAddress.keepEndpoint(stream.destination, by: context.addresses)
        stream.formatParameters = stream.formatParameters.map { AddressText.redact($0, by: context.addresses) }
        return stream
    }
}

// MARK: - Limits

extension WireReportReader {
    private func checkSizes() throws(Problem) {
        if let longest = JSONValue.object(members).longestText, longest > context.limits.stringBytes {
            throw .tooLong("a text of the report", bytes: longest, limit: context.limits.stringBytes)
        }
        guard case .array(let streams)? = members["streams"] else { return }
        guard streams.count <= Self.mostStreams else {
            throw Problem(
                .tooLarge, "`streams` has \(streams.count) elements; at most \(Self.mostStreams) are accepted")
        }
        for (index, stream) in streams.enumerated() {
            for name in Self.identifiers {
                let bytes = stream.members?[name]?.text?.utf8.count ?? 0
                guard bytes > context.limits.identifierBytes else { continue }
                throw .tooLong("`streams[\(index)].\(name)`", bytes: bytes, limit: context.limits.identifierBytes)
            }
        }
    }

    private static func checkMoments(of report: WireReport) throws(Problem) {
        for hole in report.sensor.holes { try check(hole, "a hole of `sensor`") }
        if let moment = report.sensor.watchedUntil { try check(moment, "`watchedUntil` of `sensor`") }
        for stream in report.streams {
            let place = "of the stream \(stream.id)"
            try check(stream.firstPacketAt, "`firstPacketAt` \(place)")
            try check(stream.lastPacketAt, "`lastPacketAt` \(place)")
            if let moment = stream.lastControlAt { try check(moment, "`lastControlAt` \(place)") }
            if let span = stream.lastOutage { try check(span, "`lastOutage` \(place)") }
            for metrics in stream.receiverMetrics ?? [] {
                try check(metrics.reportedAt, "`reportedAt` in `receiverMetrics` \(place)")
            }
        }
    }

    private static func checkFigures(of stream: WireStream) throws(Problem) {
        for figure in WireFigure.allCases where !signed.contains(figure) {
            try check(stream[figure], figure.name, of: stream)
        }
        try check(stream.packetMilliseconds, "packetMilliseconds", of: stream)
    }

    /// All others are counts and lengths.
    private static let signed: Set<WireFigure> = [
        .maximumSkew, .clockDrift, .receiverPacketsLost, .packetsLostBehind,
    ]

    private static func check(_ number: Double?, _ name: String, of stream: WireStream) throws(Problem) {
        guard let number, number < 0 else { return }
        throw Problem(.wrongType, "`\(name)` of the stream \(stream.id) is \(number), expected 0 or more")
    }

    private static func check(_ span: TimeSpan, _ place: String) throws(Problem) {
        try check(span.start, "`start` of \(place)")
        if let end = span.end { try check(end, "`end` of \(place)") }
    }

    private static func check(_ moment: Timestamp, _ place: String) throws(Problem) {
        guard !EpochTime.plausible.contains(moment) else { return }
        throw Problem(.wrongType, "\(place) is \(moment.milliseconds), expected \(plausible)")
    }
}
