import CallModel
import Deflate
import Foundation
import Testing

/// Every limit is one that can be set, and has an error that names what was found and what is allowed.
@Suite struct LimitTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var option: String
        var limit: Int
        /// A body that is one beyond it, and one that is just within it.
        var beyond: Body
        var within: Body
        var words: [String]

        var testDescription: String { option }
    }

    struct Body: Sendable {
        var path = "/v1/calls/c/stats"
        var bytes: [UInt8]
        var isCompressed = false
    }

    static let cases: [Case] = [
        Case(
            option: "--max-body-bytes", limit: 2_000, beyond: Body(bytes: padded(2_001)),
            within: Body(bytes: padded(2_000)), words: ["2001 bytes", "2000 bytes"]),
        Case(
            option: "--max-body-bytes", limit: 2_000,
            beyond: Body(bytes: Gzip.deflate(padded(2_001)), isCompressed: true),
            within: Body(bytes: Gzip.deflate(padded(2_000)), isCompressed: true), words: ["more than 2000 bytes"]),
        Case(
            option: "--max-ratio", limit: 10, beyond: Body(bytes: Gzip.deflate(padded(100_000)), isCompressed: true),
            within: Body(bytes: Gzip.deflate(padded(400)), isCompressed: true), words: ["more than 10 times"]),
        Case(
            option: "--max-depth", limit: 10, beyond: Body(bytes: nested(9)), within: Body(bytes: nested(7)),
            words: ["10 levels"]),
        Case(
            option: "--max-objects", limit: 5, beyond: Body(bytes: objects(6)), within: Body(bytes: objects(5)),
            words: ["more than 5 objects"]),
        Case(
            option: "--max-string-bytes", limit: 300, beyond: Body(bytes: text(301)), within: Body(bytes: text(300)),
            words: ["`n` has 301 bytes", "300"]),
        Case(
            option: "--max-id-bytes", limit: 20,
            beyond: Body(path: "/v1/calls/\(String(repeating: "x", count: 21))/stats", bytes: objects(1)),
            within: Body(path: "/v1/calls/\(String(repeating: "x", count: 20))/stats", bytes: objects(1)),
            words: ["callId is 21 bytes", "1 to 20 bytes"]),
        Case(
            option: "--max-import-bytes", limit: 2_000, beyond: Body(path: "/v1/import?call=c", bytes: padded(2_001)),
            within: Body(path: "/v1/import?call=c", bytes: padded(2_000)), words: ["2001 bytes", "2000 bytes"]),
    ]

    @Test(arguments: cases) func `a limit that is set holds to the last byte, and names itself`(limit: Case)
        async throws
    {
        try await Sidetone.run([limit.option, String(limit.limit)]) { sidetone in
            let refused = try await post(limit.beyond, to: sidetone)
            #expect([400, 413].contains(refused.status), "\(refused.status) \(refused.text)")
            for word in limit.words { #expect(refused.text.contains(word), "\(refused.text)") }
            let taken = try await post(limit.within, to: sidetone)
            #expect(taken.status == 202, "\(taken.text)")
        }
    }

    private func post(_ body: Body, to sidetone: Sidetone) async throws -> Reply {
        try await sidetone.post(body.path, body.bytes, headers: body.isCompressed ? ["Content-Encoding": "gzip"] : [:])
    }

    @Test(arguments: ["--max-depth=1000", "--max-body-bytes=1", "--max-id-bytes=0", "--max-ratio=0"])
    func `a limit that makes no sense is refused`(argument: String) async throws {
        let ended = try await SidetoneProcess.run(["serve", argument])
        #expect(ended.status == 64 && ended.errors.contains("expected a whole number from"), "\(ended.errors)")
    }

    private static func padded(_ bytes: Int) -> [UInt8] {
        let body = Array(Samples.report(1).utf8)
        return body + [UInt8](repeating: 32, count: max(0, bytes - body.count))
    }

    /// A report with a member of so many levels; three are around it.
    private static func nested(_ levels: Int) -> [UInt8] {
        let value = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        return Array(#"{"statistics":[{"id":"a","type":"transport","timestamp":1778000000000,"n":\#(value)}]}"#.utf8)
    }

    private static func objects(_ count: Int) -> [UInt8] {
        let objects = (0..<count).map { #"{"id":"\#($0)","type":"transport","timestamp":1778000000000}"# }
        return Array("[\(objects.joined(separator: ","))]".utf8)
    }

    private static func text(_ bytes: Int) -> [UInt8] {
        let text = String(repeating: "a", count: bytes)
        return Array(#"[{"id":"a","type":"transport","timestamp":1778000000000,"n":"\#(text)"}]"#.utf8)
    }
}
