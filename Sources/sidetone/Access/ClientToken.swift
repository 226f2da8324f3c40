import ArgumentParser
import Foundation

/// How this program and another sidetone trust each other. The token is never an argument, for those can be seen by everybody.
struct ClientTokenOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "With --post: the file that has the token; else SIDETONE_TOKEN has it.", valueName: "file"))
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "With --post: the certificates of further authorities to trust, in PEM.", valueName: "file"))
    var ca: String?

    /// Where the token is to be found.
    /// - Throws: when there is a file and it cannot be read.
    func token() throws -> ClientToken {
        try .checked(path: tokenFile)
    }

    /// The flag that was given and goes with `--post`.
    var given: String? { tokenFile != nil ? "--token-file" : ca != nil ? "--ca" : nil }
}

/// Where this program has its token from.
struct ClientToken: Sendable {
    /// The variable of the environment that may have it.
    static let variable = "SIDETONE_TOKEN"

    /// `nil` for the environment.
    let path: String?

    /// Where the token is to be found.
    /// - Throws: when there is a file and it cannot be read.
    static func checked(path: String?) throws -> ClientToken {
        let token = ClientToken(path: path)
        _ = try token.header
        return token
    }

    /// The value of `Authorization`; `nil` when there is no token. A file is read each time, so that a token can be
    /// replaced while the program runs.
    var header: String? {
        get throws {
            guard let path else {
                return try ProcessInfo.processInfo.environment[Self.variable].map {
                    try header(of: $0, in: "the environment variable \(Self.variable)")
                }
            }
            do {
                return try header(of: String(contentsOfFile: path, encoding: .utf8), in: path)
            } catch let failure as ClientTokenFailure {
                throw failure
            } catch {
                throw ClientTokenFailure(place: path, reason: FileWords.reason(for: error, reading: path))
            }
        }
    }

    private func header(of text: String, in place: String) throws -> String {
        let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let isToken = !token.isEmpty && token.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard isToken else { throw ClientTokenFailure(place: place, reason: "expected one token and nothing else") }
        return "Bearer \(token)"
    }
}

/// There is no token where one should be.
struct ClientTokenFailure: Error, Hashable, CustomStringConvertible {
    let place: String
    let reason: String

    var description: String { "cannot use the token in \(place): \(reason)" }
}
