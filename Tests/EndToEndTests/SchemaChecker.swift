import CallModel

/// Holds values against the part of JSON Schema 2020-12 that the OpenAPI document uses.
struct SchemaChecker: Sendable {
    let document: JSONValue

    /// The value that a `$ref` stands for; every other value itself.
    func resolve(_ value: JSONValue) -> JSONValue {
        guard let reference = value["$ref"].text else { return value }
        return resolve(reference.split(separator: "/").dropFirst().reduce(document) { $0[String($1)] })
    }

    /// What in `value` is not as `schema` says, each with its place.
    func faults(in value: JSONValue, _ schema: JSONValue, at place: String = "") -> [String] {
        guard schema["$ref"] == .null else {
            let target = resolve(schema)
            return target == .null ? ["\(place): no schema \(schema)"] : faults(in: value, target, at: place)
        }
        return typeFaults(value, schema, place) + rangeFaults(value, schema, place)
            + memberFaults(value, schema, place) + elementFaults(value, schema, place)
    }

    private func typeFaults(_ value: JSONValue, _ schema: JSONValue, _ place: String) -> [String] {
        var faults: [String] = []
        let types = schema["type"].text.map { [$0] } ?? schema["type"].elements.compactMap(\.text)
        if !types.isEmpty, !types.contains(where: { Self.matches(value, $0) }) {
            faults.append("\(place): \(value.canonicalText.prefix(60)) is no \(types.joined(separator: " or "))")
        }
        let choices = schema["enum"].elements + (schema.members?["const"].map { [$0] } ?? [])
        if !choices.isEmpty, !choices.contains(value) {
            faults.append("\(place): \(value.canonicalText.prefix(60)) is none of the named values")
        }
        let variants = schema["anyOf"].elements
        if !variants.isEmpty, !variants.contains(where: { self.faults(in: value, $0).isEmpty }) {
            faults.append("\(place): fits no variant")
        }
        return faults
    }

    private static func matches(_ value: JSONValue, _ type: String) -> Bool {
        switch (value, type) {
        case (.null, "null"), (.bool, "boolean"), (.integer, "integer"), (.integer, "number"), (.double, "number"),
            (.string, "string"), (.array, "array"), (.object, "object"):
            true
        default: false
        }
    }

    private func rangeFaults(_ value: JSONValue, _ schema: JSONValue, _ place: String) -> [String] {
        let number: Double
        switch value {
        case .integer(let integer): number = Double(integer)
        case .double(let double): number = double
        default: return []
        }
        let isBelow = schema["minimum"].number.map { number < $0 } ?? false
        let isAbove = schema["maximum"].number.map { number > $0 } ?? false
        return isBelow || isAbove ? ["\(place): \(number) is out of range"] : []
    }

    private func memberFaults(_ value: JSONValue, _ schema: JSONValue, _ place: String) -> [String] {
        guard let members = value.members else { return [] }
        let properties = schema["properties"].members ?? [:]
        var faults = schema["required"].elements.compactMap(\.text).filter { members[$0] == nil }
            .map { "\(place): no \($0)" }
        for (name, member) in members.sorted(by: { $0.key < $1.key }) {
            if let property = properties[name] {
                faults += self.faults(in: member, property, at: place + "/" + name)
            } else if schema["additionalProperties"] == false {
                faults.append("\(place): \(name) is not described")
            } else if schema["additionalProperties"].members != nil {
                faults += self.faults(in: member, schema["additionalProperties"], at: place + "/" + name)
            }
        }
        return faults
    }

    private func elementFaults(_ value: JSONValue, _ schema: JSONValue, _ place: String) -> [String] {
        guard case .array(let elements) = value else { return [] }
        let isShort = schema["minItems"].number.map { Double(elements.count) < $0 } ?? false
        let faults = isShort ? ["\(place): too few elements"] : []
        guard schema["items"] != .null else { return faults }
        return faults + elements.enumerated().flatMap { self.faults(in: $1, schema["items"], at: "\(place)[\($0)]") }
    }
}
