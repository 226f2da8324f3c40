public import CallModel
import Foundation
import NIOSSL
import Synchronization

/// The certificate that the server shows, and its key. New connections get the one read last; those that are open keep
/// theirs.
///
/// A class, because all connections and whoever reads the files anew share it.
public final class TLSIdentity: Sendable {
    private let certificatePath: String
    private let keyPath: String
    private let current: Mutex<(context: NIOSSLContext, validity: TLSValidity)>

    /// Reads both files (PEM; the certificate with those that lead to its root after it).
    /// - Throws: ``TLSFailure``.
    public init(certificatePath: String, keyPath: String) throws(TLSFailure) {
        self.certificatePath = certificatePath
        self.keyPath = keyPath
        current = Mutex(try Self.read(certificatePath, keyPath))
    }

    /// Reads both files again.
    /// - Throws: ``TLSFailure``; the one before then stays.
    public func reload() throws(TLSFailure) {
        let identity = try Self.read(certificatePath, keyPath)
        current.withLock { $0 = identity }
    }

    /// When the certificate is valid that new connections get.
    public var validity: TLSValidity { current.withLock { $0.validity } }

    /// For the next connection.
    var context: NIOSSLContext { current.withLock { $0.context } }

    private static func read(
        _ certificatePath: String, _ keyPath: String
    ) throws(TLSFailure) -> (context: NIOSSLContext, validity: TLSValidity) {
        let chain = try read(certificatePath, as: "certificate") { try NIOSSLCertificate.fromPEMBytes($0) }
        guard let first = chain.first else { throw .notPEM(certificatePath, what: "certificate") }
        let key = try read(keyPath, as: "private key") { try NIOSSLPrivateKey(bytes: $0, format: .pem) }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        do {
            return (try NIOSSLContext(configuration: configuration), TLSValidity(of: first))
        } catch {
            throw .mismatch(certificate: certificatePath, key: keyPath)
        }
    }

    private static func read<Value>(
        _ path: String, as what: String, _ parse: ([UInt8]) throws -> Value
    ) throws(TLSFailure) -> Value {
        let bytes: [UInt8]
        do {
            bytes = Array(try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw .unreadable(path, reason: reason(for: error, reading: path))
        }
        do {
            return try parse(bytes)
        } catch {
            // RFC 7468 §11, and the header of RFC 1421 in what OpenSSL wrote before.
            let isEncrypted = ["BEGIN ENCRYPTED", "Proc-Type: 4,ENCRYPTED"].contains {
                bytes.firstRange(of: Array($0.utf8)) != nil
            }
            throw isEncrypted ? .encrypted(path) : .notPEM(path, what: what)
        }
    }

    private static func reason(for error: any Error, reading path: String) -> String {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            return "there is no such file"
        }
        return isDirectory.boolValue
            ? "it is a directory; the name of a file is expected" : error.localizedDescription
    }
}

/// When a certificate is valid.
public struct TLSValidity: Hashable, Sendable {
    /// On the clock of whoever checks it.
    public var from: Timestamp
    /// The last moment.
    public var until: Timestamp

    init(of certificate: NIOSSLCertificate) {
        from = Timestamp(milliseconds: Int64(certificate.notValidBefore) * 1000)
        until = Timestamp(milliseconds: Int64(certificate.notValidAfter) * 1000)
    }
}

/// Why there is no certificate to show.
public enum TLSFailure: Error, Hashable, Sendable {
    case unreadable(String, reason: String)
    case notPEM(String, what: String)
    /// A key that only a passphrase opens, for which nobody is there to ask.
    case encrypted(String)
    case mismatch(certificate: String, key: String)
}

extension TLSFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadable(let path, let reason): "cannot read \(path): \(reason)"
        case .notPEM(let path, let what): "\(path) holds no \(what) in PEM, which begins with -----BEGIN"
        case .encrypted(let path):
            "the private key in \(path) is encrypted; expected one without a passphrase, as openssl pkey writes it"
        case .mismatch(let certificate, let key): "the key in \(key) is not that of the certificate in \(certificate)"
        }
    }
}
