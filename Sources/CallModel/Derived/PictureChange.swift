/// A change of the size of a picture that is sent, while the engine said that something limited it.
public struct PictureChange: Hashable, Sendable, Codable {
    /// What limited it (`qualityLimitationDurations`).
    public enum Limit: String, Hashable, Sendable, Codable, CaseIterable {
        /// The bit rate that the network allows.
        case bandwidth
        /// The processor.
        case cpu
    }

    /// The size and rate of a picture, over the span before a report.
    public struct Picture: Hashable, Sendable, Codable {
        /// Width in pixels.
        public var width: Int
        /// Height in pixels.
        public var height: Int
        /// Frames a second; `nil` where they were not counted.
        public var framesPerSecond: Double?

        public init(width: Int, height: Int, framesPerSecond: Double?) {
            self.width = width
            self.height = height
            self.framesPerSecond = framesPerSecond
        }
    }

    /// The first report of the new size.
    public var time: Timestamp
    /// As it was.
    public var from: Picture
    /// As it became.
    public var to: Picture
    /// What limited it most in the span; `nil` where nothing did, as when the app asked for another size.
    public var limit: Limit?

    public init(time: Timestamp, from: Picture, to: Picture, limit: Limit?) {
        self.time = time
        self.from = from
        self.to = to
        self.limit = limit
    }
}

extension KeyedDecodingContainer {
    /// Summaries of the first version of the rules do not tell of them.
    func decode(_ type: [PictureChange].Type, forKey key: Key) throws -> [PictureChange] {
        try decodeIfPresent(type, forKey: key) ?? []
    }
}
