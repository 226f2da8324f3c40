/// What call statistics need of one SIP message
/// ([RFC 3261 §7](https://www.rfc-editor.org/rfc/rfc3261#section-7)).
///
/// Who calls whom is left out on purpose: no URI, no display name and no credentials are kept, the digits of DTMF
/// neither, and of bodies only session descriptions, their keys and passwords taken out.
struct SIPMessage: Hashable, Sendable {
    /// Request or response.
    enum Kind: Hashable, Sendable {
        case request(method: String)
        /// A status of 100...699 and its phrase, which every implementation words as it likes.
        case response(status: Int, reason: String)
    }

    /// A header field that may join this call with another view of it.
    struct Alias: Hashable, Sendable {
        /// The field's name as sent.
        var header: String
        /// Its value, at most 256 bytes.
        var value: String

        init(header: String, value: String) {
            self.header = header
            self.value = value
        }
    }

    /// Why a session description cannot be read.
    enum DescriptionFault: String, Hashable, Sendable {
        /// The capture kept only the beginning of the packet.
        case cutShort = "cut short"
        /// It is compressed, or the like (`Content-Encoding`).
        case encoded
        /// It does not begin as one.
        case malformed
    }

    /// Request or response.
    var kind: Kind
    /// The identifier of the call, 1...256 bytes.
    var callID: String
    /// The number of the transaction within the sender's half of the dialog (CSeq).
    var sequence: UInt32
    /// The method of the transaction (CSeq); in a request also that of its first line.
    var method: String
    /// The sender of the request that opened the transaction; `nil` from clients older than RFC 3261.
    var fromTag: String?
    /// Its receiver; `nil` before that one has answered.
    var toTag: String?
    /// The branch of the topmost Via field, which names the transaction on this hop.
    var topBranch: String?
    /// The number of a reliable provisional response ([RFC 3262](https://www.rfc-editor.org/rfc/rfc3262)), else `nil`.
    var reliableSequence: UInt32?
    /// The field of [RFC 7433](https://www.rfc-editor.org/rfc/rfc7433), with which applications mark their calls.
    var userToUser: String?
    /// Header fields that name the call elsewhere: `Session-ID`, `X-…`, the ICID of `P-Charging-Vector`; at most 16.
    var aliases: [Alias]
    /// The program that sent it (`User-Agent` or `Server`).
    var userAgent: String?
    /// Why, in the words of [RFC 3326](https://www.rfc-editor.org/rfc/rfc3326): `Q.850;cause=16`.
    var reasonHeader: String?
    /// The other call that this one takes the place of, joins or answers, by its Call-ID (`Replaces`, `Join`).
    var replacedCall: String?
    /// The media type of the body, in small letters and without parameters.
    var contentType: String?
    /// The length that the message says its body has; `nil` when it does not say.
    var contentLength: Int?
    /// The session description of the body, without keys and passwords; empty when there is none.
    var body: [UInt8]
    /// Whether the body holds dialled digits. They are not kept.
    var carriesDigits: Bool
    /// Whether the body is shorter than the message says, or the message than it was on the wire: the packet was cut.
    var isTruncated: Bool
    /// Why its session description cannot be read; `nil` when it can, or when there is none.
    var descriptionFault: DescriptionFault?
}

extension SIPMessage {
    /// Longer messages are read up to here.
    static let maximumBytes = 65_536

    /// The status of a response, else `nil`.
    var status: Int? {
        guard case .response(let status, _) = kind else { return nil }
        return status
    }

    /// Whether this is a request.
    var isRequest: Bool { status == nil }

    /// Whether this is an INVITE outside a dialog.
    var isInitialInvite: Bool { toTag == nil && kind == .request(method: "INVITE") }

    /// Whether its description is no whole one, but candidates that follow on one.
    var isFragment: Bool { contentType == SIPBody.fragmentType }

    /// Whether this answers an INVITE: a 2xx.
    var isAnswer: Bool { method == "INVITE" && status.map { $0 / 100 == 2 } ?? false }

    /// The body's session description.
    /// - Returns: `nil` when the body holds none.
    /// - Throws: ``SessionDescriptionError`` when it holds one that cannot be read.
    func sessionDescription() throws(SessionDescriptionError) -> SessionDescription? {
        body.isEmpty ? nil : try SessionDescription(parsing: body)
    }

    /// Reads the body's session description, and notes in ``descriptionFault`` what is in the way.
    mutating func readDescription() -> SessionDescription? {
        do {
            var description = try sessionDescription()
            if isTruncated { description?.unreadableLines += 1 }
            if isTruncated, mayDescribeSession, description?.saysWhere != true { descriptionFault = .cutShort }
            return description
        } catch {
            descriptionFault = isTruncated ? .cutShort : .malformed
            return nil
        }
    }

    /// Whether the body is one of session descriptions; where the header fields are cut as well, whether it mostly is.
    private var mayDescribeSession: Bool {
        guard let contentLength else { return method == "INVITE" && status.map { (200...299).contains($0) } ?? true }
        guard contentLength > 0, let contentType else { return contentLength > 0 }
        return contentType == SIPBody.descriptionType || contentType.hasPrefix("multipart/")
    }
}
