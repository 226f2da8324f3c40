/// Events that say how a call was set up to be, or that something was done which no figure needs.
enum NoteVocabulary {
    static func meanings(of event: CallEvent, _ name: FoldedName) -> [EventMeaning]? {
        if configurations.contains(name) || name.text.hasPrefix("acbvideocaptureresolution")
            || event.foldedAction == "capturesettings"
        {
            return [.configured]
        }
        if FoldedName(event.action) == "dtmf" || tones.contains(name) { return [.tones(count(of: event))] }
        return notes.contains(name) ? [.noted] : nil
    }

    private static let configurations: Set<FoldedName> = [
        "callconfig", "setpreferredvideocaptureresolution", "setpreferredvideoframerate", "preferredcaptureresolution",
        "preferredcaptureframerate", "setpreferredcaptureframerate", "setpreferredcaptureresolution",
        "setvideoresolution", "setstartcalltimeout", "didchangesettings", "setcapturedevice", "sessioncreated",
    ]
    private static let tones: Set<FoldedName> = ["senddtmf", "playdtmfcode"]
    private static let notes: Set<FoldedName> = [
        "getrtpstatistics", "oninitialised", "ucdidstartsession", "onsessionstarted", "sessionended",
        "handlenotification", "setvideoorientation", "setcamera", "switchcamera", "libmsamrinit",
        "setkeepalivetimeout", "onlocalmediastream", "calldidaddlocalmediastream", "calladditionalinfochanged",
        "linphoneregistrationnone", "linphoneregistrationcleared", "pluginrequired", "installrequired",
        "upgraderequired", "audiosessionconfiguration", "cameraposition", "videosourcetype", "addiceserver",
        "localbufferview", "remotebufferview", "connectdate", "connectingdate",
    ]

    /// Digits are taken out on arrival; what is left is how many there were.
    private static func count(of event: CallEvent) -> Int {
        let count = event.detail("count")?.wholeNumber.flatMap { Int(exactly: $0) } ?? 1
        return min(max(0, count), 1_000)
    }
}
