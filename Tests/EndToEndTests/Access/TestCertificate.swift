import Foundation
import Testing

/// A certificate for this machine, made when it is needed, that is its own root.
struct TestCertificate: Sendable {
    let certificate: URL
    let key: URL

    /// Makes one with `openssl` in `folder`, that is valid for so many days from now.
    init(named name: String, in folder: URL, days: Int = 2) async throws {
        certificate = folder.appending(path: "\(name).pem")
        key = folder.appending(path: "\(name).key")
        let request = folder.appending(path: "\(name).csr")
        let extensions = folder.appending(path: "\(name).ext")
        try Data("subjectAltName=IP:127.0.0.1\nbasicConstraints=CA:TRUE".utf8).write(to: extensions)
        try await Self.openssl([
            "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj",
            "/CN=\(name)", "-keyout", key.path, "-out", request.path,
        ])
        // Unlike `req -x509` it makes one of the past, too.
        try await Self.openssl([
            "x509", "-req", "-in", request.path, "-signkey", key.path, "-days", "\(days)", "-extfile", extensions.path,
            "-out", certificate.path,
        ])
    }

    /// Where its key is once more, such that only a passphrase opens it.
    func encryptedKey() async throws -> String {
        let path = key.deletingLastPathComponent().appending(path: "encrypted.key").path
        try await Self.openssl(["pkey", "-in", key.path, "-aes128", "-passout", "pass:secret", "-out", path])
        return path
    }

    private static func openssl(_ arguments: [String]) async throws {
        let made = try await SidetoneProcess.run(URL(filePath: "/usr/bin/openssl"), arguments)
        try #require(made.status == 0, "openssl made no certificate: \(made.errors)")
    }
}
