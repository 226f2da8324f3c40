import CallModel
import Foundation
import TestSupport
import Testing

@testable import sidetone

/// Flags, environment and file, put together.
@Suite struct SettingsReaderTests {
    @Test func `a flag goes before a variable, a variable before the file, the file before the default`() throws {
        let file = "keep:\n  calls: 30\n"
        let flag = try #require(GivenFlag(Settings.keepCalls, 10))
        let variable = ["SIDETONE_KEEP_CALLS": "20"]
        let found = [
            try read(flags: [flag], variable, file: file), try read(variable, file: file), try read(file: file),
            try read(),
        ].map { settings in
            "\(settings[Settings.keepCalls]) by \(settings.entry(of: Settings.keepCalls).source)"
        }
        #expect(
            found == [
                "10 by --keep-calls", "20 by SIDETONE_KEEP_CALLS", "30 by sidetone.yaml, line 2", "10000 by default",
            ])
    }

    @Test func `every setting is read from the environment and from a file`() throws {
        let texts: [String: String] = [
            "listen": "[::1]:9000", "database": "/tmp/a b.sqlite", "rescore": "no", "keep.calls": "7",
            "keep.days": "1.5", "capture.interface": "eth0", "capture.filter": "udp port 5060",
            "capture.user": "nobody",
            "capture.observer": "trunk", "capture.buffer-mib": "64", "capture.snap-length": "200",
            "capture.promiscuous": "off", "capture.immediate": "1", "capture.snapshot-seconds": "9",
            "capture.summary-seconds": "0", "stop.delay-seconds": "5", "log.level": "debug", "log.format": "json",
        ]
        let known = Settings.all.filter { texts[$0.key] != nil }
        #expect(known.count == texts.count)
        let variables = Dictionary(
            uniqueKeysWithValues: known.map { row in
                let name = row.key.uppercased().replacing(".", with: "_").replacing("-", with: "_")
                return ("SIDETONE_" + name, texts[row.key] ?? "")
            })
        let file = known.map { "\($0.key): '\(texts[$0.key] ?? "")'\n" }.joined()
        let byEnvironment = try read(variables)
        let byFile = try read(file: file)
        for row in known {
            #expect(byEnvironment.entry(of: row).texts == texts[row.key].map { [$0] })
            #expect(byFile.entry(of: row).texts == texts[row.key].map { [$0] })
            #expect(byEnvironment.entry(of: row).source != .fallback)
        }
        let settings = ServeSettings(byFile)
        #expect(settings == ServeSettings(byEnvironment))
        #expect(settings.listen == ListenAddress(host: "::1", port: 9000))
        #expect(settings.retention.milliseconds == 129_600_000)
        #expect(settings.capture?.user == "nobody")
    }

    @Test(arguments: ["keep:\n  calls: 30\n", "keep: {calls: 30}", "\n# calls\nkeep.calls: 30", "", "# nothing\n"])
    func `a file that begins with a byte order mark is read as without it`(file: String) throws {
        let plain = try read(file: file).entry(of: Settings.keepCalls)
        let marked = try read(file: "\u{FEFF}" + file).entry(of: Settings.keepCalls)
        #expect(marked.texts == plain.texts && marked.source == plain.source)
        #expect(file.contains("30") == (marked.texts == ["30"]))
    }

    @Test(arguments: [
        ("keep.calls: many", "sidetone.yaml, line 1: keep.calls is \"many\"; expected a whole number of at least 1"),
        (
            "keep:\n  # how many\n  calls: 0",
            "sidetone.yaml, line 3: keep.calls is 0; expected a whole number of at least 1"
        ),
        ("keep: {calls: [1]}", "sidetone.yaml, line 1: keep.calls is a list; expected a whole number of at least 1"),
        ("keep:\n  calls:", "sidetone.yaml, line 2: keep.calls is empty; expected a whole number of at least 1"),
        ("keep.cals: 1", "sidetone.yaml, line 1: there is no setting keep.cals; did you mean keep.calls?"),
        (
            "\nfrobnicate: 1",
            "sidetone.yaml, line 2: there is no setting frobnicate; sidetone config show lists those there are"
        ),
        ("keep:\n  calls: 1\nkeep.calls: 2", "sidetone.yaml, line 3: keep.calls is set twice; expected once"),
        ("log:\n  format: xml", "sidetone.yaml, line 2: log.format is \"xml\"; expected text, json or auto"),
        (
            "listen: nowhere",
            "sidetone.yaml, line 1: listen is \"nowhere\"; expected HOST:PORT, with an IPv6 address in brackets"
        ),
        (
            "capture:\n  observer: ''",
            "sidetone.yaml, line 2: capture.observer is 0 bytes long; expected 1 to 200 bytes"
        ),
        ("rescore: maybe", "sidetone.yaml, line 1: rescore is \"maybe\"; expected true or false"),
        (
            "just words",
            "sidetone.yaml, line 1: there are no keys with values; expected lines such as \"keep.calls: 1000\""
        ),
    ])
    func `what is wrong in a file is told with file, line, key, what was found and what was expected`(
        text: String, message: String
    ) throws {
        #expect(try faults(file: text) == message)
    }

    @Test func `a file that is not YAML is told with its line`() throws {
        let message = try faults(file: "keep:\n  calls: 1\nlisten: [::1]:8080\n")
        #expect(message.hasPrefix("sidetone.yaml, line 3: "), "\(message)")
    }

    @Test func `keys of one section set twice are told`() throws {
        let message = try faults(file: "log:\n  level: info\n  level: debug\n")
        #expect(message.contains("level is set twice; expected once"), "\(message)")
    }

    @Test(arguments: [
        (
            ["SIDETONE_KEEP_CALLS": "many"],
            "SIDETONE_KEEP_CALLS: keep.calls is \"many\"; expected a whole number of at least 1"
        ),
        (
            ["SIDETONE_KEEP_CALL": "1"],
            "SIDETONE_KEEP_CALL: there is no setting of this name; did you mean SIDETONE_KEEP_CALLS?"
        ),
        (
            ["SIDETONE_COLOUR_OF_THE_PAGE": "1"],
            "SIDETONE_COLOUR_OF_THE_PAGE: there is no setting of this name; sidetone config show lists those there are"
        ),
        (
            ["SIDETONE_IDLE_SECONDS": "60"],
            "SIDETONE_IDLE_SECONDS: there is no setting of this name; did you mean SIDETONE_LIMITS_IDLE_SECONDS?"
        ),
        (
            ["SIDETONE_POST": "http://a"],
            "SIDETONE_POST: there is no setting of this name; did you mean SIDETONE_CAPTURE_POST?"
        ),
        (
            ["SIDETONE_CAPTURE": "eth0"],
            "SIDETONE_CAPTURE: there is no setting of this name; did you mean SIDETONE_CAPTURE_INTERFACE?"
        ),
    ])
    func `what is wrong in the environment is told`(variables: [String: String], message: String) throws {
        #expect(try faults(variables) == message)
    }

    @Test func `everything that is wrong is told at once, also what a flag covers`() throws {
        let flag = try #require(GivenFlag(Settings.keepCalls, 10))
        let message = try faults(flags: [flag], ["SIDETONE_KEEP_CALLS": "x"], file: "keep:\n  days: y\n")
        #expect(
            message == """
                SIDETONE_KEEP_CALLS: keep.calls is "x"; expected a whole number of at least 1
                sidetone.yaml, line 2: keep.days is "y"; expected a number above 0 and at most 36500
                """)
    }

    @Test func `empty variables and sections of comments set nothing`() throws {
        let settings = try read(["SIDETONE_KEEP_CALLS": "", "OTHER": "x"], file: "keep:\n  # calls: 1\n")
        #expect(settings.entry(of: Settings.keepCalls).source == .fallback)
        #expect(try read(file: "# nothing\n").entry(of: Settings.listen).source == .fallback)
    }

    @Test func `the environment may name the file; one that is not there, or none, is an error`() throws {
        let folder = FileManager.default.temporaryDirectory
        for (path, reason) in [
            (folder.appending(path: UUID().uuidString).path, "there is no such file"),
            (folder.path, "it is a directory"),
            ("/dev/null", "it is a pipe or a device; a file is expected, for it is read more than once"),
        ] {
            #expect {
                try SettingsReader(flags: [], environment: ["SIDETONE_CONFIG": path], path: nil)
            } throws: {
                "\($0)" == "\(path): \(reason); expected a file of settings in YAML"
            }
        }
    }

    @Test func `a secret is neither in an error nor shown`() throws {
        let secret = Setting<String?>(
            "password", "Opens it.", expected: "8 letters", isSecret: true, default: nil, shown: nil
        ) { texts throws(SettingFault) in throw SettingFault(found: "\"\(texts)\"", expected: "8 letters") }
        #expect(
            try faults(["SIDETONE_PASSWORD": "hunter2"], rows: [secret])
                == "SIDETONE_PASSWORD: password is not shown, for it is a secret; expected 8 letters")
        var settings = ResolvedSettings(file: nil)
        settings.set(secret, .init(texts: ["hunter2"], source: .variable("SIDETONE_PASSWORD")))
        let text = SettingsText(settings, rows: [secret], explains: true).text
        #expect(text.contains("# password: ***") && !text.contains("hunter2"))
    }

    @Test func `a list is a list in a file and joined by commas in the environment`() throws {
        let list = Settings.corsOrigins
        let file = "cors:\n  origins: [http://a, http://b]\n"
        #expect(try read(file: file, rows: [list])[list] == ["http://a", "http://b"])
        #expect(try read(file: "cors:\n  origins:\n    - http://a\n", rows: [list])[list] == ["http://a"])
        let variables = ["SIDETONE_CORS_ORIGINS": "http://a, http://b"]
        #expect(try read(variables, rows: [list])[list] == ["http://a", "http://b"])
        #expect(
            try faults(file: "cors:\n  origins: http://a\n", rows: [list])
                == "sidetone.yaml, line 2: cors.origins is a single value; expected a list of \(list.expected)")
    }

    @Test func `whatever stands in a file, reading it ends with settings or with an error that names it`() throws {
        var random = RandomSource(seed: 41)
        let pieces = [
            "keep", "calls", ":", " ", "\n", "  ", "- ", "[", "]", "{", "}", "'", "\"", "listen", "1", "~", "&a", "*a",
            "#",
            "\t", "é", "?", "|", ">", "%", "@", "log.level", "info", ",",
        ]
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            do {
                _ = try read(file: text)
            } catch let error as ConfigurationError {
                #expect(!error.faults.isEmpty)
                #expect("\(error)".contains("sidetone.yaml"), "\(text)")
            }
        }
    }

    private func read(
        flags: [GivenFlag] = [], _ variables: [String: String] = [:], file: String? = nil,
        rows: [any SettingRow] = Settings.all
    ) throws -> ResolvedSettings {
        let file = try file.map { try ConfigurationFile(path: "sidetone.yaml", data: Data($0.utf8)) }
        return try SettingsReader(rows: rows, flags: flags, environment: variables, file: file).read()
    }

    /// What is said of settings that cannot be; empty when they can.
    private func faults(
        flags: [GivenFlag] = [], _ variables: [String: String] = [:], file: String? = nil,
        rows: [any SettingRow] = Settings.all
    ) throws -> String {
        do {
            _ = try read(flags: flags, variables, file: file, rows: rows)
            return ""
        } catch let error as ConfigurationError {
            return "\(error)"
        }
    }
}
