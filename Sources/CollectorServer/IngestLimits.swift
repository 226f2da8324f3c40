/// How much a client may send at once, and how much the server holds of what is being sent.
public struct IngestLimits: Hashable, Sendable {
    /// Largest body in bytes, both as sent and after decompression.
    public var bodyBytes: Int
    /// Largest ratio of a body's size after decompression to before.
    public var decompressionRatio: Int
    /// Largest file of an import in bytes, both as sent and after decompression; so many are held of all imports.
    public var importBytes: Int
    /// Largest number of bytes held of all bodies that are being received and parsed.
    public var bytesInFlight: Int
    /// Longest `callId` or `observer`, in bytes of UTF-8.
    public var identifierBytes: Int
    /// Most connections open at a time; further ones wait in the listen queue.
    public var connections: Int

    public init(
        bodyBytes: Int = 1 << 20, decompressionRatio: Int = 100, importBytes: Int = 256 << 20,
        bytesInFlight: Int = 64 << 20, identifierBytes: Int = 256, connections: Int = 4096
    ) {
        self.bodyBytes = bodyBytes
        self.decompressionRatio = decompressionRatio
        self.importBytes = importBytes
        self.bytesInFlight = bytesInFlight
        self.identifierBytes = identifierBytes
        self.connections = connections
    }
}

extension IngestLimits {
    /// The limits of an import, which is a file that somebody chose: only its length is bounded.
    var ofImports: IngestLimits {
        var limits = self
        limits.bodyBytes = importBytes
        limits.decompressionRatio = .max
        return limits
    }
}
