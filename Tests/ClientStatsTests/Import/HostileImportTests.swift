import CallModel
import ClientStats
import TestSupport
import Testing

/// Files that are damaged, or are something else.
struct HostileImportTests {
    @Test(
        SharedData.required,
        arguments: [
            ("derived/android-tostring.txt", "Android's RTCStatsReport.toString()"),
            ("derived/hostile-rn-1.94.txt", "react-native-webrtc 1.94 for Android"),
            ("sfu/jvb-sample", "messages of a Jitsi component"),
            ("sfu/jicofo-sample", "messages of a Jitsi component"),
            ("sfu/jigasi-sample", "messages of a Jitsi component"),
        ])
    func `what is no getStats is refused by name`(file: String, name: String) throws {
        let error = #expect(throws: ClientStatsError.self) { try ImportedFile.shared("reports/\(file)") }
        #expect(error?.reason == .unrecognised)
        #expect(error?.description.contains(name) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        ("{ timestampUs: 12, stats: [ { timestampUs: 12, type: codec, id: C } ] }", "Android"),
        (#"[["O",{"id":"O","qualityLimitationDurations":{none=1.0, cpu=0.0}}]]"#, "react-native-webrtc 1.94"),
        (#"{"statsSessionId":"x","type":"identity","data":{}}"#, "Jitsi"),
        ("<!DOCTYPE html><html></html>", "HTML"),
        ("SQLite format 3\u{0}", "SQLite"),
        ("id = RTCTransport_0, type = transport, timestamp = 12, values = {}", "Objective-C"),
    ])
    func `the error says what a file is`(text: String, name: String) {
        let error = #expect(throws: ClientStatsError.self) { try ImportedFile(text) }
        #expect(error?.description.contains(name) == true, "\(error?.description ?? "")")
    }

    private static let foreign: [([UInt8], String)] = [
        (
            [0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0],
            "this is a packet capture; statsreport FILE and sidetone capture -r read it"
        ),
        (
            Array("snoop\u{0}\u{0}\u{0}".utf8), "this is a snoop capture (RFC 1761); make a pcapng of it (editcap)"
        ),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "this is xz data; unpack it first (xz -d)"),
        ([0x28, 0xB5, 0x2F, 0xFD, 4], "this is Zstandard data; unpack it first (zstd -d)"),
        (Array("BZh91AY".utf8), "this is bzip2 data; unpack it first (bzip2 -d)"),
        (
            Array("one.json".utf8) + [UInt8](repeating: 0, count: 249) + Array("ustar  ".utf8),
            "this is a tar archive; unpack it first"
        ),
        (
            Array("SQLite format 3\u{0}".utf8),
            "this is an SQLite database; `statsreport list --database FILE` shows those of sidetone"
        ),
    ]

    @Test(arguments: foreign) func `what is not taken for statistics is named with what to do`(
        bytes: [UInt8], message: String
    ) {
        let error = #expect(throws: ClientStatsError.self) { try ImportedFile(bytes) }
        #expect(error?.description == message)
    }

