import CallModel
import Testing

@testable import CollectorServer

@Suite struct TokenTableTests {
    private static let digest = "sha256:" + String(repeating: "0a", count: 32)

    @Test func `a token that was made is found by itself and by nothing else`() throws {
        let expires = Timestamp(milliseconds: 1_800_000_000_000)
        let first = TokenEntry.make(
            tenant: TenantID(rawValue: "acme"), scopes: [.read, .ingest], name: "phones", expires: expires)
        let second = TokenEntry.make(tenant: .default, scopes: [.admin], name: nil, expires: nil)
        let table = try TokenTable(parsing: "# who may\n\n\(first.entry.line)\r\n  \(second.entry.line)")
        #expect(table.entries == [first.entry, second.entry])
        #expect(table.entry(of: first.token.utf8) == first.entry)
        #expect(table.entry(of: second.token.utf8) == second.entry)
        #expect(table.entry(of: first.token.dropLast().utf8) == nil)
        #expect(table.entry(of: "".utf8) == nil)
        #expect(first.entry.line.hasSuffix(" tenant=acme scope=ingest,read name=phones expires=2027-01-15T08:00:00Z"))
        #expect(!first.entry.line.contains(first.token.dropFirst(4)))
    }

    /// The hash of FIPS 180-2, appendix B.1.
    @Test func `a token is kept as its SHA-256`() {
        #expect(
            TokenDigest(of: "abc".utf8).hexadecimal
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test func `no two tokens are alike, and each has 256 bits`() {
        let tokens = (0..<1_000).map { _ in
            TokenEntry.make(tenant: .default, scopes: [.read], name: nil, expires: nil).token
        }
        #expect(Set(tokens).count == 1_000)
        #expect(tokens.allSatisfy { $0.hasPrefix("sdt_") && $0.utf8.count == 4 + 43 })
    }

    private static let broken: [(String, TokenLineProblem)] = [
        ("sdt_abc tenant=a scope=read", .isToken),
        ("tenant=a scope=read", .noDigest), ("sha256:00 tenant=a scope=read", .noDigest),
        ("sha256:\(String(repeating: "zz", count: 32)) tenant=a scope=read", .noDigest),
        ("\(digest) scope=read", .missing("tenant")), ("\(digest) tenant=a", .missing("scope")),
        ("\(digest) tenant=a scope=", .badScope("")), ("\(digest) tenant=a scope=read,wirte", .badScope("wirte")),
        ("\(digest) tenant= scope=read", .badName("tenant", "")),
        ("\(digest) tenant=a/b scope=read", .badName("tenant", "a/b")),
        ("\(digest) tenant=a scope=read name=ä", .badName("name", "ä")),
        ("\(digest) tenant=a scope=read tenant=b", .twice("tenant")),
        ("\(digest) tenant=a scope=read expires=soon", .badMoment("soon")),
        ("\(digest) tenant=a scope=read expires=2027", .badMoment("2027")),
        ("\(digest) tenant=a scope=read expires=9223372036854775807", .badMoment("9223372036854775807")),
        ("\(digest) tenant=a scope=read hello", .unknownMember("hello")),
    ]

    @Test(arguments: broken) func `a line that cannot be read is named with what is wrong`(
        line: String, problem: TokenLineProblem
    ) {
        #expect(throws: TokenFileError.line(3, problem)) { try TokenTable(parsing: "# tokens\n\n\(line)\n") }
        #expect(!"\(TokenFileError.line(3, problem))".contains("sdt_abc"))
    }

    @Test func `one token on two lines is an error, and so are too many`() throws {
        let line = "\(Self.digest) tenant=a scope=read"
        #expect(throws: TokenFileError.repeated(2, firstLine: 1)) { try TokenTable(parsing: "\(line)\n\(line)") }
        let many = (0...TokenTable.mostTokens).map { _ in
            TokenEntry.make(tenant: .default, scopes: [.read], name: nil, expires: nil).entry.line
        }
        #expect(throws: TokenFileError.tooMany(limit: 1_000)) {
            try TokenTable(parsing: many.joined(separator: "\n"))
        }
        let most = try TokenTable(parsing: many.dropLast().joined(separator: "\n"))
        #expect(most.entries.count == 1_000)
    }
}
