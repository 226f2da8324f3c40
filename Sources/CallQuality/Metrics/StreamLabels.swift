import CallModel

/// What an engine says of a stream in words.
struct StreamLabels: Hashable, Archivable {
    var layer: String?
    var scalabilityMode: String?
    var implementation: String?
    var isPowerEfficient: Bool?
    /// `contentType`: `screenshare`, or nothing for a camera.
    var content: String?

    init() {}

    init(of object: StatsObject) {
        layer = object.members["rid"]?.text
        scalabilityMode = object.members["scalabilityMode"]?.text
        implementation = (object.members["decoderImplementation"] ?? object.members["encoderImplementation"])?.text
        isPowerEfficient =
            (object.members["powerEfficientDecoder"] ?? object.members["powerEfficientEncoder"])?.truth
        content = object.members["contentType"]?.text
    }

    /// Whether the picture is of a screen: it changes when what is shown does, and its size with that of a window.
    var isScreen: Bool { content == "screenshare" }

    /// Whether each picture is sent in several sizes over this one stream: `L2T3`, `S3T1` (W3C webrtc-svc), but not `L1T3`.
    var hasSpatialLayers: Bool {
        guard let mode = scalabilityMode, mode.hasPrefix("L") || mode.hasPrefix("S") else { return false }
        return (mode.dropFirst().first?.wholeNumberValue ?? 1) > 1
    }

    /// Takes what is new and keeps what it leaves open.
    mutating func update(_ newer: StreamLabels) {
        layer = newer.layer ?? layer
        scalabilityMode = newer.scalabilityMode ?? scalabilityMode
        implementation = newer.implementation ?? implementation
        isPowerEfficient = newer.isPowerEfficient ?? isPowerEfficient
        content = newer.content ?? content
    }
}

// MARK: - Archive

extension StreamLabels {
    func write(to archive: inout ArchiveWriter) {
        archive.put(layer, scalabilityMode, implementation, isPowerEfficient)
        archive.put(content)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (layer, scalabilityMode, implementation, isPowerEfficient) = try archive.get()
        content = try archive.get()
    }
}
