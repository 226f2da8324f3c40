import CallModel
import CallQuality
import ClientStats
import Deflate
import JSONText

private let receivedAt = Timestamp(milliseconds: 1_795_240_000_000)

/// A context as the server makes it; without a call, the body has to name it.
private func context(of call: String?) -> ParsingContext {
    ParsingContext(
        tenant: .default, call: call.map(CallID.init(rawValue:)), observer: ObserverID(rawValue: "caller"),
        receivedAt: receivedAt)
}

/// JSON: whatever is read can be written and read again, and says the same.
func fuzzJSON(_ input: RawSpan) {
    let bytes = input.array
    _ = Array(JSONLines.split(bytes))
    if let value = JSONSlices.value(in: bytes, from: 0) {
        require(value.lowerBound >= 0 && value.upperBound <= bytes.count, "\(value) lies in \(bytes.count) bytes")
        for range in JSONSlices.elements(of: bytes, in: value).parts {
            require(value.contains(range.lowerBound), "an element lies in its array")
        }
        for member in JSONSlices.members(of: bytes, in: value).parts {
            require(value.contains(member.value.lowerBound), "a member lies in its object")
        }
    }
    for acceptsBareNonNumbers in [false, true] {
        let limits = JSONLimits(
            maximumDepth: 64, maximumStringBytes: 4096, maximumValues: 10_000,
            acceptsBareNonNumbers: acceptsBareNonNumbers)
        guard let value = try? JSONValue(parsing: bytes, limits: limits) else { continue }
        let text = value.canonicalText
        guard let again = try? JSONValue(parsing: text) else {
            require(false, "what was read cannot be read again: \(text.prefix(200))")
            return
        }
        require(again.canonicalText == text, "\(text.prefix(200)) becomes \(again.canonicalText.prefix(200))")
    }
}

/// A body of `POST /v1/calls/{callId}/stats`, and what follows from it.
func fuzzStats(_ input: RawSpan) {
    guard let body = try? StatsBody.parse(input.array, in: context(of: "call")) else { return }
    check(body)
}

/// A body of `POST /v1/events`.
func fuzzEvents(_ input: RawSpan) {
    guard let body = try? EventsBody.parse(input.array, in: context(of: nil)) else { return }
    check(body)
}

/// A body of `POST /v1/wire`.
func fuzzWire(_ input: RawSpan) {
    guard let body = try? WireBody.parse(input.array, in: context(of: nil)) else { return }
    check(body)
}

/// A body of `POST /v1/import`, gzipped or not.
func fuzzImport(_ input: RawSpan) {
    guard let bytes = try? Gzip.content(of: input.array, maximumBytes: 1 << 20),
        var reader = try? ImportReader(bytes, in: context(of: nil))
    else { return }
    var parts = 0
    var read = 0
    while let part = reader.next() {
        parts += 1
        require(parts <= bytes.count + 2, "a file of \(bytes.count) bytes has \(parts) parts")
        require(reader.bytesRead >= read, "reading goes forward")
        read = reader.bytesRead
        check(part)
    }
    _ = reader.notes
}

/// What must hold of any body that was understood: its facts can be folded, and figures are within their ranges.
private func check(_ body: ParsedBody) {
    for refusal in body.refusals { require(!refusal.message.isEmpty, "a refusal says why") }
    for submission in body.submissions {
        let call = submission.identity.call.rawValue
        require((1...256).contains(call.utf8.count), "a call id has \(call.utf8.count) bytes")
        fold(submission)
    }
}

private func fold(_ submission: Submission) {
    let key = CallKey(identity: submission.identity, observer: submission.observer, attempt: 1)
    var session = CallSession(key: key)
    var facts: [FactKey: Fact] = [:]
    for fact in submission.facts.map(\.fact) {
        facts[fact.key] = facts[fact.key].map { $0.merged(with: fact) } ?? fact
    }
    let rows = session.fold(facts.sorted { $0.key < $1.key }.map(\.value))
    for interval in rows.intervals {
        require(interval.end >= interval.start, "an interval ends after it begins")
    }
    for score in rows.scores.compactMap(\.score) { require((0...100).contains(score), "a score of \(score)") }
    if let score = session.summary()?.score { require((0...100).contains(score), "a score of \(score)") }
}
