import Foundation
import TestSupport
import Testing

@testable import PacketCapture

/// The session descriptions that the document of the Kandy SDK gives as examples: an offer, and what becomes of it when
/// payload types are given other numbers.
@Suite(SharedData.required) struct DocumentDescriptionTests {
    private static let audio = [
        "111 opus/48000/2", "103 ISAC/16000", "9 G722/8000", "102 ILBC/8000", "0 PCMU/8000", "8 PCMA/8000",
        "105 CN/16000", "13 CN/8000", "110 telephone-event/48000", "113 telephone-event/16000",
        "126 telephone-event/8000",
    ]
    private static let video = [
        "96 H264/90000", "97 rtx/90000 of 96", "98 H264/90000", "99 rtx/90000 of 98", "100 VP8/90000",
        "101 rtx/90000 of 100", "127 VP9/90000", "125 rtx/90000 of 127", "104 red/90000", "124 rtx/90000 of 104",
        "106 ulpfec/90000",
    ]

    private static func replacing(_ map: [String], _ changes: [String: String]) -> [String] {
        map.map { changes[$0] ?? $0 }
    }

    /// As offered; opus and its tones renumbered; one of two H264 renumbered, to a number that audio has, too; opus given
    /// a number that comfort noise had.
    private static let expected: [[[String]]] = [
        [audio, video],
        [
            replacing(
                audio,
                ["111 opus/48000/2": "114 opus/48000/2", "110 telephone-event/48000": "101 telephone-event/48000"]),
            video,
        ],
        [audio, replacing(video, ["98 H264/90000": "126 H264/90000", "99 rtx/90000 of 98": "99 rtx/90000 of 126"])],
        [replacing(audio, ["111 opus/48000/2": "105 opus/48000/2", "105 CN/16000": "111 CN/16000"]), video],
    ]

    @Test func `payload types are those of their own media line`() throws {
        let found = try Self.descriptions().map { description in description.media.map { $0.payloads.map(Self.words) } }
        #expect(Array(found.prefix(4)) == Self.expected)
    }

    @Test func `what has no name in the description has none here, unless its number is fixed`() throws {
        let limited = try Self.descriptions().dropFirst(4)
        #expect(limited.count == 2)
        for description in limited {
            #expect(
                description.media.map { $0.payloads.map(\.number) } == [
                    [111, 103, 104, 9, 102, 0, 8, 106, 105, 13, 110, 112, 113, 126],
                    [96, 97, 98, 99, 100, 101, 127, 124, 125],
                ])
            #expect(
                description.media[0].payloads.compactMap(\.encoding) == ["G722", "PCMU", "PCMA", "CN"])
        }
    }

    private static func words(of payload: SessionDescription.Payload) -> String {
        let channels = payload.channels.map { "/\($0)" } ?? ""
        let name = "\(payload.number) \(payload.encoding ?? "?")/\(payload.clockRate ?? 0)\(channels)"
        guard case .retransmission(let partner?) = payload.role else { return name }
        return "\(name) of \(partner)"
    }

    /// The examples between the marks of code in the document, in their order; what a line `…` stands for is left out.
    private static func descriptions() throws -> [SessionDescription] {
        let text = String(decoding: try SharedData.seed("000"), as: UTF8.self)
        return try text.components(separatedBy: "```").filter { $0.contains("\nm=audio") }.map { block in
            let lines = block.split(separator: "\n").filter { $0.dropFirst().first == "=" }
            return try SessionDescriptionTests.parse(["v=0"] + lines.map(String.init))
        }
    }
}
