import AsyncHTTPClient
import CallModel
import ClientStats
import CollectorServer
import Deflate
import Foundation
import JSONText
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Delivers to another sidetone: `POST /v1/wire`, one fact a line, compressed.
struct HTTPDelivery: Delivery {
    let destination: String
    private let client: HTTPClient
    private let token: ClientToken
    /// A collector answers after the commit; one that takes longer is stuck.
    private static let timeout = TimeAmount.seconds(10)
    /// Collectors refuse what inflates to a hundred times its size.
    private static let highestRatio = 90

    /// To be closed: ``close()``.
    init(to address: CollectorAddress, token: ClientToken, trusting authorities: TrustedAuthorities) {
        destination = address.url
        self.token = token
        var configuration = authorities.clientConfiguration
        // The courier tries again, and says so.
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    func close() async {
        try? await client.shutdown()
    }

    func deliver(_ facts: [CapturedFact]) async throws(DeliveryError) -> DeliveryOutcome {
        let lines = facts.compactMap { fact in
            WireLine.text(of: fact.fact, call: fact.call, observer: fact.observer).map { Line(fact: fact, text: $0) }
        }
        return try await post(lines[...])
    }

    private struct Line {
        var fact: CapturedFact
        var text: String
    }

    private func post(_ lines: ArraySlice<Line>) async throws(DeliveryError) -> DeliveryOutcome {
        let answer = try await send(Array(lines.map { $0.text + "\n" }.joined().utf8))
        let outcome = answer.outcome(of: lines.map(\.fact))
        // Nothing was taken, and not all of it may be later.
        if answer.status == 429, let outcome, !outcome.tooMany.isEmpty { return outcome }
        switch answer.status {
        case 200..<300:
            // Who answers otherwise is no collector: the page of a proxy, for example.
            guard let outcome else {
                throw .later(reason: "it answers \(answer.status), but not as sidetone does", seconds: nil)
            }
            return outcome
        case 410, 422:
            if let outcome { return outcome }
            throw answer.refusal
        case 413 where lines.count > 1:
            let middle = lines.startIndex + lines.count / 2
            var outcome = try await post(lines[..<middle])
            outcome += try await post(lines[middle...])
            return outcome
        case 413:
            return DeliveryOutcome(receipt: DeliveryReceipt(refused: lines.count))
        case 400, 415: throw answer.refusal
        // A token, an address or a way there that is wrong will be set right; until then facts wait.
        default: throw answer.delay
        }
    }

    private func send(_ body: [UInt8]) async throws(DeliveryError) -> Answer {
        var request = HTTPClientRequest(url: destination)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/x-ndjson")
        request.headers.add(name: "User-Agent", value: "sidetone/\(ProductVersion.current)")
        do {
            if let header = try token.header { request.headers.add(name: "Authorization", value: header) }
        } catch {
            throw .later(reason: "\(error)", seconds: nil)
        }
        let compressed = Gzip.deflate(body, level: 1)
        let isCompressed = compressed.count * Self.highestRatio > body.count
        if isCompressed { request.headers.add(name: "Content-Encoding", value: "gzip") }
        request.body = .bytes(ByteBuffer(bytes: isCompressed ? compressed : body))
        do {
            let response = try await client.execute(request, timeout: Self.timeout)
            let bytes = try await response.body.collect(upTo: 1 << 20)
            return Answer(
                status: Int(response.status.code), reason: response.status.reasonPhrase,
                retryAfter: response.headers.first(name: "Retry-After").flatMap(Int.init),
                body: (try? JSONValue(parsing: Array(bytes.readableBytesView))) ?? .null)
        } catch {
            throw .later(reason: Self.words(for: error, at: destination), seconds: nil)
        }
    }

    /// What went wrong before there was an answer from `url`. A server that speaks TLS ends a connection on which it is asked
    /// without.
    static func words(for error: any Error, at url: String) -> String {
        let doubt = url.lowercased().hasPrefix("http:") ? "; perhaps it speaks https" : ""
        return switch error {
        case let error as HTTPClientError where error == .connectTimeout: "it does not answer"
        case let error as HTTPClientError where error == .deadlineExceeded: "it takes too long to answer"
        case let error as HTTPClientError where error == .remoteConnectionClosed:
            "it closed the connection" + doubt
        case let error as NIOConnectionError:
            error.connectionErrors.first.map { words(for: $0.error, at: url) } ?? "there is no such host"
        case let error as IOError where error.errnoCode == ECONNREFUSED: "nothing listens there"
        case let error as IOError where error.errnoCode == ECONNRESET: "it broke the connection off" + doubt
        case let error as IOError: error.description
        case NIOSSLError.handshakeFailed(let error) where "\(error)".contains("CERTIFICATE_VERIFY_FAILED"):
            "its certificate is of no authority that is trusted here; --ca names the file of one"
        case NIOSSLError.handshakeFailed: "it does not speak TLS, or none that both know"
        case is NIOSSLExtraError: "its certificate is of another name"
        default: "\(error)"
        }
    }

    /// What the collector answered.
    private struct Answer {
        var status: Int
        var reason: String
        /// Seconds until it may be tried again.
        var retryAfter: Int?
        var body: JSONValue

        /// It may be taken later.
        var delay: DeliveryError { .later(reason: words, seconds: retryAfter) }

        /// It will never be taken, if it is a collector that says so: what stands in its way may have been sent something else.
        var refusal: DeliveryError { error?["reason"]?.text == nil ? delay : .never(reason: words) }

        /// What is wrong, as sidetone says it.
        private var error: JSONObject? { body.members?["error"]?.members }

        /// For people.
        private var words: String {
            let message = error?["message"]?.text
            return "it answers \(status) \(reason)" + (message.map { ": \($0)" } ?? "")
        }

        /// What became of the facts of the lines; nil when the body is not a receipt for so many.
        func outcome(of facts: [CapturedFact]) -> DeliveryOutcome? {
            guard let members = body.members, case .array(let refused)? = members["refused"],
                var receipt = DeliveryReceipt(answer: members, most: facts.count)
            else { return nil }
            let tooMany = refused.lazy.compactMap(\.members)
                .filter { $0["reason"]?.text == RefusalReason.tooManyCalls.rawValue }
                .compactMap { $0["index"]?.wholeNumber.flatMap { Int(exactly: $0) } }
                .filter(facts.indices.contains)
                .map { facts[$0] }
            receipt.refused = refused.count - tooMany.count
            return DeliveryOutcome(receipt: receipt, tooMany: Array(tooMany))
        }
    }
}
