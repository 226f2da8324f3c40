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
        audioPacketsSent = try MemberReader(.object(members), path: "report")
            .optionalWhole("audioPacketsSent", in: 0...1 << 53).map { Int($0) }
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

// MARK: - Reading members

/// Reads members of one object and says what is wrong with one that cannot be read.
private struct MemberReader {
    let members: JSONObject
    let path: String

    init(_ value: JSONValue, path: String) throws(WireReportError) {
        guard let members = value.members else {
            throw WireReportError(path: path, found: value.shortText, expected: "an object")
        }
        self.members = members
        self.path = path
    }

    private func problem(_ name: String, _ expected: String) -> WireReportError {
        WireReportError(path: "\(path).\(name)", found: members[name]?.shortText, expected: expected)
    }

    private func given(_ name: String) -> JSONValue? {
        members[name].flatMap { $0 == .null ? nil : $0 }
    }

    func optionalText(_ name: String) throws(WireReportError) -> String? {
        guard let value = given(name) else { return nil }
        guard let text = value.text else { throw problem(name, "text") }
        return text
    }

    func optionalTruth(_ name: String) throws(WireReportError) -> Bool? {
        guard let value = given(name) else { return nil }
        guard let truth = value.truth else { throw problem(name, "true or false") }
        return truth
    }

    func optionalNumber(_ name: String) throws(WireReportError) -> Double? {
        guard let value = given(name) else { return nil }
        guard let number = value.number, abs(number) <= Self.largest else { throw problem(name, "a number") }
        return number
    }

    /// Up to here every whole number has a double of its own.
    private static let largest = 9_007_199_254_740_992.0

    func optionalWhole(_ name: String, in range: ClosedRange<Int64>? = nil) throws(WireReportError) -> Int64? {
        guard given(name) != nil else { return nil }
        return try whole(name, in: range)
    }

    func whole(_ name: String, in range: ClosedRange<Int64>? = nil) throws(WireReportError) -> Int64 {
        let words = range.map { "a whole number of \($0.lowerBound) to \($0.upperBound)" } ?? "a whole number"
        guard let number = given(name)?.wholeNumber, range?.contains(number) ?? true else {
            throw problem(name, words)
        }
        return number
    }

    func optionalChoice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, of type: Choice.Type
    ) throws(WireReportError) -> Choice? where Choice.RawValue == String {
        given(name) == nil ? nil : try choice(name, of: type)
    }

    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, of type: Choice.Type
    ) throws(WireReportError) -> Choice where Choice.RawValue == String {
        guard let choice = given(name)?.text.flatMap(Choice.init(rawValue:)) else {
            throw problem(name, "one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return choice
    }

    func counts(_ name: String, atMost limit: Int) throws(WireReportError) -> [Int] {
        guard let value = given(name) else { return [] }
        guard case .array(let values) = value, values.count <= limit else {
            throw problem(name, "an array of at most \(limit) counts")
        }
        var result: [Int] = []
        for value in values {
            guard let count = value.wholeNumber, (0...Int64(Int32.max)).contains(count) else {
                throw problem(name, "an array of at most \(limit) counts")
            }
            result.append(Int(count))
        }
        return result
    }

    func object(_ name: String) throws(WireReportError) -> MemberReader? {
        guard let value = given(name) else { return nil }
        return try MemberReader(value, path: "\(path).\(name)")
    }

    func objects(_ name: String, atMost limit: Int) throws(WireReportError) -> [MemberReader] {
        guard let value = given(name) else { return [] }
        guard case .array(let values) = value, values.count <= limit else {
            throw problem(name, "an array of at most \(limit) objects")
        }
        var result: [MemberReader] = []
        for (index, value) in values.enumerated() {
            result.append(try MemberReader(value, path: "\(path).\(name)[\(index)]"))
        }
        return result
    }
}

extension JSONValue {
    /// The value as text of at most 40 characters.
    fileprivate var shortText: String {
        let text = canonicalText
        return text.count <= 40 ? text : text.prefix(39) + "…"
    }
}
