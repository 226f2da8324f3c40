import CallModel
import Foundation
import TestSupport
import Testing

/// Settings from files and the environment, by the programs as they are started.
@Suite struct ConfigurationTests {
    @Test func `serve goes by the file that --config names, and a flag goes before it`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let file = folder.appending(path: "sidetone.yaml")
            try Data("keep:\n  calls: 1\nlog:\n  format: json\nlisten: nowhere.invalid:1\n".utf8).write(to: file)
            let sidetone = try await Sidetone.start(in: folder, ["--config", file.path])
            // It says where it listens before it logs.
            try await eventually("it logs in JSON") { sidetone.process.log.hasPrefix("{") }
            #expect(await sidetone.process.terminate() == 0)
            let shown = try await SidetoneProcess.run(["config", "show", "--config", file.path, "--keep-calls", "2"])
            #expect(shown.status == 0)
            #expect(shown.output.contains("  calls: 2                                  # --keep-calls\n"))
            #expect(shown.output.contains("  format: json                              # \(file.path), line 4\n"))
        }
    }

    @Test func `check names everything that is wrong, and so does serve, with exit status 78`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let file = folder.appending(path: "sidetone.yaml")
            try Data("keep:\n  cals: 1\n  days: never\n".utf8).write(to: file)
            let expected = """
                \(file.path), line 3: keep.days is "never"; expected a number above 0 and at most 36500
                \(file.path), line 2: there is no setting keep.cals; did you mean keep.calls?

                """
            for command in [["config", "check"], ["config", "show"], ["serve"]] {
                let ended = try await SidetoneProcess.run(command + ["--config", file.path])
                #expect(ended.status == 78)
                #expect(ended.errors == expected)
            }
            try Data("keep: {calls: 5}\n".utf8).write(to: file)
            let checked = try await SidetoneProcess.run(["config", "check", "--config", file.path])
            #expect(checked.status == 0)
            #expect(checked.output.hasPrefix("\(file.path): nothing is wrong; 1 of "))
        }
    }

    @Test func `a server that all could reach is wrong, for check as for serve, and not started again`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let file = folder.appending(path: "sidetone.yaml")
            let database = folder.appending(path: "calls.sqlite").path
            try Data("listen: \"0.0.0.0:0\"\ndatabase: \(database)\n".utf8).write(to: file)
            let expected = """
                0.0.0.0:0 can be reached from other machines, and whoever reaches it could post, read and erase calls; \
                name the tokens of those who may with --tokens, listen on 127.0.0.1, or say --no-authentication

                """
            for command in [["config", "check"], ["serve"]] {
                let ended = try await SidetoneProcess.run(command + ["--config", file.path])
                #expect(ended.status == 78)
                #expect(ended.errors == expected)
            }
            let shown = try await SidetoneProcess.run(["config", "show", "--config", file.path])
            #expect(shown.status == 0)
        }
    }

    @Test func `a server that others reach through a proxy is wrong without tokens, unless that is meant`() async throws
    {
        let proxy = ["--trusted-proxy", "127.0.0.1"]
        let ended = try await SidetoneProcess.run(["config", "check"] + proxy)
        #expect(ended.status == 78)
        let expected = """
            --trusted-proxy says that others reach the server through a proxy, and whoever does could post, read and \
            erase calls; name the tokens of those who may with --tokens, or say --no-authentication

            """
        #expect(ended.errors == expected)
        let meant = try await SidetoneProcess.run(["config", "check", "--no-authentication"] + proxy)
        #expect(meant.status == 0, "\(meant.errors)")
    }

    @Test func `files that are named and of no use are wrong, all at once, for check as for serve`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let tokens = folder.appending(path: "tokens").path
            try Data("garbage\n".utf8).write(to: URL(filePath: tokens))
            let missing = folder.appending(path: "none").path
            let arguments = [
                "--tokens", tokens, "--tls-certificate", missing, "--tls-key", missing, "--addresses", "hash",
                "--address-key", missing, "--listen", "127.0.0.1:0", "--database",
                folder.appending(path: "calls.sqlite").path,
            ]
            let expected = """
                cannot use the tokens in \(tokens): line 1 does not begin with `sha256:` and 64 hexadecimal digits, as \
                `sidetone token new` prints it
                cannot read \(missing): there is no such file
                cannot use the key in \(missing): there is no such file

                """
            for command in [["config", "check"], ["serve"]] {
                let ended = try await SidetoneProcess.run(command + arguments)
                #expect(ended.status == 78)
                #expect(ended.errors == expected)
            }
            try Data("# none yet\n".utf8).write(to: URL(filePath: tokens))
            let checked = try await SidetoneProcess.run(["config", "check", "--tokens", tokens])
            #expect(checked.status == 0, "\(checked.errors)")
        }
    }

    /// What serve would fail of at the start, and what is said of it.
    static let places = [
        (["--database", "FOLDER/none/calls.sqlite"], "there is no directory FOLDER/none; name a file in a directory"),
        (["--database", "FOLDER"], "cannot open FOLDER: it is a directory; the name of a file is expected"),
        (["--database", "FOLDER/other.sqlite"], "cannot open FOLDER/other.sqlite: it is not a SQLite database"),
        (["--listen", "nowhere.invalid:8080"], "cannot listen on nowhere.invalid:8080: there is no such host"),
        (
            ["--listen", "192.0.2.1:8080", "--no-authentication"],
            "cannot listen on 192.0.2.1:8080: this machine has no such address; choose another address with --listen"
        ),
        (["--capture", "nic9"], "there is no interface nic9"),
        (["--capture", "any", "--capture-filter", "udp andd port 1"], "udp andd port 1"),
        (["--capture", "any", "--capture-user", "nobody-here"], "there is no user nobody-here to run as"),
    ]

    @Test(arguments: places)
    func `what a start would fail of is wrong, and check changes nothing`(place: (words: [String], said: String))
        async throws
    {
        try await Sidetone.withTemporaryFolder { folder in
            try Data("text".utf8).write(to: folder.appending(path: "other.sqlite"))
            let path = folder.path
            var words = place.words.map { $0.replacing("FOLDER", with: path) }
            if !words.contains("--database") { words += ["--database", folder.appending(path: "calls.sqlite").path] }
            let checked = try await SidetoneProcess.run(["config", "check"] + words)
            #expect(checked.status == 78, "\(checked.output)")
            #expect(checked.errors.contains(place.said.replacing("FOLDER", with: path)), "\(checked.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["other.sqlite"])
        }
    }

    @Test(.enabled(if: CaptureRights.isRoot))
    func `what the account of a capture may not read is wrong for check as for serve`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
            let tokens = folder.appending(path: "tokens").path
            let made = try await SidetoneProcess.run(
                ["token", "new", "--tenant", "default", "--scope", "read", "--file", tokens])
            #expect(made.status == 0, "\(made.errors)")
            let words = [
                "--tokens", tokens, "--database", folder.appending(path: "calls.sqlite").path,
                "--listen", "127.0.0.1:0", "--capture", CaptureRights.loopback, "--capture-user", "nobody",
            ]
            for command in [["config", "check"], ["serve"]] {
                let ended = try await SidetoneProcess.run(command + words)
                #expect(ended.status == 78, "\(ended.output)")
                #expect(ended.errors.contains("\(tokens)"), "\(ended.errors)")
            }
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: tokens)
            let checked = try await SidetoneProcess.run(["config", "check"] + words)
            #expect(checked.status == 0, "\(checked.errors)")
        }
    }

    @Test func `beside a server that runs with it a configuration is right`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let sidetone = try await Sidetone.start(in: folder)
            let address = String(sidetone.process.address.dropFirst("http://".count))
            let checked = try await SidetoneProcess.run(
                ["config", "check", "--listen", address, "--database", folder.appending(path: "calls.sqlite").path])
            #expect(checked.status == 0, "\(checked.errors)")
            #expect(await sidetone.process.terminate() == 0)
        }
    }

    @Test(.enabled(if: Mounts.areAllowed))
    func `a folder that may not be written to is wrong`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let database = folder.appending(path: "calls.sqlite").path
            var command = Mounts.readOnly(folder)
            let program = try SidetoneProcess.program("sidetone").path
            command += [program, "config", "check", "--database", database]
            let env = URL(filePath: "/usr/bin/env")
            let checked = try await SidetoneProcess.run(env, command)
            #expect(checked.status == 78, "\(checked.output)")
            #expect(checked.errors.contains("\(folder.path) cannot be written to: Read-only"), "\(checked.errors)")
        }
    }

    @Test func `settings of the file that contradict each other are wrong, for check as for serve and capture`()
        async throws
    {
        try await Sidetone.withTemporaryFolder { folder in
            let file = folder.appending(path: "sidetone.yaml")
            try Data("tls:\n  key: /k\nstore: http://host\n".utf8).write(to: file)
            let store = """
                store (\(file.path), line 3): "http://host" is not the address of a ClickHouse database; expected \
                clickhouse://user@host:8123/database

                """
            let key = "tls.key (\(file.path), line 2) goes with tls.certificate; set both of them\n"
            for (command, errors) in [
                (["config", "check"], key + store), (["serve"], key + store),
                (["capture", "-r", "nothing.pcap"], store),
            ] {
                let ended = try await SidetoneProcess.run(command + ["--config", file.path])
                #expect(ended.status == 78)
                #expect(ended.errors == errors)
            }
        }
    }

    @Test(arguments: [["config", "show", "--keep-calls", "0"], ["config", "check", "--frobnicate"]])
    func `misuse of flags is exit status 64`(arguments: [String]) async throws {
        let ended = try await SidetoneProcess.run(arguments)
        #expect(ended.status == 64)
        #expect(ended.errors.contains("Usage:"))
    }

    @Test func `capture goes by the section of its name, and names what is wrong with exit status 78`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let file = folder.appending(path: "sensor.yaml")
            let database = folder.appending(path: "calls.sqlite").path
            try Data("database: \(database)\ncapture:\n  observer: rack7\n  filter: not port 5060\n".utf8).write(
                to: file)
            let sample = "SampleData/captures/s5-baresip-pcma-clean/capture.pcap.gz"
            let capture = ["capture", "-r", SharedData.packageRoot.appending(path: sample).path, "--config", file.path]
            let run = try await SidetoneProcess.run(capture)
            #expect(run.status == 0 && run.output.contains(" 0 SIP messages"), "\(run.output) \(run.errors)")
            let observers = try await StoredCalls.list(in: folder).compactMap { $0["observer"].text }
            #expect(!observers.isEmpty && observers.allSatisfy { $0.hasPrefix("rack7:") }, "\(observers)")

            try Data("capture:\n  obsrver: rack7\n".utf8).write(to: file)
            let wrong = try await SidetoneProcess.run(capture)
            #expect(wrong.status == 78)
            let expected = "line 2: there is no setting capture.obsrver; did you mean capture.observer?\n"
            #expect(wrong.errors.hasSuffix(expected), "\(wrong.errors)")
        }
    }
}
