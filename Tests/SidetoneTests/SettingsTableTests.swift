import Foundation
import TestSupport
import Testing

@testable import sidetone

/// The table of settings, and what is made of it.
@Suite struct SettingsTableTests {
    @Test func `every setting has a key, a flag and a variable of its own, and takes its own default`() throws {
        let rows = Settings.all
        #expect(Set(rows.map(\.key)).count == rows.count)
        #expect(Set(rows.map(\.flag)).count == rows.count)
        #expect(Set(rows.map { $0.key.replacing(".", with: "-") }).count == rows.count)
        for row in rows {
            #expect(row.key.allSatisfy { $0.isLowercase || ".-".contains($0) }, "\(row.key)")
            if let texts = row.defaultTexts { try row.check(texts) }
        }
    }

    @Test func `every setting stands in docs-operations with its flag, unit and default`() throws {
        let path = SharedData.packageRoot.appending(path: "docs/operations.md")
        let lines = try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
        for row in Settings.all {
            // What is secret is not taken from the arguments, which everybody on the machine can read.
            let start = row.isSecret ? "| `\(row.key)` | – |" : "| `\(row.key)` | `\(row.flag)"
            let line = lines.first { $0.hasPrefix(start) }.map(String.init)
            let found = try #require(line, "a line that begins with \(start)")
            let expected = (row.defaultTexts.map { "`\($0.joined(separator: ","))`" } ?? "–") + " |"
            #expect(found.contains(expected), "\(found): \(expected)")
            if let unit = row.unit { #expect(found.contains(unit)) }
        }
    }

    @Test func `what is shown is a file that says the same, whatever the values are`() throws {
        var random = RandomSource(seed: 7)
        for _ in 0..<300 {
            let shown = try Self.randomSettings(using: &random)
            let text = SettingsText(shown, explains: .random(using: &random)).text
            let file = try ConfigurationFile(path: "shown.yaml", data: Data(text.utf8))
            let read = try SettingsReader(flags: [], environment: [:], file: file).read()
            for row in Settings.all { #expect(read.entry(of: row).texts == shown.entry(of: row).texts, "\(text)") }
        }
    }

    @Test func `settings are shown with where they came from, in 80 columns`() throws {
        let file = try ConfigurationFile(path: "/etc/sidetone.yaml", data: Data("log: {level: debug}".utf8))
        let flag = try #require(GivenFlag(Settings.listen, "0.0.0.0:80"))
        let environment = ["SIDETONE_CAPTURE_FILTER": "udp or tcp"]
        let settings = try SettingsReader(flags: [flag], environment: environment, file: file).read()
        #expect(SettingsText(settings, explains: false).text == Self.shown)
        let explained = SettingsText(settings, explains: true).text
        #expect(explained.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(
            explained.contains("  # Most calls kept of each tenant; the least recently active go first.\n"))
        #expect(explained.contains("  # Expected: a whole number of at least 1, in calls.\n"))
    }

    @Test(arguments: [
        ("keep.call", "keep.calls"), ("kepe.calls", "keep.calls"), ("log.formt", "log.format"), ("qqq", nil),
        ("", nil), (String(repeating: "a", count: 10_000), nil),
    ])
    func `the nearest name is what somebody may have meant`(text: String, name: String?) {
        #expect(NearestName.of(text, among: Settings.all.map(\.key)) == name)
    }

    @Test func `a distance is one for each letter put in, taken out, replaced or swapped`() {
        #expect(NearestName.distance("calls", "calls") == 0)
        #expect(NearestName.distance("calls", "cals") == 1)
        #expect(NearestName.distance("calls", "clals") == 1)
        #expect(NearestName.distance("", "abc") == 3)
        #expect(NearestName.distance("kitten", "sitting") == 3)
    }

    private static func randomSettings(using random: inout RandomSource) throws -> ResolvedSettings {
        var settings = ResolvedSettings(file: nil)
        let letters = Array("ab1-_./: #'\"\\{}[],&*!|>%@`~\u{e9}\u{1F600}\t")
        // A secret is not shown.
        for row in Settings.all where !row.isSecret && Bool.random(using: &random) {
            let text = String(
                (0..<Int.random(in: 1...8, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" })
            let texts = [text, "1", "true", "info", "json", "[::1]:80"].filter { (try? row.check([$0])) != nil }
            guard let chosen = texts.first else { continue }
            settings.set(row, .init(texts: [chosen], source: .flag(row.flag)))
        }
        return settings
    }

    private static let shown = """
        listen: "0.0.0.0:80"                        # --listen
        database: calls.sqlite                      # default
        # store:                                    # not set
        clickhouse:
          # password:                               # not set
          # keep-calls:                             # not set
          # keep-days:                              # not set
          merge-seconds: 30                         # default
          show: all                                 # default
        spool:
          bytes: 20000000000                        # default
          when-full: refuse                         # default
        rescore: true                               # default
        # tokens:                                   # not set
        authentication: true                        # default
        tls:
          # certificate:                            # not set
          # key:                                    # not set
        cors:
          # origins:                                # not set
        # trusted-proxies:                          # not set
        addresses: cut                              # default
        # address-key:                              # not set
        limits:
          body-bytes: 1048576                       # default
          import-bytes: 268435456                   # default
          ratio: 100                                # default
          depth: 64                                 # default
          objects: 5000                             # default
          string-bytes: 65536                       # default
          id-bytes: 256                             # default
          connections: 4096                         # default
          connections-per-address: 0                # default
          idle-seconds: 30                          # default
          requests: 0                               # default
          live-calls: 0                             # default
          waiting-bytes: 67108864                   # default
          waiting: 4096                             # default
          live-subscribers: 1000                    # default
        keep:
          calls: 10000                              # default
          # days:                                   # not set
        stop:
          delay-seconds: 0                          # default
        capture:
          # interface:                              # not set
          filter: "udp or tcp"                      # SIDETONE_CAPTURE_FILTER
          # user:                                   # not set
          observer: wire                            # default
          buffer-mib: 16                            # default
          snap-length: 65535                        # default
          promiscuous: true                         # default
          immediate: false                          # default
          snapshot-seconds: 5                       # default
          summary-seconds: 10                       # default
          # post:                                   # not set
          # token-file:                             # not set
          # ca-file:                                # not set
          flush-seconds: 15                         # default
        log:
          level: debug                              # /etc/sidetone.yaml, line 1
          format: auto                              # default

        """
}
