import ArgumentParser
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOSSL

/// Whose word for the certificate of another sidetone is taken, beside that of the authorities that the machine trusts.
struct TrustedAuthorities: Sendable {
    private let certificates: [NIOSSLCertificate]

    /// - Parameter path: the PEM file with the certificates of further authorities; `nil` for none.
    /// - Throws: when there is a file, and no certificate in it can be read.
    init(path: String?) throws(TrustedAuthoritiesFailure) {
        guard let path else {
            certificates = []
            return
        }
        do {
            certificates = try NIOSSLCertificate.fromPEMBytes(Array(Data(contentsOf: URL(filePath: path))))
        } catch is NIOSSLError {
            throw TrustedAuthoritiesFailure(path: path, reason: "there is no certificate in PEM in it")
        } catch {
            throw TrustedAuthoritiesFailure(path: path, reason: FileWords.reason(for: error, reading: path))
        }
    }

    /// A configuration of the client for one server: it follows nobody to another, and waits 5 s for a connection.
    var clientConfiguration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout.connect = .seconds(5)
        guard !certificates.isEmpty else { return configuration }
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.additionalTrustRoots = [.certificates(certificates)]
        configuration.tlsConfiguration = tls
        return configuration
    }
}

/// The certificates of authorities cannot be read.
struct TrustedAuthoritiesFailure: Error, Hashable, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String { "cannot use the certificates of authorities in \(path): \(reason)" }
}
