import CallModel
import Testing

@testable import CollectorServer

@Suite struct RateLimiterTests {
    private func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: 1_790_000_000_000 + milliseconds) }

    @Test func `a burst is served, then so many a second, and who waits as told is served`() {
        let limiter = RateLimiter(RateLimit(perSecond: 2, burst: 4))
        let first = (0..<6).map { _ in limiter.wait(of: "a", now: at(0)) }
        #expect(first == [nil, nil, nil, nil, 1, 1])
        #expect(limiter.wait(of: "b", now: at(0)) == nil)
        #expect(limiter.wait(of: "a", now: at(499)) == 1)
        #expect(limiter.wait(of: "a", now: at(500)) == nil)
        #expect(limiter.wait(of: "a", now: at(1_499)) == nil)
        #expect((0..<6).map { _ in limiter.wait(of: "a", now: at(100_000)) } == [nil, nil, nil, nil, 1, 1])
    }

    @Test func `a clock that is set back gives nothing and takes nothing`() {
        let limiter = RateLimiter(RateLimit(perSecond: 1, burst: 1))
        #expect(limiter.wait(of: "a", now: at(10_000)) == nil)
        #expect(limiter.wait(of: "a", now: at(0)) == 1)
        #expect(limiter.wait(of: "a", now: at(1_000)) == nil)
    }

    @Test func `many senders are remembered no longer than they matter`() {
        let limiter = RateLimiter(RateLimit(perSecond: 1, burst: 1))
        for sender in 0..<25_000 { #expect(limiter.wait(of: "\(sender)", now: at(Int64(sender))) == nil) }
        #expect(limiter.wait(of: "24999", now: at(25_000)) == 1)
        #expect(limiter.remembered <= 10_000)
    }
}
