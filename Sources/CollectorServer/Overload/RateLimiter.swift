import CallModel
import Hummingbird
import Synchronization

/// How many requests one sender may make: a bucket of tokens each, filled at a steady rate.
struct RateLimit: Hashable, Sendable {
    /// Requests a second, in the long run.
    var perSecond: Double
    /// Requests at once, after a pause.
    var burst: Double
}

/// The buckets of all senders.
///
/// A class, because every request shares them.
final class RateLimiter: Sendable {
    private struct Bucket {
        var left: Double
        var filledAt: Timestamp
    }

    private let limit: RateLimit
    private let buckets = Mutex<[String: Bucket]>([:])
    /// More senders than this are not told apart for long: those whose bucket is full again are forgotten.
    private static let mostSenders = 10_000

    init(_ limit: RateLimit) {
        self.limit = limit
    }

    /// Counts a request of `sender`.
    /// - Returns: `nil` when it may be served, else in how many seconds the next one may.
    func wait(of sender: String, now: Timestamp) -> Int? {
        buckets.withLock { buckets in
            var bucket = buckets[sender] ?? Bucket(left: limit.burst, filledAt: now)
            bucket.left = filled(bucket, now)
            bucket.filledAt = now
            defer { buckets[sender] = bucket }
            if buckets[sender] == nil, buckets.count >= Self.mostSenders { forget(in: &buckets, now) }
            guard bucket.left >= 1 else {
                return max(1, Int(((1 - bucket.left) / limit.perSecond).rounded(.up)))
            }
            bucket.left -= 1
            return nil
        }
    }

    /// How many senders are remembered.
    var remembered: Int { buckets.withLock { $0.count } }

    /// A clock that is set back fills nothing.
    private func filled(_ bucket: Bucket, _ now: Timestamp) -> Double {
        min(limit.burst, bucket.left + max(0, now.seconds(since: bucket.filledAt)) * limit.perSecond)
    }

    /// Forgets those who are as if they had never come; if there are none, the ones longest unheard of.
    private func forget(in buckets: inout [String: Bucket], _ now: Timestamp) {
        buckets = buckets.filter { filled($0.value, now) < limit.burst }
        guard buckets.count >= Self.mostSenders else { return }
        let oldest = buckets.sorted { $0.value.filledAt < $1.value.filledAt }.prefix(Self.mostSenders / 10)
        for (sender, _) in oldest { buckets[sender] = nil }
    }
}

/// Asks senders of too many requests to wait; never those who ask whether the server is well.
struct RateMiddleware: RouterMiddleware {
    let limiter: RateLimiter
    let clock: @Sendable () -> Timestamp

    private static let unlimited: Set<String> = ["/healthz", "/readyz"]

    func handle(
        _ request: Request, context: CollectorContext,
        next: (Request, CollectorContext) async throws -> Response
    ) async throws -> Response {
        guard !Self.unlimited.contains(request.uri.path),
            let seconds = limiter.wait(of: context.rateKey, now: clock())
        else {
            return try await next(request, context)
        }
        throw APIError.tooMany(retryAfterSeconds: seconds)
    }
}

extension CollectorContext {
    /// Who shares a bucket: those with the same token; without one, those with the same address, or 64 bits of one of
    /// IPv6.
    fileprivate var rateKey: String {
        if case .success(let grant) = grant, let digest = grant.digest { return digest.hexadecimal }
        return sender.map { "\($0.network)" } ?? ""
    }
}

extension APIError {
    fileprivate static func tooMany(retryAfterSeconds seconds: Int) -> APIError {
        var error = APIError(
            .tooManyRequests, "too_many_requests",
            "more requests than one sender may make; nothing was stored, retry in \(seconds) s")
        error.headers[.retryAfter] = String(seconds)
        return error
    }
}
