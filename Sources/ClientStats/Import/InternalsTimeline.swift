import CallModel

/// Puts the series of a connection together to reports, one for each time the page asked for statistics.
///
/// Where objects have a series `timestamp` (Chrome since 117) the polls are the distinct times of local objects; those
/// of `remote-*` objects are arrivals of RTCP. Without, the longest series is spread evenly from its start to its end.
/// A series has a value for every poll at which its member was there: one that is shorter than its object's
/// came later, so it is aligned at its end.
struct InternalsTimeline {
    /// Whether the times are made up.
    let isSpreadEvenly: Bool
    private(set) var reports: [(time: Double, objects: JSONObject)] = []
    private var ticks: [Double] = []

    /// Times closer than this are of one poll.
    private static let pollMilliseconds = 50.0
    /// A series that ends so shortly before the last one was there to the end.
    private static let endMilliseconds = 500.0

    init(_ series: [InternalsSeries]) {
        let objects = Dictionary(grouping: series, by: \.object)
        let local = objects.values.filter { !Self.isRemote($0) }
        let times = local.flatMap { Self.times($0) ?? [] }.sorted()
        isSpreadEvenly = times.isEmpty
        ticks = isSpreadEvenly ? Self.evenTicks(series) : Self.polls(times)
        guard !ticks.isEmpty else { return }
        var polls = [[String: JSONObject]](repeating: [:], count: ticks.count)
        let lastEnd = series.map(\.end).max() ?? 0
        for (id, members) in objects {
            let type = Self.type(of: id, members)
            let course = Self.times(members).map { place($0, isRemote: Self.isRemote(members)) }
            for series in members {
                let positions =
                    course.map { Self.positions(of: series, among: members, course: $0) }
                    ?? evenPositions(of: series, lastEnd: lastEnd)
                for (value, position) in zip(series.values, positions) {
                    guard let position, polls.indices.contains(position), value != .null else { continue }
                    polls[position][id, default: type][series.property] = Self.asReported(value, series.property)
                }
            }
        }
        reports = zip(ticks, polls).compactMap { tick, objects in
            objects.isEmpty ? nil : (tick, JSONObject(objects.mapValues { .object(Self.timed($0, tick)) }))
        }
    }

    /// The page prints text that spells a number as a number.
    private static func asReported(_ value: JSONValue, _ property: String) -> JSONValue {
        guard MemberNames.isText(property), let number = value.wholeNumber, value.text == nil else { return value }
        return .string(String(number))
    }

    private static func timed(_ object: JSONObject, _ tick: Double) -> JSONObject {
        object["timestamp"] == nil ? object.merging(["timestamp": .double(tick)]) { $1 } : object
    }
}

// MARK: - Times

extension InternalsTimeline {
    /// The times of an object, poll by poll.
    private static func times(_ members: [InternalsSeries]) -> [Double]? {
        let times = members.first { $0.property == "timestamp" }?.values.map { $0.number ?? 0 }
        return times?.isEmpty == false ? times : nil
    }

    private static func isRemote(_ members: [InternalsSeries]) -> Bool {
        let type = members.first?.type ?? members.first { $0.property == "type" }?.values.first?.text ?? ""
        return type.hasPrefix("remote-") && type.hasSuffix("-rtp") || type == "certificate"
    }

    private static func polls(_ times: [Double]) -> [Double] {
        times.reduce(into: []) { polls, time in
            if polls.last.map({ time - $0 > pollMilliseconds }) ?? true { polls.append(time) }
        }
    }

    private static func evenTicks(_ series: [InternalsSeries]) -> [Double] {
        guard let longest = series.max(by: { $0.values.count < $1.values.count }) else { return [] }
        let steps = Double(max(longest.values.count - 1, 1))
        return longest.values.indices.map { longest.start + (longest.end - longest.start) * Double($0) / steps }
    }

