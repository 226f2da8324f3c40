import CallModel

/// Reads how a call was set up to be from what clients say of it (`callConfig`, `captureSettings`, `iceTimeout`, `startCall`).
struct ConfigurationReader: Archivable {
    private var configuration = CallConfiguration()

    /// `nil` when nothing was said.
    var current: CallConfiguration? {
        configuration == CallConfiguration() ? nil : configuration
    }

    mutating func take(_ event: CallEvent) {
        guard event.action != "sip" else { return }
        if event.foldedAction == "capturesettings" || event.type.contains("apture") { takePicture(event) }
        if event.type == "setStartCallTimeout" {
            configuration.ringSeconds = event.detail("value")?.number ?? configuration.ringSeconds
        }
        guard event.members["detail"]?.members != nil else { return }
        func number(_ name: String) -> Double? { event.detail(name)?.number }
        func whole(_ name: String) -> Int? { number(name).flatMap { Int(exactly: $0.rounded()) } }
        func set<Value>(_ path: WritableKeyPath<CallConfiguration, Value?>, _ value: Value?) {
            if let value { configuration[keyPath: path] = value }
        }
        set(\.iceTimeoutSeconds, number("ICECollectionTimeout"))
        if let option = event.detail("iceOption")?.text {
            configuration.usesTrickle = option.uppercased().contains("TRICKLE")
        }
        set(\.auditSeconds, number("auditFrequency"))
        set(\.mediaSections, whole("mLines"))
        set(\.answeredMediaSections, whole("answerMLines"))
        set(\.ringSeconds, number("startCallTimeout"))
        takeLimits(event.detail("receiveBandwidthLimit"))
        takeCodec(event.detail("audioCodec"))
    }

    private mutating func takeLimits(_ value: JSONValue?) {
        guard let limits = value?.members else { return }
        configuration.audioLimitKilobitsPerSecond = limits["audio"]?.number ?? configuration.audioLimitKilobitsPerSecond
        configuration.videoLimitKilobitsPerSecond = limits["video"]?.number ?? configuration.videoLimitKilobitsPerSecond
    }

    private mutating func takeCodec(_ value: JSONValue?) {
        guard let codec = value?.members else { return }
        configuration.packetMilliseconds = codec["ptime"]?.number ?? configuration.packetMilliseconds
        configuration.usesDTX = codec["opusDtx"]?.truth ?? configuration.usesDTX
        configuration.usesFEC = codec["opusFec"]?.truth ?? configuration.usesFEC
        configuration.opusKilobitsPerSecond =
            codec["opusMaxAverageBitRate"]?.number.map { $0 / 1000 } ?? configuration.opusKilobitsPerSecond
        configuration.maximumPlaybackHertz =
            codec["opusMaxPlaybackRate"]?.number.flatMap { Int(exactly: $0.rounded()) }
            ?? configuration.maximumPlaybackHertz
    }

    /// A size as members, or in a name such as `RESOLUTION_640x480`; "auto" asks for nothing.
    private mutating func takePicture(_ event: CallEvent) {
        let names = [event.detail("resolution")?.text, event.detail("value")?.text, event.type]
        let size = names.lazy.compactMap { $0.flatMap(Self.size) }.first
        let width = event.detail("width")?.number.flatMap { Int(exactly: $0.rounded()) } ?? size?.width
        let height = event.detail("height")?.number.flatMap { Int(exactly: $0.rounded()) } ?? size?.height
        if let width, let height { (configuration.wantedWidth, configuration.wantedHeight) = (width, height) }
        let isRate = event.type.lowercased().contains("framerate")
        let rate =
            event.detail("fps")?.number ?? event.detail("frameRate")?.number
            ?? (isRate ? event.detail("value")?.number : nil)
        configuration.wantedFramesPerSecond = rate ?? configuration.wantedFramesPerSecond
    }

    private static func size(in name: String) -> (width: Int, height: Int)? {
        let numbers = name.split { !$0.isNumber && $0 != "x" && $0 != "X" }
        for part in numbers {
            let sides = part.split { $0 == "x" || $0 == "X" }.compactMap { Int($0) }
            if sides.count == 2 { return (sides[0], sides[1]) }
        }
        return nil
    }
}

// MARK: - Archive

extension ConfigurationReader {
    func write(to archive: inout ArchiveWriter) {
        archive.put(configuration)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        configuration = try archive.get()
    }
}
