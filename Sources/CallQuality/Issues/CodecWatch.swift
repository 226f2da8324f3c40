import CallModel

/// A change to a poorer codec, or from a processor made for it to software.
struct CodecStep: Hashable, Archivable {
    var stream: StreamKey
    var time: Timestamp
    var from: String
    var to: String
    var isOfCodec: Bool
}

/// Watches the codec of one stream.
struct CodecWatch: Hashable, Archivable {
    private(set) var steps: [CodecStep] = []
    private var mimeType: String?
    private var hardware: String?

    private static let mostSteps = 10

    /// The audio band each codec carries, in Hz; what is not here is not compared.
    private static let bands = [
        "audio/opus": 20_000, "audio/red": 20_000, "audio/evs": 20_000, "audio/isac": 16_000, "audio/g722": 7_000,
        "audio/amr-wb": 7_000, "audio/pcmu": 3_400, "audio/pcma": 3_400, "audio/g729": 3_400, "audio/ilbc": 3_400,
        "audio/amr": 3_400, "audio/gsm": 3_400,
    ]

    mutating func take(_ sample: StreamSample, of stream: StreamKey, at time: Timestamp) {
        if let now = sample.codec?.mimeType.lowercased() { takeCodec(now, of: stream, at: time) }
        let labels = sample.labels
        guard let isEfficient = labels.isPowerEfficient, let name = labels.implementation else { return }
        if !isEfficient, let before = hardware {
            note(CodecStep(stream: stream, time: time, from: before, to: name, isOfCodec: false))
        }
        hardware = isEfficient ? name : nil
    }

    private mutating func takeCodec(_ now: String, of stream: StreamKey, at time: Timestamp) {
        guard let band = Self.bands[now] else { return }
        if let before = mimeType, let bandBefore = Self.bands[before], band < bandBefore {
            note(CodecStep(stream: stream, time: time, from: before, to: now, isOfCodec: true))
        }
        mimeType = now
    }

    private mutating func note(_ step: CodecStep) {
        if steps.count < Self.mostSteps { steps.append(step) }
    }
}

// MARK: - Archive

extension CodecStep {
    func write(to archive: inout ArchiveWriter) {
        archive.put(stream, time, from, to)
        archive.put(isOfCodec)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (stream, time, from, to) = try archive.get()
        isOfCodec = try archive.get()
    }
}

extension CodecWatch {
    func write(to archive: inout ArchiveWriter) {
        archive.put(steps, mimeType, hardware)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (steps, mimeType, hardware) = try archive.get()
    }
}