    /// The poll at each sample of an object.
    private func place(_ times: [Double], isRemote: Bool) -> [Int] {
        guard isRemote else { return times.map(nearestTick) }
        // It was there from the first poll after its first arrival on, and no value was seen before it arrived.
        var first = ticks.firstIndex { $0 + Self.pollMilliseconds >= times[0] } ?? ticks.count - 1
        first = max(0, min(first, ticks.count - times.count))
        for (index, time) in times.enumerated() {
            while first + index < ticks.count - 1, first + times.count < ticks.count,
                time > ticks[first + index] + Self.pollMilliseconds
            {
                first += 1
            }
        }
        return times.indices.map { first + $0 }
    }

    private func nearestTick(_ time: Double) -> Int {
        var low = 0
        var high = ticks.count
        while low < high {
            let middle = (low + high) / 2
            if ticks[middle] < time { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return 0 }
        guard low < ticks.count else { return ticks.count - 1 }
        return time - ticks[low - 1] <= ticks[low] - time ? low - 1 : low
    }

    /// The polls of a series, given those of its object.
    ///
    /// It ends with its object, unless it ends earlier by the clock: then at the sample that is nearest.
    private static func positions(
        of series: InternalsSeries, among members: [InternalsSeries], course: [Int]
    ) -> [Int?] {
        guard let times = members.first(where: { $0.property == "timestamp" }) else { return [] }
        var last = course.count - 1
        let early = times.end - series.end
        if early > endMilliseconds, let lastTime = times.values.last?.number {
            let samples = times.values.map { abs(($0.number ?? 0) - (lastTime - early)) }
            last = samples.indices.min { samples[$0] < samples[$1] } ?? last
        }
        return series.values.indices.map { index in
            let sample = last - (series.values.count - 1 - index)
            return course.indices.contains(sample) ? course[sample] : nil
        }
    }

    /// The polls of a series in a dump without times: it ends at its own end.
    private func evenPositions(of series: InternalsSeries, lastEnd: Double) -> [Int?] {
        let isToTheEnd = lastEnd - series.end <= Self.endMilliseconds
        let last = isToTheEnd ? ticks.count - 1 : nearestTick(series.end)
        return series.values.indices.map { last - (series.values.count - 1 - $0) }
    }
}

// MARK: - Types

extension InternalsTimeline {
    /// The types that ids of libwebrtc begin with; old dumps name none.
    private static let typesByPrefix: [(String, JSONValue)] = [
        ("RTCInboundRTP", "inbound-rtp"), ("RTCOutboundRTP", "outbound-rtp"),
        ("RTCRemoteInbound", "remote-inbound-rtp"), ("RTCRemoteOutbound", "remote-outbound-rtp"),
        ("RTCTransport", "transport"), ("RTCIceCandidatePair", "candidate-pair"), ("RTCMediaStreamTrack", "track"),
        ("RTCMediaStream", "stream"), ("RTCCodec", "codec"), ("RTCAudioSource", "media-source"),
        ("RTCVideoSource", "media-source"), ("RTCDataChannel", "data-channel"), ("RTCCertificate", "certificate"),
        ("RTCPeerConnection", "peer-connection"), ("ssrc_", "ssrc"), ("bweforvideo", "VideoBwe"),
        ("Conn-", "googCandidatePair"), ("Channel-", "googComponent"), ("googTrack_", "googTrack"),
        ("googCertificate_", "googCertificate"),
    ]

    private static func type(of id: String, _ members: [InternalsSeries]) -> JSONObject {
        let own = members.lazy.compactMap(\.type).first { !$0.isEmpty }.map { JSONValue.string($0) }
        let type = own ?? typesByPrefix.first { id.hasPrefix($0.0) }?.1 ?? candidateType(of: id, members)
        return type.map { ["id": .string(id), "type": $0] } ?? ["id": .string(id)]
    }

    /// `RTCIceCandidate_…` of either end are told apart by `isRemote`.
    private static func candidateType(of id: String, _ members: [InternalsSeries]) -> JSONValue? {
        guard id.hasPrefix("RTCIceCandidate_") else { return nil }
        let isRemote = members.first { $0.property == "isRemote" }?.values.last?.truth
        return isRemote.map { $0 ? "remote-candidate" : "local-candidate" }
    }
}
