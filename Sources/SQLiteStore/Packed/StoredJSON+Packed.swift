import CallModel
import Deflate
import Foundation
import JSONText
import StoreParts

/// Large values, compressed.
extension StoredJSON {
    /// A report is 1 MiB at most when it arrives; united with others of its moment it may be larger. 256 MiB.
    private static let largestUnpacked = 256 << 20

    static func packed(_ value: JSONValue) -> Data {
        var text = JSONWriter(expectedBytes: 16_384)
        text.write(value)
        return packed(text.bytes)
    }

    /// Fast rather than small: it is paid for with every report, and the most that level 9 saves is a tenth.
    static func packed(_ bytes: [UInt8]) -> Data {
        Data(Zlib.compress(bytes, level: 1))
    }

    static func value(ofPacked data: Data) throws -> JSONValue {
        try value(ofBytes: bytes(ofPacked: data))
    }

    static func bytes(ofPacked data: Data) throws -> [UInt8] {
        try Zlib.decompress(Array(data), maximumBytes: largestUnpacked)
    }
}
