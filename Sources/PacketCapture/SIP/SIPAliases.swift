/// The header fields that name a call elsewhere, so that its legs and its clients' reports can be joined.
enum SIPAliases {
    private static let maximum = 16

    /// The aliases of a message, in the order of its fields.
    static func of(_ fields: SIPFields) -> [SIPMessage.Alias] {
        var found: [SIPMessage.Alias] = []
        for field in fields.fields where field.known == nil && !field.value.isEmpty && field.name.count <= 64 {
            guard let alias = alias(fields.text[field.name], fields.text[field.value]) else { continue }
            found.append(alias)
            if found.count == maximum { break }
        }
        return found
    }

    private static func alias(_ name: Bytes, _ value: Bytes) -> SIPMessage.Alias? {
        switch name.first?.lowercased {
        case UInt8(ascii: "s"): name.isCaseless("Session-ID") ? whole(name, value) : nil
        case UInt8(ascii: "p"): name.isCaseless("P-Charging-Vector") ? chargingIdentifier(value) : nil
        case UInt8(ascii: "x"):
            name.hasCaselessPrefix("X-") && !isSecret(name) && !isStatistics(name) ? whole(name, value) : nil
        default: nil
        }
    }

    private static func whole(_ name: Bytes, _ value: Bytes) -> SIPMessage.Alias {
        SIPMessage.Alias(header: name.text(), value: value.text())
    }

    /// Of the charging vector ([RFC 7315 §5.6](https://www.rfc-editor.org/rfc/rfc7315#section-5.6)) only what is the
    /// same for every leg of the call.
    private static func chargingIdentifier(_ vector: Bytes) -> SIPMessage.Alias? {
        let parameters = Bytes([UInt8(ascii: ";")] + vector)
        guard let value = SIPParameters.ofFirst(SIPParameters.chargingIdentifier, in: parameters) else { return nil }
        return SIPMessage.Alias(header: "P-Charging-Vector", value: value.filter { $0 != "\"" })
    }

    /// Fields that people have invented for what must not be kept.
    private static func isSecret(_ name: Bytes) -> Bool {
        let words: [String] = ["auth", "password", "passwd", "secret", "token", "key", "cookie", "credential"]
        return words.contains { name.containsCaseless($0) }
    }

    /// `X-RTP-Stat` and its like tell how the call was, not which one it is.
    private static func isStatistics(_ name: Bytes) -> Bool {
        name.containsCaseless("rtp-stat")
    }
}
