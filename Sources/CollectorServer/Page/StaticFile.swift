import Crypto
import Deflate
import HTTPTypes
import Hummingbird
import NIOCore
import WebPage

/// A file that never changes while the program runs, ready to be answered with.
struct StaticFile: Sendable {
    /// Names the content: who has it already is not sent it again
    /// ([RFC 9110 §8.8.3](https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3)).
    let tag: String
    private let mediaType: String
    private let body: ByteBuffer
    private let compressed: ByteBuffer
    private let headers: HTTPFields

    /// - Parameters:
    ///   - file: the file.
    ///   - headers: further ones.
    init(_ file: WebFile, headers: HTTPFields = [:]) {
        let digest = SHA256.hash(data: file.bytes).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // Weak: the same for both codings.
        tag = "W/\"\(String(digest, radix: 16))\""
        mediaType = file.mediaType
        body = ByteBuffer(bytes: file.bytes)
        compressed = ByteBuffer(bytes: Gzip.deflate(file.bytes, level: 9))
        self.headers = headers
    }

    /// The file, or that whoever asks has it.
    func answer(to request: Request) -> Response {
        var headers = headers
        headers[.eTag] = tag
        // Kept, but asked for each time: after an update nobody sees half of the old page.
        headers[.cacheControl] = "no-cache"
        headers[.vary] = "Accept-Encoding"
        if isHeld(by: request) { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = mediaType
        guard request.accepts("gzip", in: .acceptEncoding) else {
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
        }
        headers[.contentEncoding] = "gzip"
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: compressed))
    }

    private func isHeld(by request: Request) -> Bool {
        let known = ["*", tag, String(tag.dropFirst(2))]
        let held = request.headers[values: .ifNoneMatch].flatMap { $0.split(separator: ",") }
        return held.contains { known.contains($0.filter { $0 != " " }) }
    }
}

extension Request {
    /// Whether a header such as `Accept` or `Accept-Encoding` names this value
    /// ([RFC 9110 §12.5](https://www.rfc-editor.org/rfc/rfc9110#section-12.5)), not with weight 0.
    func accepts(_ value: String, in name: HTTPField.Name = .accept) -> Bool {
        let ranges = headers[values: name].flatMap { $0.lowercased().split(separator: ",") }
        return ranges.contains { range in
            let parts = range.split(separator: ";").map { part in part.filter { $0 != " " } }
            let isRefused = parts.dropFirst().contains { $0.hasPrefix("q=0") && Double($0.dropFirst(2)) == 0 }
            return parts.first == value && !isRefused
        }
    }
}
