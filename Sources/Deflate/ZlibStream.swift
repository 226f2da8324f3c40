import CZlib
import Synchronization

/// How much data may inflate to.
struct InflationLimits {
    var bytes: Int
    /// Named in the error only.
    var ratio: Int
    /// The length at which the ratio is exceeded.
    var ratedBytes: Int

    /// The longest content that is within both limits.
    var longest: Int { min(bytes, ratedBytes) }

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

    // MARK: Inflating

    static func inflate(
        _ bytes: [UInt8], format: Format, limits: InflationLimits, hasRoom: (Int) -> Bool = { _ in true }
    ) throws(DeflateError) -> [UInt8] {
        let content = try inflateToCut(bytes, format: format, limits: limits, hasRoom: hasRoom)
        guard content.isWhole else { throw .truncated }
        return content.bytes
    }

    /// What the data holds up to its end, or to where it stops before that.
    static func inflateToCut(
        _ bytes: [UInt8], format: Format, limits: InflationLimits, hasRoom: (Int) -> Bool = { _ in true }
    ) throws(DeflateError) -> (bytes: [UInt8], isWhole: Bool) {
        guard !bytes.isEmpty else { return ([], false) }
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(&stream, format.rawValue, ZLIB_VERSION, size) == Z_OK else {
            throw .damaged("zlib could not start")
        }
        defer { inflateEnd(&stream) }
        return try bytes.withUnsafeBufferPointer { (input) throws(DeflateError) in
            stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.avail_in = UInt32(clamping: input.count)
            return try inflateMembers(&stream, format: format, limits: limits, hasRoom: hasRoom)
        }
    }

    /// Inflates until the input is used up; another gzip member may follow the end of one.
    private static func inflateMembers(
        _ stream: inout z_stream, format: Format, limits: InflationLimits, hasRoom: (Int) -> Bool
    ) throws(DeflateError) -> (bytes: [UInt8], isWhole: Bool) {
        func ask(for bytes: Int) throws(DeflateError) {
            let bytes = min(bytes, limits.longest)
            guard hasRoom(bytes) else { throw .noRoom(bytes: bytes) }
        }
        let first = min(max(leastOutput, Int(stream.avail_in) * usualRatio), largestStep)
        try ask(for: first)
        var output = [UInt8](repeating: 0, count: first)
        var count = 0
        while true {
            // Beyond a limit by no more than one step.
            if count == output.count {
                let more = min(count, largestStep)
                try ask(for: count + more)
                output += [UInt8](repeating: 0, count: more)
            }
            let status = step(&stream, into: &output, from: &count)
            try limits.check(count)
            switch status {
            case Z_OK: continue
            case Z_STREAM_END:
                guard stream.avail_in > 0 else {
                    output.removeLast(output.count - count)
                    return (output, true)
                }
                guard format == .gzip, inflateReset(&stream) == Z_OK else { throw .damaged("bytes after its end") }
            case Z_BUF_ERROR:
                output.removeLast(output.count - count)
                return (output, false)
            default: throw failure(of: stream, isFirst: count == 0, format: format)
            }
        }
    }

    /// Texts of statistics have four to eight times the length of what they are compressed to.
    private static let usualRatio = 8
    private static let leastOutput = 4_096
    private static let largestStep = 1 << 20

    /// Inflates into `output` from `count` on, which is then where it ends.
    private static func step(_ stream: inout z_stream, into output: inout [UInt8], from count: inout Int) -> Int32 {
        let start = count
        let (status, left) = output.withUnsafeMutableBufferPointer { space in
            stream.next_out = space.baseAddress.map { $0 + start }
            stream.avail_out = UInt32(clamping: space.count - start)
            let status = CZlib.inflate(&stream, Z_NO_FLUSH)
            return (status, Int(stream.avail_out))
        }
        count = output.count - left
        return status
    }

    private static func failure(of stream: z_stream, isFirst: Bool, format: Format) -> DeflateError {
        let reason = stream.msg.map { String(cString: $0) } ?? "no reason given"
        let isHeader = isFirst && reason.contains("header")
        return isHeader ? .wrongFormat(expected: format.name) : .damaged(reason)
    }

    // MARK: Deflating

    static func deflate(_ bytes: [UInt8], format: Format, level: Int) -> [UInt8] {
        let level = min(max(level, 1), 9)
        let deflater =
            idle.withLock { idle in
                idle.firstIndex { $0.format == format && $0.level == level }.map { idle.remove(at: $0) }
            } ?? Deflater(format: format, level: level)
        let output = deflater.deflate(bytes)
        idle.withLock { if $0.count < mostIdle { $0.append(deflater) } }
        return output
    }

    /// Each has 256 KiB, and to ask the system for them takes as long as to compress a report.
    private static let idle = Mutex<[Deflater]>([])
    private static let mostIdle = 4
}

/// Compresses one text after the other.
private final class Deflater: @unchecked Sendable {
    // Lent to one caller at a time: that is what makes it safe to send.
    let format: ZlibStream.Format
    let level: Int
    // At an address that stays, for zlib keeps it.
    private let stream: UnsafeMutablePointer<z_stream>

    init(format: ZlibStream.Format, level: Int) {
        self.format = format
        self.level = level
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let status = deflateInit2_(
            stream, Int32(level), Z_DEFLATED, format.rawValue, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        // Fails only for want of memory, which Swift does not survive either.
        precondition(status == Z_OK, "zlib could not start")
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    func deflate(_ bytes: [UInt8]) -> [UInt8] {
        deflateReset(stream)
        return [UInt8](unsafeUninitializedCapacity: Int(deflateBound(stream, UInt(bytes.count)))) { space, count in
            bytes.withUnsafeBufferPointer { input in
                stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.pointee.avail_in = UInt32(clamping: input.count)
                stream.pointee.next_out = space.baseAddress
                stream.pointee.avail_out = UInt32(clamping: space.count)
                _ = CZlib.deflate(stream, Z_FINISH)
            }
            count = space.count - Int(stream.pointee.avail_out)
        }
    }
}
