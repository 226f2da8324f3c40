import Foundation
import TestSupport
import Testing

@testable import CallQuality

/// The E-model against figures that were computed elsewhere, each within its row's tolerance.
@Suite struct EModelVectorTests {
    private func check(_ rows: [EModelVector]) throws {
        for row in rows {
            let computed = try row.computed()
            for (name, expected) in row.expected {
                let found = try #require(computed[name], "\(row.id): nothing computes \(name)")
                #expect(abs(found - expected) <= row.tolerance, "\(row.id): \(name) is \(found), not \(expected)")
            }
        }
    }

    @Test func `every row that was computed apart from the product is met`() throws {
        let rows = try EModelVector.rows(of: EModelVector.own)
        #expect(rows.count >= 200)
        try check(rows)
    }

    @Test(SharedData.required) func `every published row, and every row of other programs, is met`() throws {
        let rows = try EModelVector.rows(of: EModelVector.shared)
        #expect(rows.count >= 114)
        try check(rows)
    }

    @Test func `a row of an unknown kind or with an unknown member is an error`() {
        let parameter = EModelVector(id: "a", kind: "nb", input: ["XYZ": 1], expected: [:], tolerance: 0)
        #expect(throws: UnknownVectorMember.self) { try parameter.computed() }
        let kind = EModelVector(id: "b", kind: "sideways", input: [:], expected: [:], tolerance: 0)
        #expect(throws: UnknownVectorMember.self) { try kind.computed() }
    }
}
