import CallModel

/// What an engine says of a stream in words.
struct StreamLabels: Hashable, Archivable {
    var layer: String?
    var scalabilityMode: String?
    var implementation: String?
    var isPowerEfficient: Bool?

    init() {}

    init(of object: StatsObject) {
        layer = object.members["rid"]?.text
        scalabilityMode = object.members["scalabilityMode"]?.text
        implementation = (object.members["decoderImplementation"] ?? object.members["encoderImplementation"])?.text
        isPowerEfficient =
            (object.members["powerEfficientDecoder"] ?? object.members["powerEfficientEncoder"])?.truth
    }

    /// Takes what is new and keeps what it leaves open.
    mutating func update(_ newer: StreamLabels) {
        layer = newer.layer ?? layer
        scalabilityMode = newer.scalabilityMode ?? scalabilityMode
        implementation = newer.implementation ?? implementation
        isPowerEfficient = newer.isPowerEfficient ?? isPowerEfficient
    }
}

// MARK: - Archive

extension StreamLabels {
    func write(to archive: inout ArchiveWriter) {
        archive.put(layer, scalabilityMode, implementation, isPowerEfficient)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (layer, scalabilityMode, implementation, isPowerEfficient) = try archive.get()
    }
}
