import CallModel
import Hummingbird

extension Response {
    /// An answer with a JSON body, members sorted by name.
    init(json value: JSONValue, status: HTTPResponse.Status = .ok) {
        self.init(text: value.canonicalText, type: "application/json", status: status)
    }

    /// An answer with a text body of the given media type.
    init(text: String, type: String = "text/plain; charset=utf-8", status: HTTPResponse.Status = .ok) {
        self.init(
            status: status, headers: [.contentType: type], body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
