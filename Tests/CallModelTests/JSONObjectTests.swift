import CallModel
import TestSupport
import Testing

@Suite struct JSONObjectTests {
    /// Few names, so that they come again; more of them than a list is searched for.
    @Test(arguments: [8, 40, 200], 1...5)
    func `members are those that a dictionary would have, whatever is done`(names: Int, seed: Int) {
        var random = RandomSource(seed: UInt64(seed))
        var object = JSONObject()
        var dictionary: [String: JSONValue] = [:]
        for step in 0..<600 {
            let name =
                "\(Int.random(in: 0..<names, using: &random))\(step.isMultiple(of: 3) ? "" : " of a longer name")"
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                #expect(object.removeValue(forKey: name) == dictionary.removeValue(forKey: name))
            case 1:
                object[name] = nil
                dictionary[name] = nil
            case 2:
                let more: JSONObject = ["\(step)": .integer(Int64(step)), name: .bool(true)]
                object.merge(more) { standing, _ in standing }
                dictionary.merge(more.map { ($0.key, $0.value) }) { standing, _ in standing }
            default:
                object[name] = .integer(Int64(step))
                dictionary[name] = .integer(Int64(step))
            }
        }
        #expect(Dictionary(uniqueKeysWithValues: object.map { ($0.key, $0.value) }) == dictionary)
        #expect(dictionary.allSatisfy { object[$0.key] == $0.value })
        #expect(object == JSONObject(dictionary))
        #expect(object.hashValue == JSONObject(dictionary).hashValue)
        #expect(object.count == dictionary.count)
    }

    @Test(arguments: [5, 100])
    func `each member is kept, replaced or removed, once`(count: Int) {
        var object = JSONObject((0..<count).map { ("\($0)", .integer(Int64($0))) }) { first, _ in first }
        var seen: [String] = []
        object.updateEach { name, value in
            seen.append(name)
            switch (value.wholeNumber ?? 0) % 3 {
            case 0: return .remove
            case 1: return .replace(.string(name))
            default: return .keep
            }
        }
        var expected = JSONObject()
        for number in 0..<count where number % 3 != 0 {
            expected["\(number)"] = number % 3 == 1 ? .string("\(number)") : .integer(Int64(number))
        }
        #expect(object == expected)
        #expect(seen.sorted() == (0..<count).map { "\($0)" }.sorted())
        #expect(object["0"] == nil)
    }

    /// Swift calls both equal, and a table of them would be made with one name twice.
    @Test(arguments: [2, 200]) func `two spellings of a text that differ in length are two names`(count: Int) {
        let (short, long) = ("\u{E9}", "e\u{301}")
        var object: JSONObject = [short: 1, long: 2]
        for number in 2..<count { object["\(number)"] = .integer(Int64(number)) }
        #expect(object.count == count)
        #expect(object[short] == 1 && object[long] == 2)
        #expect(object != JSONObject(object.map { ($0.key == short ? "?" : $0.key, $0.value) }) { first, _ in first })
        #expect(object.removeValue(forKey: short) == 1)
        #expect(object[short] == nil && object[long] == 2 && object.count == count - 1)
        #expect(([short: 1] as JSONObject) != [long: 1])
        let turned: JSONObject = [long: 2, short: 1]
        #expect(JSONValue.object(turned).canonicalText == JSONValue.object([short: 1, long: 2]).canonicalText)
    }

    @Test func `objects that differ in a name, a value or their number differ`() {
        let object: JSONObject = ["a": 1, "b": 2]
        #expect(object == ["b": 2, "a": 1])
        #expect(object != ["a": 1, "b": 3])
        #expect(object != ["a": 1, "c": 2])
        #expect(object != ["a": 1])
    }
}
