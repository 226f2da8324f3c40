import CallModel

/// An object of the type `ssrc`: a stream received or sent, and what the far end says of one that is sent.
struct GoogStream {
    private let id: String
    private let isInbound: Bool
    private let kind: JSONValue

    init(id: String, members: JSONObject) {
        self.id = id
        isInbound =
            id.hasSuffix("_recv")
            || !id.hasSuffix("_send") && members["bytesSent"] == nil && members["packetsSent"] == nil
        let isVideo = members.keys.contains { $0.hasPrefix("googFrameRate") || $0.hasPrefix("googFrameWidth") }
        kind = members["kind"] ?? members["mediaType"] ?? (isVideo ? "video" : "audio")
    }

    /// Gives the members their W3C names.
    /// - Returns: the objects that W3C has beside it.
    func translate(_ members: inout JSONObject) -> [RawObject] {
        // Wrappers of the time copied milliseconds to W3C's names.
        for name in ["jitter", "roundTripTime", "audioLevel"] { members[name] = nil }
        members["kind"] = kind
        // So an old mobile SDK spelt it.
        members.copy("byesSent", to: "bytesSent")
        members.copy("googTrackId", to: "trackIdentifier")
        var others: [RawObject] = []
        if let codec = codec(&members) { others.append(codec) }
        if isInbound {
            translateInbound(&members)
        } else {
            others += [farEnd(of: &members), source(of: &members)].compactMap { $0 }
            translateOutbound(&members)
        }
        return others
    }

    private func translateInbound(_ members: inout JSONObject) {
        members["type"] = "inbound-rtp"
        members.convert("googJitterReceived", to: "jitter", dividing: 1000)
        members.convert("audioOutputLevel", to: "audioLevel", dividing: 32767)
        members.copy("googNacksSent", to: "nackCount")
        members.copy("googPlisSent", to: "pliCount")
        members.copy("googFirsSent", to: "firCount")
        members.copy("googFrameWidthReceived", to: "frameWidth")
        members.copy("googFrameHeightReceived", to: "frameHeight")
        members.copy("googFrameRateDecoded", to: "framesPerSecond")
        members.copy("googFrameRateReceived", to: "framesPerSecond")
        members.copy("codecImplementationName", to: "decoderImplementation")
    }

    private func translateOutbound(_ members: inout JSONObject) {
        members["type"] = "outbound-rtp"
        members["packetsLost"] = nil
        for name in ["totalAudioEnergy", "totalSamplesDuration"] { members[name] = nil }
        members.copy("googNacksReceived", to: "nackCount")
        members.copy("googPlisReceived", to: "pliCount")
        members.copy("googFirsReceived", to: "firCount")
        members.copy("googFrameWidthSent", to: "frameWidth")
        members.copy("googFrameHeightSent", to: "frameHeight")
        members.copy("googFrameRateSent", to: "framesPerSecond")
        members.copy("codecImplementationName", to: "encoderImplementation")
        guard kind == "video" else { return }
        let isCPU = members["googCpuLimitedResolution"]?.truth
        let isBandwidth = members["googBandwidthLimitedResolution"]?.truth
        guard isCPU != nil || isBandwidth != nil else { return }
        members["qualityLimitationReason"] = isCPU == true ? "cpu" : isBandwidth == true ? "bandwidth" : "none"
    }

    /// What RTCP told of a stream that is sent; `nil` before it told anything.
    private func farEnd(of members: inout JSONObject) -> RawObject? {
        var figures: JSONObject = [:]
        figures["roundTripTime"] = members["googRtt"]
        figures.convert("roundTripTime", to: "roundTripTime", dividing: 1000)
        figures["jitter"] = members["googJitterReceived"]
        figures.convert("jitter", to: "jitter", dividing: 1000)
        let isHeardOf = figures["roundTripTime"] != nil || (members["packetsLost"]?.number ?? -1) != -1
        guard isHeardOf else { return nil }
        figures["packetsLost"] = members["packetsLost"]
        figures["localId"] = .string(id)
        members["remoteId"] = .string(id + "-far")
        return beside("far", type: "remote-inbound-rtp", figures, like: members)
    }

    /// What is sent, before it is encoded.
    private func source(of members: inout JSONObject) -> RawObject? {
        var figures: JSONObject = [:]
        for name in ["totalAudioEnergy", "totalSamplesDuration", "trackIdentifier"] { figures[name] = members[name] }
        figures["audioLevel"] = members["audioInputLevel"]
        figures.convert("audioLevel", to: "audioLevel", dividing: 32767)
        figures["width"] = members["googFrameWidthInput"]
        figures["height"] = members["googFrameHeightInput"]
        figures["framesPerSecond"] = members["googFrameRateInput"]
        figures["echoReturnLoss"] = members["googEchoCancellationReturnLoss"]
        figures["echoReturnLossEnhancement"] = members["googEchoCancellationReturnLossEnhancement"]
        guard !figures.isEmpty else { return nil }
        members["mediaSourceId"] = .string(id + "-source")
        var source = beside("source", type: "media-source", figures, like: members)
        source.members["ssrc"] = nil
        return source
    }

    /// The clock rates of the codecs of WebRTC, which old reports leave out (RFC 7587, RFC 3551, RFC 7741, RFC 6184).
    private static let clockRates: [String: Int64] = [
        "opus": 48_000, "pcmu": 8000, "pcma": 8000, "vp8": 90_000, "vp9": 90_000, "h264": 90_000, "av1": 90_000,
    ]

    private func codec(_ members: inout JSONObject) -> RawObject? {
        guard let name = members["googCodecName"]?.text, !name.isEmpty, let kind = kind.text else { return nil }
        let codec = "codec-\(kind)-\(name)"
        members["codecId"] = .string(codec)
        var object = RawObject(
            key: codec, members: ["id": .string(codec), "type": "codec", "mimeType": .string("\(kind)/\(name)")])
        object.members["clockRate"] = Self.clockRates[name.lowercased()].map { .integer($0) }
        object.members["timestamp"] = members["timestamp"]
        return object
    }

    private func beside(
        _ suffix: String, type: JSONValue, _ figures: JSONObject, like members: JSONObject
    ) -> RawObject {
        var object = RawObject(key: "\(id)-\(suffix)", members: figures)
        object.members["id"] = .string(object.key)
        object.members["type"] = type
        object.members["kind"] = kind
        for name in ["ssrc", "timestamp"] { object.members[name] = members[name] }
        return object
    }
}
