import Hummingbird
import Metrics

/// Counts the requests of one route.
struct RouteMeter: Sendable {
    /// The route of requests that none answers.
    static let other = "other"
    private static let methods: [HTTPRequest.Method] = [.get, .head, .post, .delete, .options]
    /// What this server answers, and then any other.
    private static let codes = [
        200, 202, 204, 304, 400, 401, 403, 404, 405, 406, 408, 409, 410, 413, 415, 422, 429, 431, 500, 503,
    ]

    /// By method and code, those of any other method and code last.
    private let requests: [LazyInstrument<Counter>]
    private let duration: LazyInstrument<Metrics.Timer>

    init(route: String, factory: any MetricsFactory) {
        let methods = Self.methods.map(\.rawValue) + ["other"]
        let codes = Self.codes.map(String.init) + ["other"]
        requests = methods.flatMap { method in
            codes.map { code in
                LazyInstrument {
                    Counter(
                        label: "sidetone_http_requests_total",
                        dimensions: [("route", route), ("method", method), ("code", code)], factory: factory)
                }
            }
        }
        duration = LazyInstrument {
            Timer(
                label: "sidetone_http_request_duration_seconds", dimensions: [("route", route)], factory: factory)
        }
    }

    func count(_ method: HTTPRequest.Method, _ status: HTTPResponse.Status, nanoseconds: Int64) {
        let row = Self.methods.firstIndex(of: method) ?? Self.methods.count
        let column = Self.codes.firstIndex(of: status.code) ?? Self.codes.count
        requests[row * (Self.codes.count + 1) + column].value.increment()
        duration.value.recordNanoseconds(nanoseconds)
    }
}
