import Foundation
import Testing

/// A certificate for this machine, made when it is needed, that is its own root.
struct TestCertificate: Sendable {
    let certificate: URL
    let key: URL

    /// Makes one with `openssl` in `folder`.
    init(named name: String, in folder: URL) async throws {
        certificate = folder.appending(path: "\(name).pem")
        key = folder.appending(path: "\(name).key")
        let made = try await SidetoneProcess.run(
            URL(filePath: "/usr/bin/openssl"),
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=\(name)", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key.path, "-out",
                certificate.path,
            ])
        try #require(made.status == 0, "openssl made no certificate: \(made.errors)")
    }
}
