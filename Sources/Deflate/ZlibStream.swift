import CZlib

/// How much data may inflate to.
struct InflationLimits {
    var bytes: Int
    /// Named in the error only.
    var ratio: Int
    /// The length at which the ratio is exceeded.
    var ratedBytes: Int

    func check(_ length: Int) throws(DeflateError) {
        guard length <= bytes else { throw .tooLarge(limit: bytes) }
        guard length <= ratedBytes else { throw .ratioTooHigh(limit: ratio) }
    }
}

/// The only place that calls zlib and handles its pointers.
enum ZlibStream {
    /// The `windowBits` that select a format.
    enum Format: Int32 {
        case zlib = 15
        case gzip = 31

        var name: String { self == .gzip ? "gzip" : "zlib" }
    }

    private static let bufferSize = 65_536

    // MARK: Inflating

    static func inflate(
        _ bytes: [UInt8], format: Format, limits: InflationLimits
    ) throws(DeflateError) -> [UInt8] {
        guard !bytes.isEmpty else { throw .truncated }
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(&stream, format.rawValue, ZLIB_VERSION, size) == Z_OK else {
            throw .damaged("zlib could not start")
        }
        defer { inflateEnd(&stream) }
        return try bytes.withUnsafeBufferPointer { (input) throws(DeflateError) in
            stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.avail_in = UInt32(clamping: input.count)
            return try inflateMembers(&stream, format: format, limits: limits)
        }
    }

    /// Inflates until the input is used up; another gzip member may follow the end of one.
    private static func inflateMembers(
        _ stream: inout z_stream, format: Format, limits: InflationLimits
    ) throws(DeflateError) -> [UInt8] {
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: bufferSize)
        while true {
            let (status, count) = step(&stream, into: &buffer)
            try limits.check(output.count + count)
            output += buffer[..<count]
            switch status {
            case Z_OK: continue
            case Z_STREAM_END:
                guard stream.avail_in > 0 else { return output }
                guard format == .gzip, inflateReset(&stream) == Z_OK else { throw .damaged("bytes after its end") }
            case Z_BUF_ERROR: throw .truncated
            default: throw failure(of: stream, isFirst: output.isEmpty, format: format)
            }
        }
    }

    private static func step(_ stream: inout z_stream, into buffer: inout [UInt8]) -> (status: Int32, count: Int) {
        buffer.withUnsafeMutableBufferPointer { space in
            stream.next_out = space.baseAddress
            stream.avail_out = UInt32(space.count)
            let status = CZlib.inflate(&stream, Z_NO_FLUSH)
            return (status, space.count - Int(stream.avail_out))
        }
    }

    private static func failure(of stream: z_stream, isFirst: Bool, format: Format) -> DeflateError {
        let reason = stream.msg.map { String(cString: $0) } ?? "no reason given"
        let isHeader = isFirst && reason.contains("header")
        return isHeader ? .wrongFormat(expected: format.name) : .damaged(reason)
    }

    // MARK: Deflating

    static func deflate(_ bytes: [UInt8], format: Format, level: Int) -> [UInt8] {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        let level = Int32(min(max(level, 1), 9))
        let status = deflateInit2_(
            &stream, level, Z_DEFLATED, format.rawValue, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
        // Fails only for want of memory, which Swift does not survive either.
        precondition(status == Z_OK, "zlib could not start")
        defer { deflateEnd(&stream) }
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
        let count = bytes.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { space in
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = UInt32(clamping: input.count)
                stream.next_out = space.baseAddress
                stream.avail_out = UInt32(clamping: space.count)
                _ = CZlib.deflate(&stream, Z_FINISH)
                return space.count - Int(stream.avail_out)
            }
        }
        return Array(output.prefix(count))
    }
}
