public import ClientStats

/// How much a client may send at once, and how much the server holds of what is being sent.
public struct IngestLimits: Hashable, Sendable {
    /// Largest body in bytes, both as sent and after decompression.
    public var bodyBytes: Int
    /// Largest ratio of a body's size after decompression to before.
    public var decompressionRatio: Int
    /// Largest file of an import in bytes, both as sent and after decompression; so many are held of all imports.
    public var importBytes: Int
    /// Largest number of bytes held of all bodies, decompressed, from their receipt until they are stored.
    public var bytesInFlight: Int
    /// What one body may hold.
    public var contents: BodyLimits
    /// Most connections open at a time; further ones wait in the listen queue.
    public var connections: Int
    /// Connections that one address may have open, 64 bits of IPv6 counting as one, trusted proxies as none; 0 for any
    /// number.
    public var connectionsPerAddress: Int
    /// A connection without a whole head of a request for so many seconds is closed, and so is one whose body comes
    /// slower than ``bodyBytesPerSecond`` for a third of that, and one whose client reads nothing of its answer.
    public var idleSeconds: Int
    /// How fast a body must come.
    public var bodyBytesPerSecond: Int
    /// Requests a second that one token may make, or one address where there are no tokens; 0 for any number.
    public var requestsPerSecond: Int

    public init(
        bodyBytes: Int = 1 << 20, decompressionRatio: Int = 100, importBytes: Int = 256 << 20,
        bytesInFlight: Int = 64 << 20, contents: BodyLimits = BodyLimits(), connections: Int = 4096,
        connectionsPerAddress: Int = 0, idleSeconds: Int = 30, bodyBytesPerSecond: Int = 4096,
        requestsPerSecond: Int = 0
    ) {
        self.bodyBytes = bodyBytes
        self.decompressionRatio = decompressionRatio
        self.importBytes = importBytes
        self.bytesInFlight = bytesInFlight
        self.contents = contents
        self.connections = connections
        self.connectionsPerAddress = connectionsPerAddress
        self.idleSeconds = idleSeconds
        self.bodyBytesPerSecond = bodyBytesPerSecond
        self.requestsPerSecond = requestsPerSecond
    }
}

extension IngestLimits {
    /// Longest identifier, in bytes of UTF-8.
    var identifierBytes: Int { contents.identifierBytes }

    /// Largest ratio of an import's size after decompression to before. Files of calls come to 20 to 60, and a run of
    /// one byte to 1,032.
    private static let importRatio = 500

    /// The limits of an import, which is a file that somebody chose.
    var ofImports: IngestLimits {
        var limits = self
        limits.bodyBytes = importBytes
        limits.decompressionRatio = Self.importRatio
        return limits
    }
}
