import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// HTTP by Foundation's `URLSession`, on Linux too, so that what is tested there is what runs on phones, and an app that
/// takes this library takes no other with it.
///
/// AsyncHTTPClient would bring NIO into every app for one request in ten seconds, and the code of phones would be tested
/// nowhere. It keeps no cookies and no cache.
final class URLSessionTransport: Transport {
    private let session: URLSession
    private static let timeout: TimeInterval = 30

    init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = Self.timeout
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        session = URLSession(configuration: configuration, delegate: NoRedirections(), delegateQueue: nil)
    }

    deinit {
        session.invalidateAndCancel()
    }

    func post(_ request: TransportRequest) async throws(TransportFailure) -> TransportAnswer {
        guard let address = URL(string: request.address) else {
            throw TransportFailure(reason: "\"\(request.address)\" is no address; expected https://HOST")
        }
        var message = URLRequest(url: address, timeoutInterval: Self.timeout)
        message.httpMethod = "POST"
        for (name, value) in request.headers { message.setValue(value, forHTTPHeaderField: name) }
        do {
            let (body, response) = try await session.upload(for: message, from: Data(request.body))
            guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
            return TransportAnswer(
                status: response.statusCode,
                retryAfter: response.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }, body: Array(body))
        } catch {
            throw TransportFailure(reason: error.localizedDescription)
        }
    }
}

/// A redirected `POST` would become a `GET` and lose what it carries, or go with the token to who knows whom.
private final class NoRedirections: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
