import Foundation
import TestSupport
import Testing

@testable import CallReporter

@Suite struct ReportValueTests {
    @Test func `literals are written as JSON, names in order`() {
        let value: ReportValue = [
            "statusCode": 9901, "reason": "Ended by \"local\"\n\u{1}\\ user ü €",
            "detail": ["localVideo": false, "ratio": 0.75],
            "ssrcs": [1, -2, nil],
        ]
        #expect(
            String(decoding: value.json, as: UTF8.self)
                == #"{"detail":{"localVideo":false,"ratio":0.75},"reason":"Ended by \"local\"\n\u0001\\ user ü €","#
                + #""ssrcs":[1,-2,null],"statusCode":9901}"#)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `what is no number is null`(number: Double) {
        #expect(ReportValue.number(number).json == "null".bytes)
    }

    @Test func `maps of an SDK become values, whatever is in them`() {
        struct Odd: CustomStringConvertible { let description = "odd" }
        let map: [AnyHashable: Any] = [
            "text": "a", "int": 7, "byte": UInt8(8), "huge": UInt64.max, "double": 0.5, "whole": 3.0,
            "float": Float(0.25),
            "truth": true, "list": [1, "two", [3]] as [Any], "map": ["inner": 1] as [String: Any],
            "date": Date(timeIntervalSince1970: 1_455_701_052.999), "odd": Odd(), 5: "five", "none": Int?.none as Any,
            "null": NSNull(),
        ]
        #expect(
            ReportValue(map) == [
                "text": "a", "int": 7, "byte": 8, "huge": "18446744073709551615", "double": 0.5, "whole": 3,
                "float": 0.25,
                "truth": true, "list": [1, "two", [3]], "map": ["inner": 1], "date": 1_455_701_052_999, "odd": "odd",
                "5": "five", "none": nil, "null": nil,
            ])
    }

    @Test func `endless nesting is cut off`() {
        var value: Any = "deep"
        for _ in 0..<10_000 { value = [value] }
        #expect(
            ReportValue(value).json
                == (String(repeating: "[", count: 32) + "null" + String(repeating: "]", count: 32)).bytes)
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `any text is read back as it was`(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let scalars = (0..<Int.random(in: 0...200, using: &random)).compactMap { _ in
            Unicode.Scalar(UInt32.random(in: 0...(Bool.random(using: &random) ? 0x80 : 0x10_FFFF), using: &random))
        }
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        let json = ReportValue.list([.text(text)]).json
        #expect(!json.contains(UInt8(ascii: "\n")))
        #expect(try JSONDecoder().decode([String].self, from: Data(json)).map { Array($0.utf8) } == [Array(text.utf8)])
    }
}

@Suite struct ReportEntryTests {
    @Test func `an entry needs an action and a type`() {
        #expect(throws: ReportEntry.Flaw.missing("action")) { try ReportEntry(["type": "a"]) }
        #expect(throws: ReportEntry.Flaw.missing("type")) { try ReportEntry(["action": "a", "type": 3]) }
        #expect(throws: ReportEntry.Flaw.missing("type")) { try ReportEntry(["action": "a", "type": ""]) }
    }

    @Test func `an entry that no request has room for is named`() {
        let long = ReportValue.text(String(repeating: "x", count: 900_000))
        #expect(throws: ReportEntry.Flaw.tooLong(bytes: 900_041)) {
            try ReportEntry(["action": "a", "type": "b", "statistics": long])
        }
    }
}

@Suite struct CallAnchorTests {
    @Test func `each call is measured from its own creation`() {
        let anchors = CallAnchors()
        func tell(_ type: String, _ call: String, _ time: ReportValue) -> Duration? {
            anchors.sinceCreation(of: ["type": .text(type), "callId": .text(call), "time": time])
        }
        #expect(tell("callRinging", "a", 100) == nil)
        #expect(tell("callCreate", "a", "1455701050400") == .zero)
        #expect(tell("callCreate", "b", 1_455_701_052_000) == .zero)
        #expect(tell("callRinging", "a", "1455701054120") == .milliseconds(3720))
        #expect(tell("callRinging", "b", 1_455_701_052_500.4) == .milliseconds(500))
        #expect(tell("callCreate", "a", "1455701060000") == .zero)
        #expect(tell("callRinging", "a", "1455701060010") == .milliseconds(10))
        #expect(tell("callRinging", "b", "soon") == nil)
    }

    @Test func `only so many calls are remembered`() {
        let anchors = CallAnchors()
        for call in 0...100 {
            _ = anchors.sinceCreation(of: ["type": "callCreate", "callId": .text("\(call)"), "time": 5])
        }
        #expect(anchors.sinceCreation(of: ["type": "x", "callId": "0", "time": 6]) == nil)
        #expect(anchors.sinceCreation(of: ["type": "x", "callId": "1", "time": 6]) == .milliseconds(1))
    }
}
