/// Reads members of one object and says what is wrong with one that cannot be read.
struct MemberReader {
    let members: JSONObject
    let path: String

    init(_ value: JSONValue, path: String) throws(WireReportError) {
        guard let members = value.members else {
            throw WireReportError(path: path, found: value.shortText, expected: "an object")
        }
        self.members = members
        self.path = path
    }

    private func problem(_ name: String, _ expected: String) -> WireReportError {
        WireReportError(path: "\(path).\(name)", found: members[name]?.shortText, expected: expected)
    }

    private func given(_ name: String) -> JSONValue? {
        members[name].flatMap { $0 == .null ? nil : $0 }
    }

    func optionalText(_ name: String) throws(WireReportError) -> String? {
        guard let value = given(name) else { return nil }
        guard let text = value.text else { throw problem(name, "text") }
        return text
    }

    func optionalTruth(_ name: String) throws(WireReportError) -> Bool? {
        guard let value = given(name) else { return nil }
        guard let truth = value.truth else { throw problem(name, "true or false") }
        return truth
    }

    func optionalNumber(_ name: String) throws(WireReportError) -> Double? {
        guard let value = given(name) else { return nil }
        guard let number = value.number, abs(number) <= Self.largest else { throw problem(name, "a number") }
        return number
    }

    func optionalNumber(_ name: String, in range: ClosedRange<Double>) throws(WireReportError) -> Double? {
        guard let number = try optionalNumber(name) else { return nil }
        guard range.contains(number) else {
            throw problem(name, "a number of \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Up to here every whole number has a double of its own.
    private static let largest = 9_007_199_254_740_992.0

    func optionalWhole(_ name: String, in range: ClosedRange<Int64>? = nil) throws(WireReportError) -> Int64? {
        guard given(name) != nil else { return nil }
        return try whole(name, in: range)
    }

    func whole(_ name: String, in range: ClosedRange<Int64>? = nil) throws(WireReportError) -> Int64 {
        let words = range.map { "a whole number of \($0.lowerBound) to \($0.upperBound)" } ?? "a whole number"
        guard let number = given(name)?.wholeNumber, range?.contains(number) ?? true else {
            throw problem(name, words)
        }
        return number
    }

    func optionalChoice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, of type: Choice.Type
    ) throws(WireReportError) -> Choice? where Choice.RawValue == String {
        given(name) == nil ? nil : try choice(name, of: type)
    }

    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, of type: Choice.Type
    ) throws(WireReportError) -> Choice where Choice.RawValue == String {
        guard let choice = given(name)?.text.flatMap(Choice.init(rawValue:)) else {
            throw problem(name, "one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return choice
    }

    func counts(_ name: String, atMost limit: Int) throws(WireReportError) -> [Int] {
        guard let value = given(name) else { return [] }
        guard case .array(let values) = value, values.count <= limit else {
            throw problem(name, "an array of at most \(limit) counts")
        }
        var result: [Int] = []
        for value in values {
            guard let count = value.wholeNumber, (0...Int64(Int32.max)).contains(count) else {
                throw problem(name, "an array of at most \(limit) counts")
            }
            result.append(Int(count))
        }
        return result
    }

    func object(_ name: String) throws(WireReportError) -> MemberReader? {
        guard let value = given(name) else { return nil }
        return try MemberReader(value, path: "\(path).\(name)")
    }

    func objects(_ name: String, atMost limit: Int) throws(WireReportError) -> [MemberReader] {
        guard let value = given(name) else { return [] }
        guard case .array(let values) = value, values.count <= limit else {
            throw problem(name, "an array of at most \(limit) objects")
        }
        var result: [MemberReader] = []
        for (index, value) in values.enumerated() {
            result.append(try MemberReader(value, path: "\(path).\(name)[\(index)]"))
        }
        return result
    }
}

extension JSONValue {
    /// The value as text of at most 40 characters.
    var shortText: String {
        let text = canonicalText
        return text.count <= 40 ? text : text.prefix(39) + "…"
    }
}
