import Testing

@testable import ClickHouseStore

@Suite struct ClickHouseLocationTests {
    private func parts(_ location: ClickHouseLocation) -> [String] {
        [
            location.servers.map(\.description).joined(separator: " "), location.database, location.user,
            location.cluster ?? "–",
            location.isSecure ? "TLS\(location.authorities.map { " by \($0)" } ?? "")" : "plain",
        ]
    }

    @Test(arguments: [
        ("clickhouse://db1", ["db1:8123", "sidetone", "default", "–", "plain"]),
        ("clickhouse://db1/", ["db1:8123", "sidetone", "default", "–", "plain"]),
        ("clickhouse://db1?secure=1", ["db1:8443", "sidetone", "default", "–", "TLS"]),
        (
            "clickhouse://ann@db1.example:9000/calls?cluster=west&secure=1",
            ["db1.example:9000", "calls", "ann", "west", "TLS"]
        ),
        ("clickhouse://db1?secure=1&ca=/a/b%20c.pem", ["db1:8443", "sidetone", "default", "–", "TLS by /a/b c.pem"]),
        ("ClickHouse://[2001:db8::1]:1/a-b", ["[2001:db8::1]:1", "a-b", "default", "–", "plain"]),
        ("clickhouse://o%27neil@h/da%20ta", ["h:8123", "da ta", "o'neil", "–", "plain"]),
        (
            "clickhouse://ann@db1,db2:9000,[::1]/calls?cluster=west",
            ["db1:8123 db2:9000 [::1]:8123", "calls", "ann", "west", "plain"]
        ),
    ]) func `an address names servers, database, user and cluster`(text: String, expected: [String]) throws {
        #expect(parts(try ClickHouseLocation(text, password: nil)) == expected)
    }

    @Test(arguments: [
        ("calls.sqlite", ClickHouseLocationError.notAnAddress("calls.sqlite")),
        ("http://db1/calls", .notAnAddress("http://db1/calls")),
        ("clickhouse:///calls", .notAnAddress("clickhouse:///calls")),
        ("clickhouse://db1/calls#x", .notAnAddress("clickhouse://db1/calls#x")),
        ("clickhouse://ann%3Ax@db1/calls", .notAnAddress("clickhouse://ann%3Ax@db1/calls")),
        ("clickhouse://ann:secret@db1/calls", .passwordInAddress),
        ("clickhouse://db1/calls/more", .notADatabase("/calls/more")),
        ("clickhouse://db1:0/calls", .notAPort(0)),
        ("clickhouse://db1,db2:0/calls?cluster=west", .notAPort(0)),
        ("clickhouse://db1,/calls?cluster=west", .notAnAddress("clickhouse://db1,/calls?cluster=west")),
        ("clickhouse://,db1/calls?cluster=west", .notAnAddress("clickhouse://,db1/calls?cluster=west")),
        ("clickhouse://db1,ann@db2/calls?cluster=west", .userOfOneServer),
        ("clickhouse://db1,db2/calls", .serversOfNoCluster),
        ("clickhouse://db1:65536/calls", .notAPort(65_536)),
        ("clickhouse://db1/calls?secure=yes", .unknownOption("secure=yes")),
        ("clickhouse://db1/calls?cluster=", .unknownOption("cluster=")),
        ("clickhouse://db1/calls?secure=1&ca=", .unknownOption("ca=")),
        ("clickhouse://db1/calls?ca=/a.pem", .authoritiesOfNothing),
        ("clickhouse://db1/calls?password=secret", .unknownOption("password=secret")),
    ]) func `what is wrong with an address is said`(text: String, expected: ClickHouseLocationError) {
        #expect(throws: expected) { try ClickHouseLocation(text, password: nil) }
    }

    @Test(arguments: [
        ("http://ann:hu:sh@db1/calls", "\"http://ann:***@db1/calls\" is not the address"),
        ("ann:hush@db1", "\"ann:***@db1\" is not the address"), ("http://db1:80/a", "\"http://db1:80/a\" is not"),
        ("http://ann@db1:80/a", "\"http://ann@db1:80/a\" is not"),
        ("clickhouse://db1/calls?password=hush", "\"password=***\" is not an option"),
        ("clickhouse://db1/calls?secure=yes", "\"secure=yes\" is not an option"),
    ]) func `nor is one that stands where no address does`(text: String, beginning: String) throws {
        let error = try #require(throws: ClickHouseLocationError.self) { try ClickHouseLocation(text, password: nil) }
        #expect("\(error)".hasPrefix(beginning), "\(error)")
    }

    @Test func `the password is in nothing that is printed`() throws {
        let location = try ClickHouseLocation("clickhouse://ann@[::1],b/calls?cluster=west&secure=1", password: "hush")
        #expect("\(location)" == "clickhouse://ann@[::1]:8443,b:8443/calls?cluster=west&secure=1")
        #expect(String(reflecting: location) == "\(location)")
    }

    @Test(arguments: [
        ("18.16.1", ClickHouseVersion(major: 18, minor: 16, patch: 1)),
        ("26.9.1.17", ClickHouseVersion(major: 26, minor: 9, patch: 1)),
        ("24.3.1.2672-stable", ClickHouseVersion(major: 24, minor: 3, patch: 1)),
        ("25.8lts", ClickHouseVersion(major: 25, minor: 8, patch: 0)),
        ("", nil), ("ClickHouse", nil), ("18", nil), (".16", nil), ("18..1", nil),
        ("99999999999999999999.1", nil),
    ]) func `a version is read from its text`(text: String, expected: ClickHouseVersion?) {
        #expect(ClickHouseVersion(text) == expected)
    }

    @Test func `versions are in the order of their numbers`() {
        let texts = ["18.16.0", "18.16.1", "19.2.0", "19.10.0", "26.9.0"]
        #expect(texts.shuffled().compactMap(ClickHouseVersion.init).sorted().map(\.description) == texts)
    }
}
