import CallModel
import Hummingbird
import Testing

@testable import CollectorServer

/// What `GET /readyz` answers.
@Suite struct ServerReadinessTests {
    @Test func `it is ready from when it begins until it is told to stop, and then for good not`() async {
        let readiness = Readiness()
        #expect(await Self.reason(readiness) == "starting")
        readiness.begin()
        #expect(await Self.reason(readiness) == nil)
        readiness.stop()
        #expect(await Self.reason(readiness) == "stopping")
        readiness.begin()
        #expect(await Self.reason(readiness) == "stopping")
    }

    @Test func `a store that takes nothing makes it unready, with the reason in words`() async {
        let readiness = Readiness { "the disk is full" }
        readiness.begin()
        #expect(await Self.reason(readiness) == "store_unavailable")
        await #expect {
            _ = try await readiness.answer()
        } throws: {
            ($0 as? APIError)?.message == "nothing can be stored: the disk is full"
        }
    }

    @Test func `whether calls are shipped is told, and makes nothing unready`() async throws {
        let readiness = Readiness(shipping: { "retrying" })
        readiness.begin()
        #expect(try await readiness.answer().status == .ok)
        #expect(try await readiness.members() == ["shipping": "retrying", "status": "ok"])
    }

    @Test func `what cannot be read is told, and makes nothing unready`() async throws {
        let readiness = Readiness(damage: { "a record cannot be read whole" })
        readiness.begin()
        #expect(try await readiness.members() == ["damage": "a record cannot be read whole", "status": "ok"])
    }

    /// Why it is not ready; nil when it is.
    private static func reason(_ readiness: Readiness) async -> String? {
        do {
            _ = try await readiness.answer()
            return nil
        } catch {
            return (error as? APIError)?.reason ?? "\(error)"
        }
    }
}
