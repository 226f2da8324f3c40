import CallModel
import Collector
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// What happens to calls, told as it happens
/// ([Server-Sent Events](https://html.spec.whatwg.org/multipage/server-sent-events.html)).
struct LiveRoutes: Sendable {
    let reader: CallReader
    let hub: LiveHub
    let snapshots: LiveSnapshots
    let texts = LiveTexts()
    let access: AccessControl
    let limits: IngestLimits
    let clock: @Sendable () -> Timestamp

    init(
        reader: CallReader, hub: LiveHub, access: AccessControl, limits: IngestLimits,
        clock: @escaping @Sendable () -> Timestamp
    ) {
        self.reader = reader
        self.hub = hub
        self.access = access
        self.limits = limits
        self.clock = clock
        snapshots = LiveSnapshots(store: reader.stores.own, hub: hub, clock: clock)
    }

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "/v1/live", .needs(.read), "calls as they happen (Server-Sent Events)", handler: all),
            Endpoint(
                .get, "/v1/calls/{callId}/live", .needs(.read), "a call as it happens (Server-Sent Events)",
                handler: one),
        ]
    }

    private func all(_ request: Request, _ context: CollectorContext) async throws -> Response {
        _ = try QueryParameters(request, names: [])
        let audience = LiveAudience(tenant: try context.tenant)
        return try await stream(request, context, audience) { try await snapshots.snapshot(of: audience.tenant) }
    }

    private func one(_ request: Request, _ context: CollectorContext) async throws -> Response {
        let selection = try CallSelection(request, context, limits)
        let calls = try await reader.read(selection) { Set($0.summaries.map(\.summary.key.identity)) }
        let audience = LiveAudience(
            tenant: selection.identity.tenant, calls: calls.union([selection.identity]), selection: selection)
        return try await stream(request, context, audience) {
            let number = hub.last(of: audience.tenant)
            return try await reader.read(selection) { try await snapshots.snapshot(of: $0, at: number) }
        }
    }

    /// The answer that goes on. A `snapshot` is taken for a watcher that does not go on behind an event it had.
    private func stream(
        _ request: Request, _ context: CollectorContext, _ audience: LiveAudience,
        snapshot: () async throws -> LiveSnapshot
    ) async throws -> Response {
        let told = Self.lastEventID.flatMap { request.headers[$0] }
        guard let subscription = hub.subscribe(after: told.flatMap { UInt64($0) }, of: audience.tenant) else {
            throw APIError.overloaded(
                retryAfterSeconds: 5, hub.isClosed ? "the server is stopping" : "as many watch as may")
        }
        var opening = LiveTexts.opening
        if !subscription.isResumed {
            let snapshot = try await snapshot()
            if told != nil { opening.writeString(LiveTexts.reset) }
            opening.writeImmutableBuffer(snapshot.text)
            // What happened since the snapshot was taken is told behind it.
            subscription.move(to: snapshot.number)
        }
        let channel = context.channel
        subscription.onCut { channel.close(mode: .all, promise: nil) }
        return Response(
            status: .ok, headers: Self.headers,
            body: ResponseBody { [opening] writer in
                try await request.body.consumeWithInboundCloseHandler { _ in
                    try await writer.write(opening)
                    try await send(to: &writer, subscription, audience) { isStillAllowed(request) }
                } onInboundClosed: {
                    subscription.end()
                }
                try await writer.finish(nil)
            })
    }

    private func send(
        to writer: inout any ResponseBodyWriter, _ subscription: LiveSubscription, _ audience: LiveAudience,
        while isAllowed: () -> Bool
    ) async throws {
        while true {
            switch await subscription.next() {
            case .events(let batches):
                for batch in batches {
                    if let text = texts.text(of: batch, for: audience) { try await writer.write(text) }
                }
            case .idle:
                guard isAllowed() else { return }
                try await writer.write(LiveTexts.heartbeat)
            case .cut:
                return try await writer.write(LiveTexts.farewell)
            case .closed:
                return
            }
        }
    }

    /// Tokens run out, or are taken away, while somebody watches.
    private func isStillAllowed(_ request: Request) -> Bool {
        guard case .success(let grant) = access.grant(to: request, now: clock()) else { return false }
        return grant.scopes.contains(.read)
    }

    private static let lastEventID = HTTPField.Name("Last-Event-ID")

    private static let headers: HTTPFields = {
        var headers: HTTPFields = [.contentType: "text/event-stream"]
        // Nginx would gather what is to be told at once.
        if let name = HTTPField.Name("X-Accel-Buffering") { headers[name] = "no" }
        return headers
    }()
}