    @Test(
        arguments: [(Array("hello".utf8), "\"hello\""), ([0x0A, 0x00, 0xA5, 0x7F, 0x0C, 0x10], "00 A5 7F 0C")]
            as [([UInt8], String)])
    func `anything else is refused with its beginning`(bytes: [UInt8], beginning: String) {
        let error = #expect(throws: ClientStatsError.self) { try ImportedFile(bytes) }
        #expect(
            error?.description
                == "it begins with \(beginning), expected statistics reports, events, a CallStatistics.log, a "
                + "webrtc-internals dump or an rtcstats dump")
    }

    @Test(arguments: ["", " \n\t\n", "\u{FEFF}", "\u{FEFF}\n"])
    func `an empty file is an empty report`(text: String) throws {
        let file = try ImportedFile(text)
        #expect(file.format == .empty)
        #expect(file.facts.isEmpty)
    }

    @Test(SharedData.required) func `copies of a report are repeats`() throws {
        let file = try ImportedFile.shared("reports/derived/hostile-duplicates.ndjson")
        #expect(file.count == 26)
        #expect(file.reports.count == 13)
    }

    @Test(SharedData.required) func `a line that is cut short is refused with its place`() throws {
        let file = try ImportedFile.shared("reports/derived/hostile-truncated.ndjson")
        #expect(file.reports.isEmpty)
        #expect(file.refusals.map(\.reason) == [.malformed])
        #expect(file.refusals.first?.message.contains("line 1, column") == true)
    }

    @Test(SharedData.required) func `a clock that is set back does not break the counters`() throws {
        let plain = try #require(try ImportedFile.shared("reports/derived/w3c-map.ndjson").summary())
        let stepped = try ImportedFile.shared("reports/derived/hostile-clock-jump.ndjson")
        let summary = try #require(try stepped.summary())
        #expect(summary.streams.map(\.packets) == plain.streams.map(\.packets))
        #expect(summary.streams.map(\.packetsLost) == plain.streams.map(\.packetsLost))
        #expect(summary.streams.allSatisfy { $0.segments == 1 })
        #expect(stepped.notes.count == 1)
        #expect(summary.dataQuality.notes == plain.dataQuality.notes + stepped.notes)
    }

    @Test(SharedData.required, arguments: ["hostile-out-of-order", "w3c-map.ndjson.gz"])
    func `the order and the container do not matter`(name: String) throws {
        let file = name.contains(".") ? name : "\(name).ndjson"
        let plain = try ImportedFile.shared("reports/derived/w3c-map.ndjson")
        let other = try ImportedFile.shared("reports/derived/\(file)")
        #expect(other.reports.map(\.objects) == plain.reports.map(\.objects))
    }

    // MARK: Much of nothing

    /// A file read to its end, when so many of its parts may hold nothing.
    private func read(_ text: String, partsWithoutFact: Int) throws -> (facts: Int, refusals: [Refusal]) {
        let context = ParsingContext(
            receivedAt: received, limits: BodyLimits(partsWithoutFact: partsWithoutFact))
        var reader = try ImportReader(Array(text.utf8), in: context)
        var (facts, refusals) = (0, [Refusal]())
        while let part = reader.next() {
            facts += part.submissions.reduce(0) { $0 + $1.facts.count }
            refusals += part.refusals
        }
        return (facts, refusals)
    }

    @Test(arguments: ["{}\n", "[]\n"])
    func `lines that hold nothing are read up to a limit, which is told`(line: String) throws {
        let report = ImportSamples.report(second: 0, received: 50)
        let within = try read("\(report)\n" + String(repeating: line, count: 5) + "\n", partsWithoutFact: 10)
        #expect(within.facts == 1)
        #expect(within.refusals == [])
        let beyond = try read(
            "\(report)\n" + String(repeating: line, count: 50) + "\(report)\n", partsWithoutFact: 10)
        #expect(beyond.facts == 1)
        let message = "more than 10 parts of the file without a fact; no more are read"
        #expect(beyond.refusals == [Refusal(index: 12, reason: .tooLarge, message: message)])
    }

    @Test func `refused lines count as lines that hold nothing`() throws {
        let file = try read("{}\n" + String(repeating: "5\n", count: 50), partsWithoutFact: 3)
        #expect(file.facts == 0)
        #expect(file.refusals.map(\.reason) == [.unrecognised, .unrecognised, .unrecognised, .tooLarge])
    }

    @Test(arguments: ["[[\"a\",[", "{\"peerConnections\":{\"a\":["])
    func `a file of more entries than are remembered is refused`(start: String) throws {
        let error = #expect(throws: ClientStatsError.self) {
            try ImportedFile(start + String(repeating: "0,", count: 1_000_001) + "0")
        }
        #expect(error?.reason == .tooLarge)
        #expect(error?.description.hasPrefix("more than 1000000 ") == true, "\(error?.description ?? "")")
    }

    // MARK: Numbers

    /// Rows of a dump that are numbered so, and its notes.
    private func notes(ofRows numbers: [Int64]) throws -> [String] {
        let rows = numbers.map { #"["create","PC_0",null,1767225600000,\#($0)]"# }
        return try ImportedFile((rows + [ImportSamples.legacyDump]).joined(separator: "\n")).notes
    }

    @Test(
        arguments: [
            ([-1, 0], 1), ([0, .max], 1_000_001), ([.max, .min], 1_000_001), ([.min, .max], 1_000_001),
            ([.max - 1, .max], 1), ([.min, .min + 1], 1_000_001), ([-2_000_000, -1_000_000], 2_000_000),
        ] as [([Int64], Int)])
    func `rows that are missing are counted by whatever numbers they have`(numbers: [Int64], missing: Int) throws {
        #expect(try notes(ofRows: numbers) == ["by their numbers \(missing) rows of the dump are missing"])
    }

    // MARK: Notes

    @Test func `of what is odd about a file the first hundred is told, and how much more there is`() throws {
        let report = ImportSamples.report(second: 0, received: 50)
        let entries = (1...150).map { "[\"c\($0)\",[\(report)]]" }
        let words =
            "reports of other calls may stand under this one: its times overlap with those of the next call; "
            + "the sample logger adds a report to the last call of its list"
        // The last one has no next call.
        #expect(
            try ImportedFile("[\(entries.joined(separator: ","))]").notes
                == (1...100).map { "call c\($0): \(words)" } + ["and 49 more"])
    }

    // MARK: Any file

    private static let fixtures = [
        ImportSamples.callStatisticsLog, ImportSamples.internals, ImportSamples.oldInternals, ImportSamples.legacyDump,
        ImportSamples.chromeDump, ImportSamples.compressedDump, ImportSamples.clientFile, ImportSamples.googReport,
        ImportSamples.mixedLines,
    ]

    @Test(arguments: fixtures) func `cut anywhere, a file is read or refused`(text: String) throws {
        let bytes = Array(text.utf8)
        let whole = try ImportedFile(bytes)
        #expect(whole.count > 0)
        for length in bytes.indices {
            guard let part = try? ImportedFile(Array(bytes[..<length])) else { continue }
            #expect(part.count <= whole.count)
        }
    }

    @Test(arguments: fixtures) func `damaged anywhere, a file is read or refused`(text: String) throws {
        var random = RandomSource(seed: 7)
        for _ in 0..<150 {
            var bytes = Array(text.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = bytes.indices.randomElement(using: &random) ?? 0
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            _ = try? ImportedFile(bytes)
        }
    }

    @Test(arguments: fixtures) func `read twice, a file is the same call`(text: String) throws {
        #expect(try ImportedFile(text).facts == ImportedFile(text).facts)
    }
}
