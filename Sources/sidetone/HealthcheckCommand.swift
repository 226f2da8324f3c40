import ArgumentParser
import AsyncHTTPClient
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix

/// `sidetone healthcheck`: whether the server of this machine can take work, for service managers and containers.
struct HealthcheckCommand: JobCommand {
    static let configuration = CommandConfiguration(
        commandName: "healthcheck",
        abstract: "Ask a running sidetone whether it can take work.",
        discussion: """
            Asks GET /readyz of the server that the same settings make, and exits with status
            0 when it can, else with 1 and the reason. It goes by --config, SIDETONE_CONFIG
            and the variables of the environment as sidetone serve does.

            Examples:
              sidetone healthcheck
              sidetone healthcheck --url http://10.0.0.5:8080
            """)

    @Option(help: ArgumentHelp("Ask this server instead, such as http://10.0.0.5:8080.", valueName: "url"))
    var url: CollectorAddress?

    @Option(help: ArgumentHelp("The file of settings that the server was started with.", valueName: "file"))
    var config: String?

    @Option(help: ArgumentHelp("How long to wait for the answer.", valueName: "n"))
    var timeoutSeconds = 5

    func validate() throws {
        guard (1...600).contains(timeoutSeconds) else {
            throw ValidationError("--timeout-seconds is \(timeoutSeconds); expected a whole number from 1 to 600")
        }
    }

    func job() throws -> Job {
        let settings = try SettingsReader(flags: [], environment: ProcessInfo.processInfo.environment, path: config)
            .read()
        let address = url?.base ?? "http://\(settings[Settings.listen].reachable)"
        let log = LogSettings(level: .error, format: .text)
        return Job(log: log, sensor: nil) { _, _ in
            try await Self.ask(address + "/readyz", timeout: .seconds(Int64(timeoutSeconds)))
        }
    }

    private static func ask(_ address: String, timeout: TimeAmount) async throws {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.connectionPool.retryConnectionEstablishment = false
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let answer: (status: Int, body: String)
        do {
            let response = try await client.execute(HTTPClientRequest(url: address), timeout: timeout)
            let body = try await response.body.collect(upTo: 64 << 10)
            answer = (Int(response.status.code), String(buffer: body))
        } catch {
            try? await client.shutdown()
            throw HealthcheckFailure.noAnswer(address, "\(error)")
        }
        try? await client.shutdown()
        guard answer.status == 200 else { throw HealthcheckFailure.notReady(address, answer.status, answer.body) }
        print("ready")
    }
}

/// Why a server is not ready.
enum HealthcheckFailure: Error, Hashable, Sendable {
    case noAnswer(String, String)
    case notReady(String, Int, String)
}

extension HealthcheckFailure: CustomStringConvertible {
    var description: String {
        switch self {
        case .noAnswer(let address, let reason): "\(address) does not answer: \(reason)"
        case .notReady(let address, let status, let body): "\(address) answers \(status): \(body)"
        }
    }
}

extension ListenAddress {
    /// Where to reach from this machine what listens here: one that listens everywhere, by the loopback address.
    fileprivate var reachable: ListenAddress {
        let hosts = ["0.0.0.0": "127.0.0.1", "::": "::1"]
        return ListenAddress(host: hosts[host] ?? host, port: port)
    }
}
