import CallModel
import Testing

@testable import sidetone

/// What an import makes of the answer of the collector that it posts to.
@Suite struct ImportTallyTests {
    @Test func `what became of a file is told as it was answered`() {
        let answer: JSONObject = [
            "format": "a log", "accepted": 3, "repeated": 2, "contradicted": 1, "calls": ["a"], "notes": ["odd"],
            "refusals": ["malformed": 2], "refused": [["index": 4, "message": "line 5"]],
        ]
        let tally = ImportTally(
            format: "a log", receipt: DeliveryReceipt(accepted: 3, repeated: 2, contradicted: 1), calls: ["a"],
            refusals: ["malformed": 2], firstRefusals: ["line 5"], notes: ["odd"])
        #expect(ImportTally(answer: answer, most: 3) == tally)
    }

    @Test(
        arguments: [
            ["accepted": .integer(.max), "repeated": .integer(.max)], ["accepted": -1], ["accepted": 1001],
            ["repeated": 1001], ["contradicted": 1001], ["accepted": 0, "refusals": ["malformed": .integer(.max)]],
            ["accepted": 0, "refusals": ["malformed": -1]],
        ] as [JSONObject])
    func `more than a file can hold is no answer of a sidetone`(answer: JSONObject) {
        #expect(ImportTally(answer: answer, most: 1000) == nil)
    }
}
