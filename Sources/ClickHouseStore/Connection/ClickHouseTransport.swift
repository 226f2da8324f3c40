import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL

/// The connections to the servers of a location: sends requests, tells answers from errors.
struct ClickHouseTransport: Sendable {
    private let location: ClickHouseLocation
    private let client: HTTPClient

    /// To be closed: ``close()``.
    /// - Throws: ``ClickHouseError`` when the authorities that the location names cannot be read.
    init(to location: ClickHouseLocation) throws(ClickHouseError) {
        self.location = location
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        // Who asks tries again, and says so.
        configuration.connectionPool.retryConnectionEstablishment = false
        // Servers end a connection that was idle for three seconds; a request must not meet that end.
        configuration.connectionPool.idleTimeout = .seconds(2)
        configuration.timeout.connect = .seconds(5)
        configuration.httpVersion = .http1Only
        if let path = location.authorities {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.additionalTrustRoots = [.certificates(try Self.certificates(in: path))]
            configuration.tlsConfiguration = tls
        }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    private static func certificates(in path: String) throws(ClickHouseError) -> [NIOSSLCertificate] {
        let reason: String
        do {
            let certificates = try NIOSSLCertificate.fromPEMFile(path)
            guard certificates.isEmpty else { return certificates }
            reason = "it holds none"
        } catch {
            reason = "\(error)"
        }
        throw ClickHouseError(
            kind: .operator, message: "the certificates of authorities in \(path) cannot be read: \(reason)")
    }

    /// Ends all connections.
    func close() async {
        try? await client.shutdown()
    }

    /// Sends a request and waits for all of its answer.
    /// - Parameters:
    ///   - request: What to send.
    ///   - server: Where to.
    ///   - mostBytes: A longer answer is an error.
    /// - Returns: The body of the answer.
    /// - Throws: ``ClickHouseError``.
    func send(
        _ request: ClickHouseRequest, to server: ClickHouseServer, mostBytes: Int
    ) async throws(ClickHouseError) -> [UInt8] {
        let (status, isException, answer) = try await answer(to: request, of: server, mostBytes: mostBytes)
        guard status == 200, !isException else {
            throw ClickHouseError(
                status: status, answer: String(decoding: answer.prefix(16_384), as: UTF8.self),
                from: "\(server)")
        }
        return answer
    }

    private func answer(
        to request: ClickHouseRequest, of server: ClickHouseServer, mostBytes: Int
    ) async throws(ClickHouseError) -> (status: Int, isException: Bool, bytes: [UInt8]) {
        do {
            let response = try await client.execute(
                message(for: request, to: server), timeout: .seconds(Int64(request.timeoutSeconds)))
            let body = try await response.body.collect(upTo: mostBytes)
            return (
                Int(response.status.code), response.headers.contains(name: "X-ClickHouse-Exception-Code"),
                Array(body.readableBytesView)
            )
        } catch is NIOTooManyBytesError {
            throw ClickHouseError(
                kind: .poison,
                message: "ClickHouse at \(server): the answer is longer than \(mostBytes) bytes")
        } catch {
            throw ClickHouseError(network: error, from: "\(server)")
        }
    }

    private func message(for request: ClickHouseRequest, to server: ClickHouseServer) -> HTTPClientRequest {
        let scheme = location.isSecure ? "https" : "http"
        var message = HTTPClientRequest(url: "\(scheme)://\(server)/?\(request.parameters)")
        message.method = .POST
        message.setBasicAuth(username: location.user, password: location.password ?? "")
        message.headers.add(name: "User-Agent", value: "sidetone")
        if request.isCompressed { message.headers.add(name: "Content-Encoding", value: "gzip") }
        message.body = .bytes(ByteBuffer(bytes: request.body))
        return message
    }
}
