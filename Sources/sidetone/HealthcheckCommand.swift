import ArgumentParser
import AsyncHTTPClient
import CallModel
import Foundation
import JSONText
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// `sidetone healthcheck`: whether the server of this machine can take work, for service managers and containers.
struct HealthcheckCommand: JobCommand {
    static let configuration = CommandConfiguration(
        commandName: "healthcheck",
        abstract: "Ask a running sidetone whether it can take work.",
        usage: "sidetone healthcheck <options>",
        discussion: """
            Asks GET /readyz of the server that the same settings make, and exits with status \
            0 when it can, else with 1 and the reason. It goes by --config, SIDETONE_CONFIG \
            and the variables of the environment as sidetone serve does.

            Examples:
              sidetone healthcheck
              sidetone healthcheck --url http://10.0.0.5:8080
            """)

    @Option(help: ArgumentHelp("Ask this server instead, such as http://10.0.0.5:8080.", valueName: "url"))
    var url: CollectorAddress?

    @Option(help: ArgumentHelp("With --url: the certificates of further authorities to trust.", valueName: "file"))
    var ca: String?

    @Option(help: ArgumentHelp("The file of settings that the server was started with.", valueName: "file"))
    var config: String?

    @Option(help: ArgumentHelp("How long to wait for the answer.", valueName: "n"))
    var timeoutSeconds = 5

    func validate() throws {
        guard (1...600).contains(timeoutSeconds) else {
            throw ValidationError("--timeout-seconds is \(timeoutSeconds); expected a whole number from 1 to 600")
        }
        if url == nil, ca != nil { throw ValidationError("--ca goes with --url") }
    }

    func job() throws -> Job {
        let address = try url?.base ?? ownAddress
        let configuration = try clientConfiguration
        let log = LogSettings(level: .error, format: .text)
        return Job(log: log, sensor: nil) { _, _ in
            try await Self.ask(address + "/readyz", configuration, timeout: timeout)
        }
    }

    private var timeout: TimeAmount { .seconds(Int64(timeoutSeconds)) }

    /// Waits for a connection as long as for the answer: before a handshake that hangs is given up, no client ends.
    var clientConfiguration: HTTPClient.Configuration {
        get throws {
            var configuration = try TrustedAuthorities(path: ca).clientConfiguration
            configuration.timeout.connect = timeout
            configuration.connectionPool.retryConnectionEstablishment = false
            // Asked is this machine, by its address: no certificate has that name, and nothing secret is sent.
            if url == nil {
                var tls = TLSConfiguration.makeClientConfiguration()
                tls.certificateVerification = .none
                configuration.tlsConfiguration = tls
            }
            return configuration
        }
    }

    /// Where the server of these settings listens.
    private var ownAddress: String {
        get throws {
            let environment = ProcessInfo.processInfo.environment
            let settings = try SettingsReader(flags: [], environment: environment, path: config).read()
            let scheme = settings[Settings.tlsCertificate] == nil ? "http" : "https"
            return "\(scheme)://\(settings[Settings.listen].reachable)"
        }
    }

    private static func ask(
        _ address: String, _ configuration: HTTPClient.Configuration, timeout: TimeAmount
    ) async throws {
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let answer: (status: UInt, body: [UInt8])
        do {
            let response = try await client.execute(HTTPClientRequest(url: address), timeout: timeout)
            let body = try await response.body.collect(upTo: 64 << 10)
            answer = (response.status.code, Array(body.readableBytesView))
        } catch {
            try? await client.shutdown()
            throw HealthcheckFailure(address: address, reason: HTTPDelivery.words(for: error, at: address))
        }
        try? await client.shutdown()
        guard answer.status == 200 else {
            let fault = (try? JSONValue(parsing: answer.body))?.members?["error"]?.members?["message"]?.text
            let words = fault ?? String(decoding: answer.body.prefix(200), as: UTF8.self)
            throw HealthcheckFailure(address: address, reason: "it answers \(answer.status): \(words)")
        }
        let damage = (try? JSONValue(parsing: answer.body))?.members?["damage"]?.text
        print("ready" + (damage.map { ", but \($0)" } ?? ""))
    }
}

/// Why a server is not ready.
struct HealthcheckFailure: Error, Hashable, Sendable {
    /// What was asked.
    var address: String
    /// What it does instead of saying that it is ready.
    var reason: String
}

extension HealthcheckFailure: CustomStringConvertible {
    var description: String { "\(address): \(reason)" }
}

extension ListenAddress {
    /// Where to reach from this machine what listens here: one that listens everywhere, by the loopback address.
    fileprivate var reachable: ListenAddress {
        let hosts = ["0.0.0.0": "127.0.0.1", "::": "::1"]
        return ListenAddress(host: hosts[host] ?? host, port: port)
    }
}
