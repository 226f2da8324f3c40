import Foundation
import Testing

@testable import sidetone

/// Settings that cannot be together, wherever they were set.
@Suite struct ContradictionTests {
    @Test(arguments: [
        (
            file: "tokens: /t\nauthentication: no\n", variables: [:],
            """
            tokens (sidetone.yaml, line 1) and authentication: false (sidetone.yaml, line 2) contradict each other; \
            set one of them
            """
        ),
        (
            file: "tls:\n  key: /k\n", variables: [:],
            "tls.key (sidetone.yaml, line 2) goes with tls.certificate; set both of them"
        ),
        (
            file: "", variables: ["SIDETONE_TLS_CERTIFICATE": "/c"],
            "tls.certificate (SIDETONE_TLS_CERTIFICATE) goes with tls.key; set both of them"
        ),
        (
            file: "", variables: ["SIDETONE_ADDRESSES": "hash"],
            "addresses: hash (SIDETONE_ADDRESSES) takes a key; name its file with address-key"
        ),
        (
            file: "address-key: /k\n", variables: [:],
            "address-key (sidetone.yaml, line 1) goes with addresses: hash, and not with addresses: cut (default)"
        ),
        (
            file: "\naddress-key: /k\n", variables: ["SIDETONE_ADDRESSES": "full"],
            """
            address-key (sidetone.yaml, line 2) goes with addresses: hash, and not with addresses: full \
            (SIDETONE_ADDRESSES)
            """
        ),
        (
            file: "limits:\n  body-bytes: 3000000\n", variables: ["SIDETONE_LIMITS_WAITING_BYTES": "3999999"],
            """
            limits.waiting-bytes (SIDETONE_LIMITS_WAITING_BYTES) must be at least 4000000, four thirds of \
            limits.body-bytes
            """
        ),
        (
            file: "store: http://host\n", variables: [:],
            """
            store (sidetone.yaml, line 1): "http://host" is not the address of a ClickHouse database; expected \
            clickhouse://user@host:8123/database
            """
        ),
    ])
    func `what the file and the environment say is told with where it stands`(
        file: String, variables: [String: String], message: String
    ) throws {
        let found = try contradictions(file: file, variables)
        #expect(found.map(\.message) == [message])
        #expect(found.map(\.isMisuse) == [false])
        #expect(throws: ConfigurationError(faults: found.map(ConfigurationFault.contradiction))) { try found.check() }
        try found.checkFlags()
    }

    @Test func `what flags alone say is misuse, and told by their names`() throws {
        let flags = [
            GivenFlag(Settings.tokens, "/t"), GivenFlag(Settings.authentication, false),
            GivenFlag(Settings.tlsKey, "/k"), GivenFlag(Settings.addressKey, "/k"),
        ]
        let found = try contradictions(flags: flags)
        #expect(
            found.map(\.message) == [
                "--tokens and --no-authentication contradict each other; give one of them",
                "--tls-certificate and --tls-key go together; give both of them",
                "--address-key goes with --addresses hash",
            ])
        #expect(found.map(\.isMisuse) == [true, true, true])
    }

    @Test func `a flag that contradicts the file is a fault of both`() throws {
        let found = try contradictions(flags: [GivenFlag(Settings.authentication, false)], file: "tokens: /t\n")
        #expect(
            found.map(\.message) == [
                """
                tokens (sidetone.yaml, line 1) and authentication: false (--no-authentication) contradict each other; \
                set one of them
                """
            ])
        #expect(found.map(\.isMisuse) == [false])
    }

    @Test func `all of them are told at once`() throws {
        let found = try contradictions(file: "tls: {key: /k}\naddresses: hash\n")
        #expect {
            try found.check()
        } throws: {
            "\($0)" == """
                tls.key (sidetone.yaml, line 1) goes with tls.certificate; set both of them
                addresses: hash (sidetone.yaml, line 2) takes a key; name its file with address-key
                """
        }
    }

    @Test func `what goes together is none`() throws {
        let file = "tls: {key: /k, certificate: /c}\naddresses: hash\naddress-key: /a\ntokens: /t\n"
        #expect(try contradictions(file: file) == [])
        #expect(try contradictions() == [])
    }

    private func contradictions(
        flags: [GivenFlag?] = [], file: String = "", _ variables: [String: String] = [:]
    ) throws -> [Contradiction] {
        let file = try ConfigurationFile(path: "sidetone.yaml", data: Data(file.utf8))
        return try SettingsReader(flags: flags.compactMap(\.self), environment: variables, file: file).read()
            .contradictions
    }
}
