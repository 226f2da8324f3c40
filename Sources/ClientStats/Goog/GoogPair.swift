import CallModel

/// What the old `getStats` says of the network: candidate pairs, candidates, components and the bandwidth estimate.
enum GoogPair {
    /// Translates a candidate pair; `roundTripMilliseconds` is its round trip, if that can be believed.
    /// - Returns: its candidates, where the report names only their types and addresses.
    static func translate(
        _ members: inout JSONObject, id: String, roundTripMilliseconds: Double?
    ) -> [RawObject] {
        members["type"] = "candidate-pair"
        members["roundTripTime"] = nil
        members["currentRoundTripTime"] = roundTripMilliseconds.map { JSONValue(fraction: $0 / 1000) }
        members.copy("googChannelId", to: "transportId")
        if let isActive = members["googActiveConnection"]?.truth {
            members["selected"] = .bool(isActive)
            if isActive, members["nominated"] == nil { members["nominated"] = true }
        }
        if members["googWritable"]?.truth == true, members["state"] == nil { members["state"] = "succeeded" }
        return candidates(of: &members, id: id)
    }

    private static func candidates(of members: inout JSONObject, id: String) -> [RawObject] {
        let ends = [("Local", "local"), ("Remote", "remote")]
        return ends.compactMap { name, end in
            guard members["\(end)CandidateId"] == nil, let type = members["goog\(name)CandidateType"] else {
                return nil
            }
            let key = "\(id)-\(end)"
            members["\(end)CandidateId"] = .string(key)
            var candidate: JSONObject = ["id": .string(key), "candidateType": type]
            candidate["timestamp"] = members["timestamp"]
            candidate["transport"] = members["googTransportType"]
            candidate["address"] = members["goog\(name)Address"]
            translateCandidate(&candidate, type: .string("\(end)-candidate"))
            return RawObject(key: key, members: candidate)
        }
    }

    private static let networkTypes: JSONObject = ["lan": "ethernet", "wlan": "wifi", "wwan": "cellular"]

    static func translateCandidate(_ members: inout JSONObject, type: JSONValue) {
        members["type"] = type
        if let name = members["networkType"]?.text { members["networkType"] = networkTypes[name] ?? .string(name) }
    }

    static func translateCertificate(_ members: inout JSONObject) {
        members["type"] = "certificate"
        members.copy("googFingerprint", to: "fingerprint")
        members.copy("googFingerprintAlgorithm", to: "fingerprintAlgorithm")
    }

    /// The estimate stands in an object of its own; W3C has it at the pair in use. 0 is not known.
    static func addBandwidth(to objects: inout [RawObject]) {
        guard let estimate = objects.first(where: { $0.members["type"] == "VideoBwe" })?.members else { return }
        let names = [
            ("googAvailableSendBandwidth", "availableOutgoingBitrate"),
            ("googAvailableReceiveBandwidth", "availableIncomingBitrate"),
        ]
        for index in objects.indices where objects[index].members["selected"] == true {
            for (old, name) in names {
                objects[index].members[name] = estimate[old]?.number.flatMap { $0 > 0 ? JSONValue(fraction: $0) : nil }
            }
        }
    }
}
