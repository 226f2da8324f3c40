/// Parameters of header values: `;name=value` after an address or a Via hop.
enum SIPParameters {
    /// The parameters that are looked up.
    enum Name: String, Hashable, Sendable, CaseIterable {
        case boundary, branch, tag
        case chargingIdentifier = "icid-value"
    }

    private static let names = NameTable<Name>(Name.allCases.map { ($0.rawValue, $0) })

    /// A parameter of an address as in From and To: those inside `<…>` belong to the URI and do not count
    /// ([RFC 3261 §20](https://www.rfc-editor.org/rfc/rfc3261#section-20)).
    static func ofAddress(_ name: Name, in value: Bytes) -> String? {
        first(name, in: afterAddress(value))
    }

    /// A parameter of the first of several values between commas, as in Via.
    static func ofFirst(_ name: Name, in value: Bytes) -> String? {
        first(name, in: value.prefix { $0 != UInt8(ascii: ",") })
    }

    /// What follows the address: after its `>`, and without brackets from the first semicolon.
    private static func afterAddress(_ value: Bytes) -> Bytes {
        var isQuoted = false
        var isEscaped = false
        for index in value.indices {
            let byte = value[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted {
                isEscaped = byte == UInt8(ascii: "\\")
                isQuoted = byte != UInt8(ascii: "\"")
            } else if byte == UInt8(ascii: "\"") {
                isQuoted = true
            } else if byte == UInt8(ascii: "<") {
                return value[index...].cut(at: UInt8(ascii: ">"))?.after ?? value[value.endIndex...]
            } else if byte == UInt8(ascii: ";") {
                return value[index...]
            }
        }
        return value[value.endIndex...]
    }

    private static func first(_ name: Name, in parameters: Bytes) -> String? {
        var rest = parameters
        while let parameter = rest.nextPart(before: UInt8(ascii: ";")) {
            guard let (key, value) = parameter.cut(at: UInt8(ascii: "=")), names[key.trimmed] == name else {
                continue
            }
            let trimmed = value.trimmed
            return trimmed.isEmpty ? nil : trimmed.text(limit: 128)
        }
        return nil
    }
}
