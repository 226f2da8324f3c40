import CallModel
import Foundation
import Hummingbird

extension CollectorContext {
    /// The `{callId}` of the path, percent-decoded.
    func call(_ limits: IngestLimits) throws -> CallID {
        let raw = parameters.get("callId") ?? ""
        guard let text = raw.removingPercentEncoding else {
            throw APIError.badParameter("callId", raw, expected: "percent-encoded UTF-8")
        }
        return CallID(rawValue: try text.checkedIdentifier("callId", limits))
    }

    /// The call of the path, of whoever asks.
    func identity(_ limits: IngestLimits) throws -> CallIdentity {
        CallIdentity(tenant: try tenant, call: try call(limits))
    }
}

extension String {
    /// The text, when it may serve as an identifier: not empty, not too long.
    func checkedIdentifier(_ name: String, _ limits: IngestLimits) throws -> String {
        guard (1...limits.identifierBytes).contains(utf8.count) else {
            throw APIError(
                .badRequest, "bad_parameter",
                "\(name) is \(utf8.count) bytes long; expected 1 to \(limits.identifierBytes) bytes")
        }
        return self
    }
}

extension Request {
    /// What the sender calls itself outside the body: `?observer=`, else the header `Sidetone-Observer`.
    func observer(_ parameters: QueryParameters, _ limits: IngestLimits) throws -> ObserverID? {
        let header = headers.first { $0.name.canonicalName == "sidetone-observer" }?.value
        guard let text = parameters.text("observer") ?? header else { return nil }
        return ObserverID(rawValue: try text.checkedIdentifier("observer", limits))
    }
}
