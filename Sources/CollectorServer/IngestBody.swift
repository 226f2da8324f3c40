import CallModel
import Deflate
import Hummingbird
import Synchronization

/// Reads the body of an ingest request: bounded before it is held, decompressed where it is gzip, for clients behind a
/// proxy or of a library may not say so. No JSON begins like one.
struct IngestBody: Sendable {
    let limits: IngestLimits
    let budget: BodyBudget
    let meter: ServerMeter
    /// Where files that are imported are read; of others `nil`.
    var lane: ImportLane?

    /// Whether the content alone tells what the body is: files come under any type.
    private var isFile: Bool { lane != nil }

    /// Reads the body of a tenant's request and hands it to `use`; its bytes, decompressed, count against the budget until
    /// `use` returns.
    func read<Result>(
        _ request: Request, of tenant: TenantID, _ use: ([UInt8]) async throws -> Result
    ) async throws -> Result {
        if !isFile { try MediaTypes.check(request.headers[.contentType]) }
        let coding = try ContentCoding(request.headers[.contentEncoding])
        if let length = request.headers[.contentLength].flatMap(Int.init), length > limits.bodyBytes {
            throw tooLarge("\(length) bytes")
        }
        let held = Held(budget: budget, tenant: tenant)
        defer { held.giveBack() }
        let sent = try await collect(request.body, held: held)
        let bytes = try await decode(sent, coding: coding, held: held)
        return try await use(bytes)
    }

    /// What one request holds of the budget.
    ///
    /// A class, for a body may be decompressed elsewhere than where its request runs.
    private final class Held: Sendable {
        private let budget: BodyBudget
        private let tenant: TenantID
        private let bytes = Mutex(0)

        init(budget: BodyBudget, tenant: TenantID) {
            self.budget = budget
            self.tenant = tenant
        }

        /// - Returns: whether there is room for so many bytes in all, which are held then.
        func grow(to size: Int) -> Bool {
            bytes.withLock { bytes in
                guard size > bytes else { return true }
                guard budget.take(size - bytes, of: tenant) else { return false }
                bytes = size
                return true
            }
        }

        /// Gives back what goes beyond so many bytes.
        func shrink(to size: Int) {
            bytes.withLock { bytes in
                guard size < bytes else { return }
                budget.give(bytes - size, of: tenant)
                bytes = size
            }
        }

        func giveBack() {
            shrink(to: 0)
        }
    }

    private func collect(_ body: RequestBody, held: Held) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            for try await chunk in body {
                let count = chunk.readableBytes
                guard bytes.count + count <= limits.bodyBytes else { throw tooLarge("more") }
                guard held.grow(to: bytes.count + count) else { throw Self.crowded }
                bytes += chunk.readableBytesView
            }
        } catch let error as APIError {
            throw error
        } catch {
            throw APIError(
                .badRequest, RefusalReason.malformed.rawValue, "the body broke off after \(bytes.count) bytes")
        }
        return bytes
    }

    private static let crowded = APIError.overloaded(retryAfterSeconds: 1, "too many bodies are in work")

    private func decode(_ bytes: [UInt8], coding: ContentCoding, held: Held) async throws -> [UInt8] {
        guard coding == .gzip || Gzip.isLikely(bytes) else { return bytes }
        let inflated = { @Sendable [limits] in
            Result { () throws(DeflateError) in
                try Gzip.inflate(
                    bytes, maximumBytes: limits.bodyBytes, maximumRatio: limits.decompressionRatio,
                    hasRoom: { held.grow(to: $0) })
            }
        }
        // Of a file it takes up to a second.
        let result = if let lane { await lane.run(bytes: bytes.count, inflated) } else { inflated() }
        do throws(DeflateError) {
            let content = try result.get()
            held.shrink(to: max(bytes.count, content.count))
            return content
        } catch {
            throw refusal(of: error)
        }
    }

    private func refusal(of error: DeflateError) -> APIError {
        let message = "the body's gzip: \(error)"
        switch error {
        case .noRoom: return Self.crowded
        case .tooLarge, .ratioTooHigh:
            return APIError(.contentTooLarge, RefusalReason.tooLarge.rawValue, message)
        default:
            return APIError(.badRequest, RefusalReason.malformed.rawValue, message)
        }
    }

    private func tooLarge(_ found: String) -> APIError {
        APIError(
            .contentTooLarge, RefusalReason.tooLarge.rawValue,
            "the body has \(found); the limit is \(limits.bodyBytes) bytes, sent and decompressed. Send fewer at a time"
        )
    }
}

/// How a body is compressed (`Content-Encoding`).
enum ContentCoding: Sendable {
    case identity, gzip

    init(_ header: String?) throws {
        switch header?.lowercased() {
        case nil, "", "identity": self = .identity
        case "gzip", "x-gzip": self = .gzip
        case let other?:
            var error = APIError(
                .unsupportedMediaType, "unsupported_encoding",
                "Content-Encoding is \"\(other.shortened)\"; accepted are gzip and identity")
            error.headers[.acceptEncoding] = "gzip, identity"
            throw error
        }
    }
}

/// The media types in which statistics and events come.
enum MediaTypes {
    /// What clients send JSON as, form-encoded included: that is what `curl --data` says of any body. Some name the gzip
    /// around it here rather than as the encoding.
    private static let accepted = [
        "application/json", "text/json", "application/x-ndjson", "application/ndjson", "application/jsonl",
        "text/plain", "application/octet-stream", "application/x-www-form-urlencoded",
        "application/gzip", "application/x-gzip",
    ]

    /// - Throws: ``APIError`` 415 for a type that cannot be JSON.
    static func check(_ header: String?) throws {
        let type = header?.split(separator: ";").first?.trimmingSpaces.lowercased() ?? ""
        guard type.isEmpty || accepted.contains(type) || type.hasSuffix("+json") else {
            throw APIError(
                .unsupportedMediaType, "unsupported_media_type",
                "Content-Type is \"\(type.shortened)\"; accepted are \(accepted.joined(separator: ", ")), and what ends "
                    + "in +json")
        }
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        drop { $0 == " " }.prefix { $0 != " " }
    }
}
