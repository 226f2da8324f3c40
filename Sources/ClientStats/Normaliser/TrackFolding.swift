import CallModel

/// Brings what `track` objects tell of a stream to the stream itself, as W3C has it since 2022.
///
/// Chromium up to 111 and Safari up to 16 print frame sizes, jitter buffer and concealment of some streams only there.
/// The `track` objects stay.
enum TrackFolding {
    /// Members that describe the track and not the stream.
    private static let own: Set<String> = ["detached", "ended", "remoteSource", "deleted", "priority"]

    static func apply(to objects: inout [StatsObject]) {
        guard objects.contains(where: { $0.type == .track }) else { return }
        let tracks = objects.filter { $0.type == .track }
        let byID = Dictionary(tracks.map { ($0.id, $0.members) }) { first, _ in first }
        for index in objects.indices where objects[index].type.isLocalRTP {
            guard let id = objects[index].members["trackId"]?.text, let track = byID[id] else { continue }
            fold(track, into: &objects[index].members)
        }
    }

    private static func fold(_ track: JSONObject, into members: inout JSONObject) {
        // Where both have a level, that of the track is on W3C's scale, the stream's may be on that of 16-bit samples.
        if let level = track["audioLevel"] { members["audioLevel"] = level }
        members.merge(track.filter { !own.contains($0.key) }) { standing, _ in standing }
    }
}
