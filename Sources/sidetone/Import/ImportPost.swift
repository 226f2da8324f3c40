import AsyncHTTPClient
import CallModel
import CallReport
import CollectorServer
import Deflate
import Foundation
import JSONText
import NIOCore
import NIOHTTP1
import NIOPosix
import StandardStreams

/// Imports into another sidetone: `POST /v1/import`, a file a request, compressed.
struct ImportPost {
    private let url: String
    private let client: HTTPClient
    private let token: ClientToken
    /// It answers when all of the file is stored.
    private static let timeout = TimeAmount.minutes(10)

    /// To be closed: ``close()``.
    init(
        to address: CollectorAddress, token: ClientToken, trusting authorities: TrustedAuthorities, call: String?,
        observer: String?
    ) {
        self.token = token
        var parts = URLComponents(string: address.importURL)
        let query = [("call", call), ("observer", observer)].compactMap { name, value in
            value.map { URLQueryItem(name: name, value: $0) }
        }
        if !query.isEmpty { parts?.queryItems = query }
        url = (parts?.string ?? address.importURL).replacing("+", with: "%2B")
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: authorities.clientConfiguration)
    }

    func close() async {
        try? await client.shutdown()
    }

    /// Posts a file; when it returns the collector has stored it.
    func post(_ file: ImportedBytes) async throws -> ImportTally {
        let (status, body) = try await send(file.bytes)
        let members = body.members ?? [:]
        let message = members["error"]?.members?["message"]?.text ?? "it answers \(status)"
        switch status {
        case 200..<300, 410, 422:
            guard members["accepted"] != nil else {
                throw ImportFailure.unrecognised(path: file.path, reason: message)
            }
            guard let tally = ImportTally(answer: members, most: file.bytes.count) else {
                throw ImportFailure.undelivered(to: url, reason: "it answers \(status), but not as sidetone does")
            }
            return tally
        case 400, 413, 415: throw ImportFailure.unrecognised(path: file.path, reason: message)
        default: throw ImportFailure.undelivered(to: url, reason: message)
        }
    }

    private func send(_ bytes: [UInt8]) async throws -> (Int, JSONValue) {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/octet-stream")
        request.headers.add(name: "User-Agent", value: "sidetone/\(ProductVersion.current)")
        if let header = try token.header { request.headers.add(name: "Authorization", value: header) }
        let upload = Upload(bytes: ByteBuffer(bytes: Gzip.deflate(bytes, level: 1)))
        request.body = .stream(upload, length: .known(Int64(upload.bytes.readableBytes)))
        defer { if Terminal.hasStandardError { Terminal.tell(ProgressBar.erasure) } }
        do {
            let response = try await client.execute(request, timeout: Self.timeout)
            let answer = try await response.body.collect(upTo: 16 << 20)
            let limits = JSONLimits(maximumStringBytes: 16 << 20)
            let body = try? JSONValue(parsing: Array(answer.readableBytesView), limits: limits)
            return (Int(response.status.code), body ?? .null)
        } catch {
            throw ImportFailure.undelivered(to: url, reason: HTTPDelivery.words(for: error, at: url))
        }
    }
}

/// A body that is sent in pieces, and a bar that shows how much of it is gone.
private struct Upload: AsyncSequence, Sendable {
    let bytes: ByteBuffer
    /// A hundredth of a file that takes a while.
    fileprivate static let pieceBytes = 64 << 10

    func makeAsyncIterator() -> Pieces { Pieces(rest: bytes) }

    struct Pieces: AsyncIteratorProtocol {
        private let length: Int
        private var rest: ByteBuffer
        private var progress: ProgressBar

        init(rest: ByteBuffer) {
            self.rest = rest
            length = rest.readableBytes
            progress = ProgressBar(total: Terminal.hasStandardError ? length : nil)
        }

        mutating func next() async -> ByteBuffer? {
            if let bar = progress.advance(to: length - rest.readableBytes) { Terminal.tell(bar) }
            guard rest.readableBytes > 0 else { return nil }
            return rest.readSlice(length: Swift.min(rest.readableBytes, Upload.pieceBytes))
        }
    }
}

extension ImportTally {
    /// What the collector answered; nil when it counts more than `most`, the bytes of the file: a fact has at least one.
    init?(answer: JSONObject, most: Int) {
        guard let receipt = DeliveryReceipt(answer: answer, most: most) else { return nil }
        self.receipt = receipt
        format = answer["format"]?.text ?? "a file"
        calls = Self.texts(answer["calls"])
        notes = Self.texts(answer["notes"])
        refusals = (answer["refusals"]?.members ?? [:]).compactMapValues { $0.wholeNumber.flatMap(Int.init(exactly:)) }
        guard refusals.values.allSatisfy((0...most).contains) else { return nil }
        guard case .array(let refused) = answer["refused"] else { return }
        // Of calls that are not taken any more the answer says no more than this.
        if refusals.isEmpty { self.receipt.refused = refused.count }
        firstRefusals = refused.prefix(Self.mostTold).compactMap { $0.members?["message"]?.text }
    }

    private static func texts(_ value: JSONValue?) -> [String] {
        guard case .array(let values) = value else { return [] }
        return values.compactMap(\.text)
    }
}
