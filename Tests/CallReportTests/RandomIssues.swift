import CallModel

/// Issues with every member somewhere between nothing and too much.
struct RandomIssues {
    private(set) var issues = CallIssues()

    init(_ generator: inout some RandomNumberGenerator) {
        func count(_ most: Int) -> Int { Int.random(in: 0...most, using: &generator) }
        func flag() -> Bool { Bool.random(using: &generator) }
        func time() -> Timestamp { Timestamp(milliseconds: Int64.random(in: .min ... .max, using: &generator)) }
        func number() -> Double {
            flag() ? Double.random(in: -1e12...1e12, using: &generator) : flag() ? .nan : .infinity
        }
        func text() -> String { String(repeating: ["a", "语", "\u{1B}[31m", " ", "é"][count(4)], count: count(90)) }
        func pick<Value>(_ values: [Value]) -> Value { values[count(values.count - 1)] }
        let all = (0..<count(30)).map { _ in
            CallIssue(
                kind: pick(IssueKind.allCases), severity: pick(IssueSeverity.allCases),
                stream: flag()
                    ? StreamKey(
                        connection: .only, direction: pick(MediaDirection.allCases), kind: pick(MediaKind.allCases),
                        source: text()) : nil,
                span: TimeSpan(start: time(), end: flag() ? time() : nil), isOpen: flag(),
                worst: flag() ? .init(number(), pick(CallIssue.Unit.allCases)) : nil,
                evidence: (0..<count(4)).map { _ in
                    flag() ? .init(text(), number()) : .init(text(), text: flag() ? text() : nil)
                },
                cause: flag() ? pick(IssueCause.allCases) : nil)
        }
        issues = CallIssues(all, leftOut: count(3))
    }
}
