import CallModel
import ClientStats
import Collector
import Hummingbird

/// Where files of statistics are posted.
struct ImportRoutes: Sendable {
    let collector: CallCollector
    let body: IngestBody
    let addresses: AddressPolicy
    let lane: ImportLane
    let clock: @Sendable () -> Timestamp

    /// How often to try again while the collector has too much to do, a second apart.
    private static let mostTries = 60

    var endpoints: [Endpoint] {
        [
            Endpoint(
                .post, "/v1/import", .needs(.ingest), "take a file of statistics: reports, events, a log, a dump",
                handler: accept)
        ]
    }

    /// Answers after everything it says was accepted has been committed.
    private func accept(_ request: Request, _ context: CollectorContext) async throws -> Response {
        let parameters = try QueryParameters(request, names: ["call", "observer"])
        let call = try parameters.text("call").map { CallID(rawValue: try $0.checkedIdentifier("call", body.limits)) }
        let observer = try request.observer(parameters, body.limits)
        let parsing = ParsingContext(
            tenant: try context.tenant, call: call, observer: observer, receivedAt: clock(),
            addresses: addresses, limits: body.limits.contents)
        return try await body.read(request, of: parsing.tenant) { bytes in
            let file: ImportedFile
            do throws(ClientStatsError) {
                file = try await ImportedFile.open(bytes, in: parsing, on: lane)
            } catch {
                throw APIError(HTTPResponse.Status(refusal: error.reason), error.reason.rawValue, "\(error)")
            }
            let receipt = try await store(file)
            for (reason, count) in receipt.refusals { body.meter.reject(reason.rawValue, count: count) }
            return try receipt.response()
        }
    }

    private func store(_ file: ImportedFile) async throws -> ImportReceipt {
        var receipt = ImportReceipt(format: file.format)
        while let part = await file.next() { try await take(part, into: &receipt) }
        receipt.notes = file.notes
        return receipt
    }

    /// - Throws: ``APIError`` that says how much of the file is stored, when the store takes nothing.
    private func take(_ part: ParsedBody, into receipt: inout ImportReceipt) async throws {
        do {
            receipt.take(part, outcomes: try await submit(part.submissions))
        } catch CallStoreError.unavailable(let outage, _) {
            throw APIError.interrupted(by: outage, stored: receipt.stored)
        }
    }

    /// What went before is stored, so this waits rather than gives up while clients keep the collector busy. A store that
    /// takes nothing may do so for hours: whoever posts the file is told at once.
    private func submit(_ submissions: [Submission]) async throws -> [[FactOutcome]] {
        guard !submissions.isEmpty else { return [] }
        for _ in 1..<Self.mostTries {
            do {
                return try await collector.submit(submissions)
            } catch CollectorError.overloaded(let seconds) {
                try await Task.sleep(for: .seconds(seconds))
            }
        }
        return try await collector.submit(submissions)
    }
}

/// What became of a file.
struct ImportReceipt: Hashable, Sendable {
    /// What it was recognised as.
    let format: String
    /// What is odd about it.
    var notes: [String] = []
    private var receipt = Receipt()
    private var calls: Set<String> = []
    /// How many parts were refused, by reason.
    private(set) var refusals: [RefusalReason: Int] = [:]

    /// So many refused parts are named.
    private static let mostNamed = 1000
    /// So many names that are not known are told.
    private static let mostUnknown = 100

    init(format: String) {
        self.format = format
    }

    /// Reports and events that are stored, now or before.
    var stored: Int { receipt.accepted + receipt.repeated + receipt.contradicted }

    /// Adds what became of a part.
    mutating func take(_ part: ParsedBody, outcomes: [[FactOutcome]]) {
        let more = Receipt(of: part, outcomes: outcomes)
        for refused in more.refused { refusals[refused.reason, default: 0] += 1 }
        calls.formUnion(part.submissions.map(\.identity.call.rawValue))
        receipt.accepted += more.accepted
        receipt.repeated += more.repeated
        receipt.contradicted += more.contradicted
        receipt.refused += more.refused.prefix(Self.mostNamed - receipt.refused.count)
        receipt.unknownTypes = Self.united(receipt.unknownTypes, more.unknownTypes)
        receipt.unknownProperties = Self.united(receipt.unknownProperties, more.unknownProperties)
    }

    /// Names of both, each once, as many as of a body.
    private static func united(_ names: [String], _ more: [String]) -> [String] {
        Array(Set(names + more).sorted().prefix(mostUnknown))
    }

    /// 202 when anything was taken, or there was nothing to take.
    func response() throws -> Response {
        _ = try receipt.response()
        var members = receipt.members
        members["format"] = .string(format)
        members["calls"] = .array(calls.sorted().map { .string($0) })
        members["notes"] = .array(notes.map { .string($0) })
        let counted = refusals.map { ($0.key.rawValue, JSONValue.integer(Int64($0.value))) }
        members["refusals"] = .object(JSONObject(counted) { first, _ in first })
        return Response(json: .object(members), status: .accepted)
    }
}
