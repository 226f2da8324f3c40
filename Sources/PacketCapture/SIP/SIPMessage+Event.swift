import CallModel

extension SIPMessage {
    /// What an event keeps of the message it is about. Who calls whom is not among it.
    var eventMembers: JSONObject {
        var members = JSONObject()
        members["method"] = .string(method)
        if case .response(let status, let phrase) = kind {
            members["statusCode"] = .integer(Int64(status))
            if !phrase.isEmpty { members["reason"] = .string(phrase) }
            if let reasonHeader { members["releaseReason"] = .string(reasonHeader) }
        } else if let reasonHeader {
            members["reason"] = .string(reasonHeader)
        }
        if let userAgent { members["userAgent"] = .string(userAgent) }
        if let userToUser { members["userToUser"] = .string(userToUser) }
        if let descriptionFault { members["unreadDescription"] = .string(descriptionFault.rawValue) }
        if !aliases.isEmpty { members["aliases"] = .array(aliases.map { .string("\($0.header): \($0.value)") }) }
        return members
    }
}
