/// Why members could not be read as a wire report.
public struct WireReportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where it stands, as a path from the report: `streams[0].ssrc`.
    public var path: String
    /// What was found there; `nil` when nothing was.
    public var found: String?
    /// What should stand there.
    public var expected: String

    public init(path: String, found: String?, expected: String) {
        self.path = path
        self.found = found
        self.expected = expected
    }

    public var description: String {
        found.map { "`\(path)` is \($0), expected \(expected)" } ?? "`\(path)` is missing, expected \(expected)"
    }
}

extension WireReport {
    /// The report as JSON members, as `POST /v1/wire` takes it and stores keep it; ``time`` and ``receivedAt`` apart.
    public var members: JSONObject {
        var result: JSONObject = [
            "streams": .array(streams.map { .object($0.members) }), "sensor": .object(sensor.members),
        ]
        result["audioPacketsSent"] = audioPacketsSent.map { .integer(Int64($0)) }
        if !isAudioDue { result["isAudioDue"] = .bool(false) }
        result["audioPacketsUndeliverable"] = audioPacketsUndeliverable.map { .integer(Int64($0)) }
        return result
    }

    /// Reads what ``members`` wrote.
    public init(members: JSONObject, time: Timestamp, receivedAt: Timestamp) throws(WireReportError) {
        guard case .array(let values)? = members["streams"] else {
            throw WireReportError(
                path: "streams", found: members["streams"]?.shortText, expected: "an array of streams")
        }
        var streams: [WireStream] = []
        for (index, value) in values.enumerated() {
            streams.append(try WireStream(reader: MemberReader(value, path: "streams[\(index)]")))
        }
        var sensor = SensorHealth()
        if let value = members["sensor"], value != .null {
            sensor = try SensorHealth(reader: MemberReader(value, path: "sensor"))
        }
        self.init(time: time, receivedAt: receivedAt, streams: streams, sensor: sensor)
        let reader = try MemberReader(.object(members), path: "report")
        let counts = 0...Int64(1 << 53)
        audioPacketsSent = try reader.optionalWhole("audioPacketsSent", in: counts).map { Int($0) }
        isAudioDue = try reader.optionalTruth("isAudioDue") ?? true
        audioPacketsUndeliverable = try reader.optionalWhole("audioPacketsUndeliverable", in: counts).map { Int($0) }
    }
}

extension WireStream {
    fileprivate var members: JSONObject {
        var result: JSONObject = [
            "id": .string(id), "ssrc": .integer(Int64(ssrc)), "source": .string(source),
            "destination": .string(destination), "kind": .string(kind.rawValue), "role": .string(role.rawValue),
            "payloadType": .integer(Int64(payloadType)), "firstPacketAt": .integer(firstPacketAt.milliseconds),
            "lastPacketAt": .integer(lastPacketAt.milliseconds),
            "lossRuns": .array(lossRuns.map { .integer(Int64($0)) }),
            "delayBuckets": .array(delayBuckets.map { .integer(Int64($0)) }),
        ]
        result["mimeType"] = codec.map(JSONValue.string)
        result["clockRate"] = clockRate.map { .integer(Int64($0)) }
        result["clockOrigin"] = clockOrigin.map { .string($0.rawValue) }
        result["sdpFmtpLine"] = formatParameters.map(JSONValue.string)
        result["packetMilliseconds"] = packetMilliseconds.map(JSONValue.double)
        result["isEncrypted"] = isEncrypted.map(JSONValue.bool)
        result["lastControlAt"] = lastControlAt.map { .integer($0.milliseconds) }
        result["lastOutage"] = lastOutage.map(\.value)
        result["receiverMetrics"] = receiverMetrics.map { .array($0.map { .object($0.members) }) }
        for (name, value) in figures.byName { result[name] = .double(value) }
        return result
    }

