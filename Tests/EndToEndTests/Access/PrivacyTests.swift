import CallModel
import Foundation
import JSONText
import NIOHTTP1
import Testing

/// What identifies people, through the real program, whatever way it comes.
@Suite struct PrivacyTests {
    /// Everything that is stored, as `export` writes it.
    private static func stored(_ folder: URL) async throws -> String {
        let run = try await SidetoneProcess.run([
            "export", "--database", folder.appending(path: "calls.sqlite").path,
        ])
        #expect(run.status == 0, "\(run.errors)")
        return run.output
    }

    private static let report: JSONValue = [
        "role": "caller", "time": .integer(Samples.start),
        "statistics": [
            [
                "id": "L1", "type": "local-candidate", "timestamp": .integer(Samples.start), "address": "10.77.0.2",
                "relatedAddress": "192.168.19.77", "usernameFragment": "UFRAG1", "url": "turn:UFRAG1@10.77.0.3",
                "deviceLabel": "Anna",
            ]
        ],
    ]

    private static let event: JSONValue = [
        "callId": "c", "time": .integer(Samples.start + 10), "action": "error", "type": "failed",
        "reason": "nothing from 10.77.0.2:5000 (ice-pwd:UFRAG1)",
        "detail": ["candidate": "candidate:1 1 udp 1 192.168.19.77 9 typ host ufrag UFRAG1", "deviceName": "Anna"],
    ]

    private static func post(_ sidetone: Sidetone) async throws {
        let replies = [
            try await sidetone.post("/v1/calls/c/stats", report.canonicalText),
            try await sidetone.post("/v1/events", event.canonicalText),
            try await sidetone.post("/v1/import?call=d", report.canonicalText),
            try await sidetone.post("/v1/wire", Samples.wire(1, call: "w")),
            try await sidetone.post(
                "/v1/wire", Samples.sip("INVITE", at: 5, call: "w", members: ["source": "10.77.0.2:5060"])),
        ]
        for reply in replies { #expect(reply.status == 202, "\(reply.text)") }
    }

    @Test(arguments: [nil, "hash"]) func `nothing of it is stored, by whatever route it comes`(policy: String?)
        async throws
    {
        try await Sidetone.withTemporaryFolder { folder in
            let key = folder.appending(path: "key")
            try Data("0123456789abcdef-".utf8).write(to: key)
            let arguments = policy.map { ["--addresses", $0, "--address-key", key.path] } ?? []
            let sidetone = try await Sidetone.start(in: folder, arguments + ["--log-level", "debug"])
            try await Self.post(sidetone)
            let log = sidetone.process.log
            #expect(await sidetone.process.terminate() == 0)
            let stored = try await Self.stored(folder)
            for word in ["10.77.0.2", "10.77.0.3", "10.78.0.3", "192.168.19.77", "UFRAG1", "Anna"] {
                #expect(!stored.contains(word) && !log.contains(word), "\(word)")
            }
            #expect(stored.contains("nothing from "))
            #expect(stored.contains("10.77.0.0/24") == (policy == nil))
            #expect(stored.contains("hash:") == (policy != nil))
        }
    }

    @Test func `addresses are kept where somebody says so, secrets never`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let sidetone = try await Sidetone.start(in: folder, ["--addresses", "full"])
            try await Self.post(sidetone)
            #expect(await sidetone.process.terminate() == 0)
            let stored = try await Self.stored(folder)
            #expect(stored.contains("192.168.19.77") && !stored.contains("UFRAG1") && !stored.contains("Anna"))
        }
    }

    @Test(arguments: [
        (["--addresses", "hash"], 64, "--address-key"), (["--address-key", "/dev/null"], 64, "--addresses hash"),
        (["--addresses", "hash", "--address-key", "/dev/null"], 78, "cannot use the key in /dev/null: "),
    ])
    func `a policy without its key is refused`(arguments: [String], status: Int32, reason: String) async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let database = ["--database", folder.appending(path: "calls.sqlite").path]
            let ended = try await SidetoneProcess.run(["serve", "--listen", "127.0.0.1:0"] + database + arguments)
            #expect(ended.status == status && ended.errors.contains(reason), "\(ended.errors)")
        }
    }

    // MARK: Erasing

    @Test func `an erased call is gone for readers, writers and the log, by request or by hand`() async throws {
        let admin = try await TestToken(tenant: "a", scope: "ingest,read,admin", others: ["--name", "boss"])
        try await Sidetone.run(taking: [admin]) { sidetone, file in
            for call in ["secret-1", "secret-2"] {
                let reply = try await sidetone.post("/v1/calls/\(call)/stats", Samples.report(1), as: admin)
                #expect(reply.status == 202)
            }
            let erased = try await sidetone.delete("/v1/calls/secret-1", as: admin)
            #expect(erased.status == 204)
            #expect(try await sidetone.get("/v1/calls/secret-1", as: admin).status == 410)
            let log = sidetone.process.log
            #expect(
                log.contains("a call was erased") && log.contains(#""token":"boss""#) && log.contains(#""tenant":"a""#))
            #expect(!log.contains("secret-1"))

            let database = file.deletingLastPathComponent().appending(path: "calls.sqlite").path
            let arguments = ["erase", "secret-2", "--tenant", "a", "--database", database]
            let busy = try await SidetoneProcess.run(arguments)
            #expect(busy.status == 1 && busy.errors.contains("is in use by another sidetone"))
            #expect(await sidetone.process.terminate() == 0)
            let done = try await SidetoneProcess.run(arguments)
            #expect(done.status == 0 && done.output.contains("erased 1 of 1 calls"), "\(done.errors)")
            let again = try await SidetoneProcess.run(arguments)
            #expect(again.status == 1 && again.errors.contains("has no call secret-2"))
        }
    }
}
