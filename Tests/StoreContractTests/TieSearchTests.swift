import CallModel
import StoreParts
import Testing

/// What the search for ties reads.
@Suite struct TieSearchTests {
    /// A store that holds nothing, and remembers of which calls it was asked for the records.
    private final class EmptySource: TieSource {
        private(set) var asked: [CallIdentity] = []

        func holders(of: CallName, in _: TenantID) -> [(record: TiedRecord, name: CallName)] { [] }
        func claimants(of _: CallIdentity) -> [TiedRecord] { [] }
        func names(ofSession _: CallIdentity) -> [CallName] { [] }

        func records(of identity: CallIdentity) -> [TiedRecord] {
            asked.append(identity)
            return []
        }
    }

    /// A conference has thousands, and it is searched for the ties of each.
    @Test func `the records of a session are read, and those of the call itself are not`() throws {
        let source = EmptySource()
        let call = CallIdentity(tenant: .default, call: CallID(rawValue: "call"))
        let session = CallIdentity(tenant: .default, call: CallID(rawValue: "session"))
        let record = TiedRecord(
            key: CallKey(identity: call, observer: ObserverID(rawValue: "client"), attempt: 1), start: 0,
            lastActivity: 1, standsAlone: false)
        _ = try TieSearch(source, of: record, names: [], sessions: [session]).ties()
        #expect(source.asked == [session])
    }
}
