import CallModel
import Foundation
import JSONText
import TestSupport
import Testing

/// The reader against Foundation's on texts that somebody has spoiled: both are to refuse the same, and to read the same.
@Suite struct JSONFoundationTests {
    /// With names that hardly become the same one: of two members, Foundation keeps the first, this reader the last.
    private static let texts = [
        #"{"numbers":[1,2.5,-3e2,0,-0,1E+3,1e-7,12345678901234567890,0.1],"empty":null}"#,
        #"{"text":"é\u00e9\n\"\\\/😀","truth":true,"falsehood":false}"#,
        #" [ [ ] , [ { } ] , "" , 0 , { "t" : "y" } ] "#,
        #"{"id":"RTCInboundRTPAudioStream_1","timestamp":1795234173546.489,"jitter":0.012,"packetsLost":-3,"x":{}}"#,
        "-1.5e-7",
        #""text""#,
    ]

    private static let marks = Array("{}[],:\"\\0123456789.eE+-aftnru \t\n".utf8)

    private static func spoiled(_ text: String, _ random: inout RandomSource) -> [UInt8] {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let place = Int.random(in: bytes.indices, using: &random)
            let mark = marks[Int.random(in: marks.indices, using: &random)]
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[place] = mark
            case 1: bytes.insert(mark, at: place)
            case 2: bytes.swapAt(place, Int.random(in: bytes.indices, using: &random))
            default: if bytes.count > 1 { bytes.remove(at: place) }
            }
        }
        return bytes
    }

    /// Where Foundation is known to differ, and RFC 8259 decides for this reader: it takes a comma behind the last value
    /// (§4, §5), and refuses a number too small for a double, which is 0 (§6), and half of a surrogate pair (§8.2).
    private static func isLeftOut(_ text: String) -> Bool {
        text.contains(/,\s*[\]}]/) || text.contains(/[eE][-+]?\d{3}/) || text.contains(/\\u[dD][89a-fA-F]/)
    }

    @Test(arguments: 0..<10) func `refuses and reads what Foundation does`(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        var outcomes = (read: 0, refused: 0)
        for _ in 0..<500 {
            let bytes = Self.spoiled(Self.texts[Int.random(in: Self.texts.indices, using: &random)], &random)
            let text = String(decoding: bytes, as: UTF8.self)
            guard !Self.isLeftOut(text) else { continue }
            let ours = try? JSONValue(parsing: bytes).withLargeNumbersAsDoubles
            let theirs = try? JSONDecoder().decode(FoundationValue.self, from: Data(bytes))
                .value.withLargeNumbersAsDoubles
            #expect(ours == theirs, "seed \(seed): \(text)")
            if ours == nil { outcomes.refused += 1 } else { outcomes.read += 1 }
        }
        #expect(outcomes.read > 50 && outcomes.refused > 50)
    }
}
