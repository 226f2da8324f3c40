import CallModel
import Hummingbird

/// Why a request was not served, in a form that its sender can act on.
///
/// Every error answer has the body `{"error":{"reason":…,"message":…}}`: the reason for programs, the message for
/// people.
struct APIError: Error, Sendable {
    var status: HTTPResponse.Status
    /// A stable label, such as `malformed` or `unknown_call`.
    var reason: String
    /// What was wrong, where, and what was expected.
    var message: String
    var headers = HTTPFields()
    /// What became of the parts of the request, when it was understood that far.
    var receipt: Receipt?

    init(_ status: HTTPResponse.Status, _ reason: String, _ message: String) {
        self.status = status
        self.reason = reason
        self.message = message
    }
}

extension APIError {
    /// The answer to the client.
    var response: Response {
        var members = receipt?.members ?? [:]
        members["error"] = ["reason": .string(reason), "message": .string(message)]
        var response = Response(json: .object(members), status: status)
        for field in headers { response.headers.append(field) }
        return response
    }
}

extension APIError {
    static func badParameter(_ name: String, _ value: String, expected: String) -> APIError {
        APIError(.badRequest, "bad_parameter", "\(name) is \"\(value.shortened)\"; expected \(expected)")
    }

    static func unknownCall(_ call: CallID) -> APIError {
        APIError(
            .notFound, "unknown_call",
            "there is no call \"\(call.rawValue.shortened)\"; GET /v1/calls lists those there are")
    }

    static func evictedCall(_ call: CallID) -> APIError {
        APIError(
            .gone, RefusalReason.evicted.rawValue,
            "call \"\(call.rawValue.shortened)\" was here, and was evicted or erased")
    }

    static func overloaded(retryAfterSeconds seconds: Int, _ message: String) -> APIError {
        var error = APIError(.serviceUnavailable, "overloaded", "\(message); nothing was stored, retry in \(seconds) s")
        error.headers[.retryAfter] = String(seconds)
        return error
    }

    /// For reads of long calls.
    static var tooManyReads: APIError {
        var error = APIError(
            .serviceUnavailable, "overloaded",
            "too many long calls are being read; ask again in \(readRetrySeconds) s")
        error.headers[.retryAfter] = String(readRetrySeconds)
        return error
    }

    /// What a client is told of a store that takes nothing now, or that is damaged; `nil` for other errors of a store.
    /// The message names no file.
    init?(_ error: CallStoreError) {
        switch error {
        case .unavailable(let outage, _):
            self.init(
                .serviceUnavailable, "store_unavailable",
                "\(outage.words); nothing of this request was acknowledged, send it again in \(Self.outageRetrySeconds) s"
            )
            headers[.retryAfter] = String(Self.outageRetrySeconds)
        case .damaged:
            self.init(
                .serviceUnavailable, "store_damaged",
                "what is stored of this is damaged, as the server's log says; nothing of this request was acknowledged,"
                    + " send it again in \(Self.damageRetrySeconds) s")
            headers[.retryAfter] = String(Self.damageRetrySeconds)
        case .cannotOpen, .inUse, .failed, .refused, .misconfigured: return nil
        }
    }

    /// What a client is told of a store that takes nothing any more in the midst of a file.
    static func interrupted(by outage: StoreOutage, stored: Int) -> APIError {
        var error = APIError(
            .serviceUnavailable, "store_unavailable",
            "\(outage.words); so far \(stored) of the file's reports and events are stored, and are not stored twice: "
                + "send it again in \(outageRetrySeconds) s")
        error.headers[.retryAfter] = String(outageRetrySeconds)
        return error
    }

    /// For reads of what all servers took.
    static var sharedStoreUnavailable: APIError {
        var error = APIError(
            .serviceUnavailable, "shared_store_unavailable",
            "the database that has the calls of all servers cannot be read now, as the server's log says; "
                + "ask again in \(outageRetrySeconds) s")
        error.headers[.retryAfter] = String(outageRetrySeconds)
        return error
    }

    /// A call of a day with eight streams is read in 3 s.
    private static let readRetrySeconds = 5
    /// Disks are made room on, and locks released, in seconds to minutes.
    private static let outageRetrySeconds = 5
    /// A backup is restored in minutes to hours.
    private static let damageRetrySeconds = 60

    /// Shown for faults of the server itself: what happened is for its log.
    static let internalFault = APIError(
        .internalServerError, "internal",
        "the server failed; its log says why. Nothing of this request was acknowledged")
}

extension HTTPResponse.Status {
    /// The status of a refusal for `reason`.
    init(refusal reason: RefusalReason) {
        self =
            switch reason {
            case .malformed: .badRequest
            case .unrecognised, .missingMember, .wrongType: .unprocessableContent
            case .tooLarge: .contentTooLarge
            case .evicted: .gone
            case .tooManyCalls: .tooManyRequests
            }
    }
}

extension String {
    /// The text, cut to a length that suits a message.
    var shortened: String {
        count <= 80 ? self : prefix(80) + "…"
    }
}
