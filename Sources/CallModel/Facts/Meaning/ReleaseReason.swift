/// One value of the `Reason` of a SIP message: a protocol, and a cause of it
/// ([RFC 3326](https://www.rfc-editor.org/rfc/rfc3326)).
struct ReleaseReason: Hashable {
    /// `q.850` or `sip`, mostly.
    let name: String
    let cause: Int

    /// The values that a header field's text has; those without a cause left out.
    static func all(in text: String) -> [ReleaseReason] {
        unquoted(text).lowercased().split(separator: ",").compactMap(Self.init(value:))
    }

    private init?(value: Substring) {
        let parts = value.split(separator: ";")
        let cause = parts.dropFirst().lazy.compactMap { $0.hasPrefix("cause=") ? Int($0.dropFirst(6)) : nil }.first
        guard let name = parts.first, let cause else { return nil }
        (self.name, self.cause) = (String(name), cause)
    }

    /// Without spaces and quoted strings, in which anything may stand.
    private static func unquoted(_ text: String) -> String {
        var (result, isQuoted, isEscaped) = ("", false, false)
        for character in text {
            if isQuoted {
                if character == "\"", !isEscaped { isQuoted = false }
                isEscaped = character == "\\" && !isEscaped
            } else if character == "\"" {
                isQuoted = true
            } else if !character.isWhitespace {
                result.append(character)
            }
        }
        return result
    }

    /// Whether it says of a CANCEL that another phone was chosen: SIP 200, call completed elsewhere
    /// ([RFC 3326 §3.1](https://www.rfc-editor.org/rfc/rfc3326#section-3.1)), or Q.850 26, non-selected user clearing.
    var isAnsweredElsewhere: Bool { (name, cause) == ("sip", 200) || (name, cause) == ("q.850", 26) }

    /// What it says of a call that was refused, by the causes of ITU-T Q.850 §2.2.7: 1, unallocated number; 17, user busy;
    /// 18 and 19, nobody responds or answers; 21, call rejected. `nil` where it says no more than a status does.
    var causeOfRefusal: CallEndCause? {
        guard name == "q.850" else { return nil }
        return switch cause {
        case 1: .notFound
        case 17: .busy
        case 18, 19: .noAnswer
        case 21: .declined
        default: nil
        }
    }

    /// Whether it says of a call that was up that something failed, and not that someone hung up.
    ///
    /// Of ITU-T Q.850 §2.2.7 the classes above "normal event" do, and in that class what a fault of the far side's exchange
    /// or line is called: 25, exchange routing error, and 27, destination out of order. Of SIP a request or an ACK that
    /// nobody answered (408), a dialog that the far end does not know (481), and failures of servers (5xx).
    var isFault: Bool {
        switch (name, cause) {
        case ("q.850", 25), ("q.850", 27), ("q.850", 32...127): true
        case ("sip", 408), ("sip", 481), ("sip", 500...599): true
        default: false
        }
    }
}
