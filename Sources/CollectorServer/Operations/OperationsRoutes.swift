import Hummingbird

/// What those ask for who run the server.
struct OperationsRoutes: Sendable {
    /// The media type of metrics: https://prometheus.io/docs/instrumenting/exposition_formats/
    private static let exposition = "text/plain; version=0.0.4; charset=utf-8"

    let operations: ServerOperations

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "/readyz", .open, "whether the server can take work now") { _, _ in
                try await operations.readiness.answer()
            },
            Endpoint(.get, "/metrics", .needs(.admin), "metrics in the text format of Prometheus") { _, _ in
                Response(text: await operations.metrics(), type: Self.exposition)
            },
        ]
    }
}
