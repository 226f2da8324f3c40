import Foundation
import NIOHTTP1
import TestSupport
import Testing

/// What systemd says of the units that are delivered. `Scripts/test` installs its tools.
@Suite struct PackagingTests {
    private static let folder = SharedData.packageRoot.appending(path: "Packaging")

    @Test(arguments: [("sidetone.service", 14), ("sidetone-capture@.service", 18)])
    func `systemd takes the unit, and finds little that an intruder could do from it`(
        unit: String, exposure: Int
    ) async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let file = folder.appending(path: unit)
            let program = try SidetoneProcess.program("sidetone").path
            let text = try String(contentsOf: Self.folder.appending(path: "systemd/\(unit)"), encoding: .utf8)
            // Systemd looks whether the program is there.
            try Data(text.replacing("/usr/bin/sidetone", with: program).utf8).write(to: file)
            let instance = folder.appending(path: unit.replacing("@.", with: "@eth0.")).path
            if instance != file.path {
                try FileManager.default.createSymbolicLink(atPath: instance, withDestinationPath: file.path)
            }
            let verified = try await Self.analyze(["verify", "--man=no", instance])
            #expect(verified.status == 0)
            #expect(verified.output + verified.errors == "")
            // Tenths of its figure, from 0 (safe) to 10.
            let judged = try await Self.analyze(["security", "--offline=yes", "--threshold=\(exposure)", instance])
            #expect(judged.status == 0, "\(judged.output.suffix(300))")
        }
    }

    /// Any other call would end it where systemd runs it, and there is none here.
    @Test func `the programs run with the system calls that their units leave them`() async throws {
        let script = SharedData.packageRoot.appending(path: "Scripts/under-unit")
        let units = Self.folder.appending(path: "systemd")
        try await Sidetone.withTemporaryFolder { folder in
            let server = try await SidetoneProcess.start(
                database: folder.appending(path: "calls.sqlite"),
                through: [script.path, units.appending(path: "sidetone.service").path])
            let posted = try await Sidetone.send(
                .POST, server.address + "/v1/events", body: Array(Samples.event(1, call: "c").utf8))
            let report = try await Sidetone.send(.GET, server.address + "/v1/calls/c/report")
            #expect(posted.status == 202 && report.status == 200)
            #expect(await server.terminate() == 0)

            // To read from an interface would take a right that tests do not have everywhere.
            let capture = try #require(SampleCapture.all.first)
            let sensor = try await SidetoneProcess.run(
                script,
                [
                    units.appending(path: "sidetone-capture@.service").path,
                    try SidetoneProcess.program("sidetone").path, "capture", "--read", capture.file.path, "--database",
                    folder.appending(path: "wire.sqlite").path,
                ])
            #expect(sensor.status == 0, "\(sensor.errors)")
        }
    }

    @Test func `serve takes the settings that are delivered`() async throws {
        let path = Self.folder.appending(path: "sidetone.yaml").path
        try await Sidetone.withTemporaryFolder { folder in
            // In the place of the folder that systemd makes when the service starts.
            let database = folder.appending(path: "calls.sqlite").path
            let checked = try await SidetoneProcess.run(["config", "check", "--config", path, "--database", database])
            #expect(checked.status == 0)
            #expect(checked.errors == "")
        }
    }

    @Test func `the settings name the tokens where the unit gives them to the service`() throws {
        let unit = try String(contentsOf: Self.folder.appending(path: "systemd/sidetone.service"), encoding: .utf8)
        let settings = try String(contentsOf: Self.folder.appending(path: "sidetone.yaml"), encoding: .utf8)
        #expect(unit.contains("\nLoadCredential=tokens:/etc/sidetone/tokens\n"))
        #expect(settings.contains("\n# tokens: /run/credentials/sidetone.service/tokens\n"))
    }

    @Test func `the options of the units are options of the program`() async throws {
        let capture = try await SidetoneProcess.run(["capture", "--help"])
        for option in ["--interface", "--post", "--log-format"] { #expect(capture.output.contains(option)) }
        let serve = try await SidetoneProcess.run(["serve", "--help"])
        #expect(serve.output.contains("--config"))
    }

    /// The package manager refuses a package of which a folder is missing, whatever is to be built.
    @Test func `the image is built with every folder that the package names`() throws {
        let manifest = try String(contentsOf: SharedData.packageRoot.appending(path: "Package.swift"), encoding: .utf8)
        let recipe = try String(contentsOf: Self.folder.appending(path: "docker/Dockerfile"), encoding: .utf8)
        let named = manifest.matches(of: #/path: "([^"/]+)/#).map { String($0.output.1) }
        let needed = Set(named + ["Sources", "Tests"])
        #expect(needed.isSuperset(of: ["Dashboards", "Examples"]))
        #expect(needed.filter { !recipe.contains("\nCOPY \($0) \($0)\n") } == [])
    }

    @Test func `what the image copies of the checkout is let through to it, and nothing else is`() throws {
        let docker = Self.folder.appending(path: "docker")
        let recipe = try String(contentsOf: docker.appending(path: "Dockerfile"), encoding: .utf8)
        let ignored = try String(contentsOf: docker.appending(path: "Dockerfile.dockerignore"), encoding: .utf8)
        // A copy with an option takes from the image that was built before.
        let copies = recipe.split(separator: "\n").filter { $0.hasPrefix("COPY ") && !$0.hasPrefix("COPY --") }
        let copied = copies.flatMap { $0.split(separator: " ").dropFirst().dropLast() }
        let lines = ignored.split(separator: "\n").map(String.init)
        #expect(Set(copied).isSuperset(of: ["Package.swift", "Sources"]))
        #expect(lines.first == "*")
        #expect(Set(lines.dropFirst()) == Set(copied.map { "!\($0)" }))
    }

    private static func analyze(_ arguments: [String]) async throws -> SidetoneProcess.Run {
        try await SidetoneProcess.run(["--no-pager"] + arguments, program: "systemd-analyze")
    }
}