    fileprivate init(reader: MemberReader) throws(WireReportError) {
        let ssrc = try reader.whole("ssrc", in: 0...Int64(UInt32.max))
        self.init(
            id: try reader.optionalText("id") ?? String(ssrc), ssrc: UInt32(ssrc),
            source: try reader.optionalText("source") ?? "", destination: try reader.optionalText("destination") ?? "",
            kind: try reader.choice("kind", of: MediaKind.self),
            role: try reader.optionalChoice("role", of: Role.self) ?? .primary,
            payloadType: Int(try reader.whole("payloadType", in: 0...127)),
            firstPacketAt: Timestamp(milliseconds: try reader.whole("firstPacketAt")),
            lastPacketAt: Timestamp(milliseconds: try reader.whole("lastPacketAt")))
        codec = try reader.optionalText("mimeType")
        clockRate = try reader.optionalWhole("clockRate", in: 1...Int64(UInt32.max)).map { Int($0) }
        clockOrigin = try reader.optionalChoice("clockOrigin", of: ClockOrigin.self)
        formatParameters = try reader.optionalText("sdpFmtpLine")
        packetMilliseconds = try reader.optionalNumber("packetMilliseconds")
        isEncrypted = try reader.optionalTruth("isEncrypted")
        lastControlAt = try reader.optionalWhole("lastControlAt").map(Timestamp.init(milliseconds:))
        if let span = try reader.object("lastOutage") { lastOutage = try TimeSpan(reader: span) }
        let metrics = try reader.objects("receiverMetrics", atMost: ReceiverMetrics.mostReporters)
        receiverMetrics = metrics.isEmpty ? nil : []
        for report in metrics { receiverMetrics?.append(try ReceiverMetrics(reader: report)) }
        lossRuns = try reader.counts("lossRuns", atMost: 10)
        delayBuckets = try reader.counts("delayBuckets", atMost: 8)
        for figure in WireFigure.allCases {
            figures[figure] = try reader.optionalNumber(figure.name)
        }
    }
}

extension SensorHealth {
    fileprivate var members: JSONObject {
        var result: JSONObject = [
            "packetsRecordedTwice": .integer(Int64(packetsRecordedTwice)),
            "packetsCutShort": .integer(Int64(packetsCutShort)),
        ]
        result["packetsDroppedByKernel"] = packetsDroppedByKernel.map { .integer(Int64($0)) }
        result["packetsDroppedByInterface"] = packetsDroppedByInterface.map { .integer(Int64($0)) }
        result["holes"] = .array(holes.map(\.value))
        result["unseenMedia"] = unseenMedia.map { .string($0.rawValue) }
        result["watchedUntil"] = watchedUntil.map { .integer($0.milliseconds) }
        return result
    }

    fileprivate init(reader: MemberReader) throws(WireReportError) {
        let counts = 0...Int64(Int32.max)
        self.init(
            packetsDroppedByKernel: try reader.optionalWhole("packetsDroppedByKernel", in: counts).map { Int($0) },
            packetsDroppedByInterface: try reader.optionalWhole("packetsDroppedByInterface", in: counts).map {
                Int($0)
            },
            packetsRecordedTwice: Int(try reader.optionalWhole("packetsRecordedTwice", in: counts) ?? 0),
            packetsCutShort: Int(try reader.optionalWhole("packetsCutShort", in: counts) ?? 0),
            unseenMedia: try reader.optionalChoice("unseenMedia", of: UnseenMedia.self),
            watchedUntil: try reader.optionalWhole("watchedUntil").map(Timestamp.init(milliseconds:)))
        for hole in try reader.objects("holes", atMost: 1_000) { holes.append(try TimeSpan(reader: hole)) }
    }
}

extension TimeSpan {
    fileprivate var value: JSONValue {
        ["start": .integer(start.milliseconds), "end": end.map { .integer($0.milliseconds) } ?? .null]
    }

    fileprivate init(reader: MemberReader) throws(WireReportError) {
        self.init(
            start: Timestamp(milliseconds: try reader.whole("start")),
            end: try reader.optionalWhole("end").map(Timestamp.init(milliseconds:)))
    }
}
