import CallModel

/// Brings reports of the `getStats` that Chrome had before W3C's, and old apps have, to W3C names, types and units.
///
/// Such a report is known by objects of the type `ssrc`. Members that W3C does not have stay as sent. The round trip of
/// a candidate pair needs the reports before (``GoogRoundTrips``), so one value follows a series.
struct GoogReports {
    static let note = "old goog* statistics, translated to W3C names and units"
    private var roundTrips = GoogRoundTrips()

    /// Translates a report.
    /// - Parameters:
    ///   - objects: Those of the report, as sent; some are added.
    ///   - connection: Whose report it is.
    ///   - carried: The time of the message around it.
    /// - Returns: whether it was one of these; if not, it is left alone.
    mutating func translate(_ objects: inout [RawObject], of connection: ConnectionID, carried: Timestamp?) -> Bool {
        guard objects.contains(where: { $0.isGoog }) else { return false }
        var added: [RawObject] = []
        for index in objects.indices {
            let id = objects[index].id
            var members = objects[index].members
            // A certificate's bytes identify; W3C's name for them is among those that are dropped.
            members["base64Certificate"] = members.removeValue(forKey: "googDerBase64")
            switch members["type"]?.text {
            case "ssrc": added += GoogStream(id: id, members: members).translate(&members)
            case "googCandidatePair", "candidatepair", "candidate-pair":
                let time = (members["timestamp"].flatMap(EpochTime.init)?.timestamp ?? carried)
                let roundTrip = members["googRtt"]?.number.flatMap {
                    roundTrips.take($0, of: id, connection: connection, at: time)
                }
                added += GoogPair.translate(&members, id: id, roundTripMilliseconds: roundTrip)
            case "localcandidate": GoogPair.translateCandidate(&members, type: "local-candidate")
            case "remotecandidate": GoogPair.translateCandidate(&members, type: "remote-candidate")
            case "googComponent": members["type"] = "transport"
            case "googCertificate": GoogPair.translateCertificate(&members)
            default: break
            }
            objects[index].members = members
        }
        objects.append(unknown: added)
        GoogPair.addBandwidth(to: &objects)
        return true
    }
}

extension RawObject {
    /// Whether it is a stream, a pair or the bandwidth estimate of the old kind.
    fileprivate var isGoog: Bool {
        switch members["type"]?.text {
        case "ssrc", "googCandidatePair", "VideoBwe", "googComponent": true
        default: false
        }
    }
}

extension JSONObject {
    /// Copies a member to another name, unless that is taken.
    mutating func copy(_ name: String, to other: String) {
        if self[other] == nil, let value = self[name] { self[other] = value }
    }

    /// Copies a number in other units to another name, whatever stands there. Below 0 it is not known.
    mutating func convert(_ name: String, to other: String, dividing divisor: Double) {
        guard let value = self[name]?.number else { return }
        self[other] = value >= 0 ? JSONValue(fraction: value / divisor) : nil
    }
}
