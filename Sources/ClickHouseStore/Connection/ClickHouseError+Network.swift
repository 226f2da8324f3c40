import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

extension ClickHouseError {
    /// What went wrong before there was a whole answer. It may go better later.
    init(network error: any Error, from place: String) {
        self.init(kind: .retry, message: "ClickHouse at \(place): \(Self.words(for: error))")
    }

    private static func words(for error: any Error) -> String {
        switch error {
        case let error as HTTPClientError where error == .connectTimeout: "it does not answer"
        case let error as HTTPClientError where error == .deadlineExceeded: "it takes too long to answer"
        case let error as HTTPClientError where error == .remoteConnectionClosed: "it closed the connection"
        case let error as ChannelError where error == .ioOnClosedChannel: "it closed the connection"
        // In the middle of an answer.
        case let error as HTTPParserError where error == .invalidEOFState: "it closed the connection"
        case let error as NIOConnectionError:
            error.connectionErrors.first.map { words(for: $0.error) } ?? "there is no such host"
        case let error as IOError where error.errnoCode == ECONNREFUSED: "nothing listens there"
        case let error as IOError where error.errnoCode == ECONNRESET: "it closed the connection"
        case let error as NIOSSLError: "TLS fails there, or its certificate is not trusted: \(error)"
        case let error as IOError: error.description
        default: "\(error)"
        }
    }
}
