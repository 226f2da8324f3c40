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
        guessKind(of: &object)
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
        guard object.members["kind"] == nil, object.type.hasKind else { return }
        let id = object.id.lowercased()
        if id.contains("audio") { object.members["kind"] = "audio" }
        if id.contains("video") { object.members["kind"] = "video" }
    }
}

extension StatsType {
    /// Whether objects of this type are of one kind of media.
    var hasKind: Bool {
        isLocalRTP || isRemoteRTP || self == .track || self == .mediaSource
    }

    var isLocalRTP: Bool {
        self == .inboundRTP || self == .outboundRTP
    }
}
