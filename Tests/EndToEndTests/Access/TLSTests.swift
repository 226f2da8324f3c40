import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import TestSupport
import Testing

/// HTTPS of the server's own.
@Suite struct TLSTests {
    private static func serve(
        _ certificate: TestCertificate, in folder: URL, _ body: (SidetoneProcess) async throws -> Void
    ) async throws {
        let process = try await SidetoneProcess.start(
            database: folder.appending(path: "calls.sqlite"),
            arguments: ["--tls-certificate", certificate.certificate.path, "--tls-key", certificate.key.path])
        do {
            try await body(process)
        } catch {
            await process.kill()
            throw error
        }
        #expect(await process.terminate() == 0)
    }

    /// Of a client that trusts this certificate and no other; with a version, of one that speaks those up to it.
    private static func configuration(
        trusting certificate: TestCertificate, upTo version: TLSVersion? = nil
    ) -> HTTPClient.Configuration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .file(certificate.certificate.path)
        if let version { (tls.minimumTLSVersion, tls.maximumTLSVersion) = (.tlsv1, version) }
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
        // Who is refused would try again until its time is over, and an open connection be idle for too long meanwhile.
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }

    /// The status of `/healthz`; `nil` when no connection is made.
    private static func status(
        at address: String, _ configuration: HTTPClient.Configuration = HTTPClient.Configuration()
    ) async throws -> UInt? {
        // One that is left to end by itself, for something threw, ends the program.
        try await HTTPClient.withHTTPClient(configuration: configuration) { client in
            let response = try? await client.execute(
                HTTPClientRequest(url: address + "/healthz"), timeout: .seconds(10))
            if let response { _ = try await response.body.collect(upTo: 1 << 16) }
            return response?.status.code
        }
    }

    private static func status(_ process: SidetoneProcess, trusting certificate: TestCertificate) async throws -> UInt?
    {
        try await status(at: process.address, configuration(trusting: certificate))
    }

    @Test func `new connections get the new certificate, open ones go on with theirs, a broken file changes nothing`()
        async throws
    {
        try await Sidetone.withTemporaryFolder { folder in
            let first = try await TestCertificate(named: "first", in: folder)
            let second = try await TestCertificate(named: "second", in: folder)
            let served = try await TestCertificate(named: "served", in: folder)
            func install(_ certificate: TestCertificate, key: TestCertificate) throws {
                try Data(contentsOf: certificate.certificate).write(to: served.certificate)
                try Data(contentsOf: key.key).write(to: served.key)
            }
            try install(first, key: first)
            try await Self.serve(served, in: folder) { process in
                #expect(process.address.hasPrefix("https://127.0.0.1:"))
                #expect(try await Self.status(process, trusting: first) == 200)
                #expect(try await Self.status(process, trusting: second) == nil)
                try await HTTPClient.withHTTPClient(configuration: Self.configuration(trusting: first)) { open in
                    let request = HTTPClientRequest(url: process.address + "/openapi.json")
                    let answer = try await open.execute(request, timeout: .seconds(10))
                    #expect(answer.headers.first(name: "strict-transport-security") == "max-age=31536000")
                    _ = try await answer.body.collect(upTo: 1 << 20)

                    try install(second, key: first)
                    kill(process.id, SIGHUP)
                    try await eventually("the key of another certificate is named") {
                        process.log.contains("is not that of the certificate in")
                    }
                    try Data("-----BEGIN".utf8).write(to: served.certificate)
                    kill(process.id, SIGHUP)
                    try await eventually("the broken file is named") {
                        process.log.contains("holds no certificate in PEM")
                    }
                    #expect(try await Self.status(process, trusting: first) == 200)

                    try install(second, key: second)
                    kill(process.id, SIGHUP)
                    try await eventually("the new certificate is shown") {
                        try await Self.status(process, trusting: second) == 200
                    }
                    #expect(try await Self.status(process, trusting: first) == nil)
                    let again = try await open.execute(request, timeout: .seconds(10))
                    #expect(again.status == .ok)
                    _ = try await again.body.collect(upTo: 1 << 20)
                }
            }
        }
    }

    @Test func `a certificate that is valid no more is shown with a warning, at the start and on SIGHUP`() async throws
    {
        try await Sidetone.withTemporaryFolder { folder in
            let old = try await TestCertificate(named: "old", in: folder, days: -1)
            try await Self.serve(old, in: folder) { process in
                let words = #""message":"the certificate is not valid any more: clients refuse it""#
                #expect(process.log.components(separatedBy: words).count == 2, "\(process.log)")
                kill(process.id, SIGHUP)
                try await eventually("it is told again") { process.log.components(separatedBy: words).count == 3 }
                #expect(process.log.contains(#""level":"warning","message":"the certificate"#))
            }
        }
    }

    @Test func `TLS before 1.2 and plain HTTP are refused`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let certificate = try await TestCertificate(named: "served", in: folder)
            try await Self.serve(certificate, in: folder) { process in
                for (version, isTaken) in [(TLSVersion.tlsv11, false), (.tlsv12, true), (.tlsv13, true)] {
                    let configuration = Self.configuration(trusting: certificate, upTo: version)
                    let status = try await Self.status(at: process.address, configuration)
                    #expect(status == (isTaken ? 200 : nil), "\(version)")
                }
                let plain = process.address.replacingOccurrences(of: "https", with: "http")
                #expect(try await Self.status(at: plain) == nil)
                let health = try await SidetoneProcess.run(["healthcheck", "--url", plain])
                #expect(health.status == 1 && health.errors.contains("; perhaps it speaks https"), "\(health.errors)")
            }
        }
    }

    @Test func `files that are no certificate or key end the start, and one needs the other`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let first = try await TestCertificate(named: "first", in: folder)
            let second = try await TestCertificate(named: "second", in: folder)
            let missing = folder.appending(path: "none.pem").path
            let database = ["--database", folder.appending(path: "calls.sqlite").path]
            let cases: [(certificate: String, key: String, reason: String)] = [
                (missing, first.key.path, "cannot read \(missing): there is no such file"),
                (folder.path, first.key.path, "cannot read \(folder.path): it is a directory"),
                (first.key.path, first.key.path, "holds no certificate in PEM"),
                (first.certificate.path, first.certificate.path, "holds no private key in PEM"),
                (
                    first.certificate.path, try await first.encryptedKey(),
                    "encrypted.key is encrypted; expected one without"
                ),
                (first.certificate.path, second.key.path, "is not that of the certificate"),
            ]
            for (certificate, key, reason) in cases {
                let ended = try await SidetoneProcess.run(
                    ["serve", "--listen", "127.0.0.1:0", "--tls-certificate", certificate, "--tls-key", key] + database)
                #expect(ended.status == 78 && ended.errors.contains(reason), "\(ended.errors)")
            }
            let half = try await SidetoneProcess.run(
                ["serve", "--tls-certificate", first.certificate.path] + database)
            #expect(half.status == 64 && half.errors.contains("--tls-key"))
        }
    }

    @Test func `sensors, imports and healthchecks trust an authority that --ca names`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let certificate = try await TestCertificate(named: "own", in: folder)
            let file = folder.appending(path: "report.json")
            try Data(#"[{"id":"I","type":"inbound-rtp","kind":"audio","ssrc":7,"timestamp":1767225600000}]"#.utf8)
                .write(to: file)
            try await Self.serve(certificate, in: folder) { process in
                let capture = SharedData.packageRoot.appending(
                    path: "SampleData/captures/s1-loopback-clean/capture.pcap.gz"
                ).path
                let commands = [
                    ["healthcheck", "--url", process.address], ["capture", "-r", capture, "--post", process.address],
                    ["import", file.path, "--call", "c", "--post", process.address],
                ]
                for command in commands {
                    let trusting = try await SidetoneProcess.run(command + ["--ca", certificate.certificate.path])
                    #expect(trusting.status == 0, "\(command): \(trusting.errors)")
                    let plain = try await SidetoneProcess.run(command)
                    #expect(plain.status == 1)
                    let said = (plain.output + plain.errors).split(whereSeparator: \.isWhitespace).joined(
                        separator: " ")
                    #expect(
                        said.contains(
                            "its certificate is of no authority that is trusted here; --ca names the file of one"),
                        "\(said)")
                }
                for (path, reason) in [
                    (file.path, "there is no certificate in PEM in it"),
                    (folder.path + "/none", "there is no such file"),
                    (folder.path, "it is a directory; the name of a file is expected"),
                ] {
                    let broken = try await SidetoneProcess.run(commands[0] + ["--ca", path])
                    #expect(broken.status == 1)
                    #expect(
                        broken.errors == "Error: cannot use the certificates of authorities in \(path): \(reason)\n")
                }
            }
        }
    }
}
