import CallModel

/// Gives types and members of earlier engines their W3C names; the old member stays beside the new one.
enum OldNames {
    static func apply(to object: inout StatsObject) {
        retype(&object)
        copy("ip", to: "address", in: &object)
        copy("ipAddress", to: "address", in: &object)
        copy("framerateMean", to: "framesPerSecond", in: &object)
        copy("discardedPackets", to: "packetsDiscarded", in: &object)
        copy("mediaType", to: "kind", in: &object)
        if object.type == .localCandidate || object.type == .remoteCandidate { renameCandidate(&object.members) }
        if object.type == .remoteInboundRTP, object.members["roundTripTime"] == nil {
            // Firefox to 66, in milliseconds.
            object.members.convert("mozRtt", to: "roundTripTime", dividing: 1000)
        }
        guessKind(of: &object)
        takeNetworkApart(&object)
    }

    /// Pion names protocols as Go names networks, with the version of IP, and prints them for the kind of network, too.
    private static func takeNetworkApart(_ object: inout StatsObject) {
        if let plain = object.members["protocol"]?.text.flatMap(transport) { object.members["protocol"] = plain }
        if object.members["networkType"]?.text.flatMap(transport) != nil { object.members["networkType"] = nil }
    }

    private static func transport(_ network: String) -> JSONValue? {
        switch network {
        case "udp4", "udp6": "udp"
        case "tcp4", "tcp6": "tcp"
        default: nil
        }
    }

    /// The types of Firefox to 52, of ORTC and of Kurento, and what W3C calls them.
    static let types = [
        "inboundrtp": StatsType.inboundRTP, "outboundrtp": .outboundRTP, "candidatepair": .candidatePair,
        "localcandidate": .localCandidate, "remotecandidate": .remoteCandidate,
    ]

    /// Gives such objects W3C's types. Beside `goog*` objects, which have the same streams, they are left alone.
    static func retype(_ objects: inout [RawObject]) {
        for index in objects.indices {
            guard let type = objects[index].members["type"]?.text.flatMap({ types[$0] }) else { continue }
            objects[index].members["type"] = .string(type.rawValue)
        }
    }

    private static let candidateTypes: JSONObject = [
        "local": "host", "stun": "srflx", "serverreflexive": "srflx", "peerreflexive": "prflx", "relayed": "relay",
    ]

    private static func renameCandidate(_ members: inout JSONObject) {
        members.copy("transport", to: "protocol")
        members.copy("portNumber", to: "port")
        if let name = members["candidateType"]?.text, let type = candidateTypes[name] {
            members["candidateType"] = type
        }
    }

    /// Old Firefox and Safari print what RTCP reported as the plain type with `isRemote`.
    private static func retype(_ object: inout StatsObject) {
        guard object.members["isRemote"] == .bool(true) else { return }
        switch object.type {
        case .inboundRTP: object.type = .remoteInboundRTP
        case .outboundRTP: object.type = .remoteOutboundRTP
        default: break
        }
    }

    private static func copy(_ old: String, to name: String, in object: inout StatsObject) {
        guard let value = object.members[old], object.members[name] == nil else { return }
        object.members[name] = value
    }

    private static func guessKind(of object: inout StatsObject) {
        guard object.lacksKind else { return }
        let id = object.id.lowercased()
        if id.contains("audio") { object.members["kind"] = "audio" }
        if id.contains("video") { object.members["kind"] = "video" }
    }

    /// Takes the kind that nothing else tells from the codec's `mimeType`.
    static func takeKinds(ofCodecsIn objects: inout [StatsObject]) {
        guard objects.contains(where: \.lacksKind) else { return }
        let codecs = objects.filter { $0.type == .codec }
        let types = Dictionary(codecs.map { ($0.id, $0.members["mimeType"]?.text?.lowercased()) }) { first, _ in first }
        for index in objects.indices where objects[index].lacksKind {
            guard let type = objects[index].members["codecId"]?.text.flatMap({ types[$0] ?? nil }) else { continue }
            if type.hasPrefix("audio/") { objects[index].members["kind"] = "audio" }
            if type.hasPrefix("video/") { objects[index].members["kind"] = "video" }
        }
    }
}

extension StatsObject {
    fileprivate var lacksKind: Bool { type.hasKind && members["kind"] == nil }
}

extension StatsType {
    /// Whether objects of this type are of one kind of media.
    var hasKind: Bool {
        isLocalRTP || isRemoteRTP || self == .track || self == .mediaSource
    }
}
