public import Testing

/// Waits until something holds that another process, thread or task brings about.
/// - Returns: once it holds; after `seconds`, which no machine is too slow for, a test has failed.
public func eventually(
    _ what: String, within seconds: Double = 60, location: SourceLocation = #_sourceLocation,
    _ holds: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end {
        if try await holds() { return }
        try await Task.sleep(for: .milliseconds(20))
    }
    Issue.record("not within \(seconds) s: \(what)", sourceLocation: location)
}
