import CallModel

/// Courses with every member somewhere between nothing and too much.
struct RandomCourse {
    private(set) var course = CallCourse()

    init(_ generator: inout some RandomNumberGenerator) {
        func count(_ most: Int) -> Int { Int.random(in: 0...most, using: &generator) }
        func time() -> Timestamp { Timestamp(milliseconds: Int64.random(in: 0...4_000_000_000_000, using: &generator)) }
        func flag() -> Bool { Bool.random(using: &generator) }
        func text() -> String { String(repeating: ["a", "语", "\u{1B}[31m", " ", "é"][count(4)], count: count(90)) }
        func number() -> Double? { flag() ? Double.random(in: -1e12...1e12, using: &generator) : flag() ? .nan : nil }
        course.phases = (0..<count(40)).map { _ in
            PhaseChange(time: time(), phase: CallPhase.allCases[count(CallPhase.allCases.count - 1)])
        }
        course.endCause = flag() ? CallEndCause.allCases[count(CallEndCause.allCases.count - 1)] : nil
        course.lanes = (0..<count(40)).map { _ in
            CallLane(
                kind: CallLane.Kind.allCases[count(CallLane.Kind.allCases.count - 1)],
                span: TimeSpan(start: time(), end: flag() ? time() : nil), value: flag() ? text() : nil)
        }
        course.problems = (0..<count(40)).map { _ in
            let kind = CallProblem.Kind.allCases[count(CallProblem.Kind.allCases.count - 1)]
            return CallProblem(time: time(), kind: kind, name: text())
        }
        course.operations = (0..<count(9)).map { _ in OperationCount(name: text()) }
        (course.handovers, course.tonesSent, course.lostConnections) = (count(3), count(1000), count(2))
        course.mostRetries = flag() ? count(9) : nil
        course.namedSources = (0..<count(9)).map { _ in UInt32.random(in: .min ... .max, using: &generator) }
        course.reportedQuality =
            flag()
            ? ReportedQuality(
                mean: number() ?? 0, minimum: number() ?? 0, coveredSeconds: number() ?? 0,
                secondsBelow60: number() ?? 0, changes: count(9), meanDifference: number()) : nil
        var configuration = CallConfiguration()
        (configuration.iceTimeoutSeconds, configuration.usesTrickle) = (number(), flag())
        (configuration.audioLimitKilobitsPerSecond, configuration.opusKilobitsPerSecond) = (number(), number())
        (configuration.wantedWidth, configuration.wantedHeight) = (count(9_999), count(9_999))
        course.configuration = flag() ? configuration : nil
    }
}
