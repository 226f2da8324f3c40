import CallModel
import ClickHouseStore
import TestSupport
import Testing

/// Opening a database that is there, or is not.
@Suite struct ClickHouseOpeningTests {
    @Test(ClickHouseServers.required) func `a database of a cluster opens while a replica is away`() async throws {
        try await ClickHouseServers.with(cluster: true) { servers in
            let address = try servers.address("s1r1", database: "calls")
            try await TestClickHouse.withStore(address, node: "before") { store in
                try await store.commit([.sample(.sample("before"))])
            }
            try await servers.kill("s1r2")
            try await TestClickHouse.withStore(address, node: "meanwhile") { store in
                try await store.commit([.sample(.sample("meanwhile"))])
                #expect(try await store.counts().records == 2)
            }
        }
    }

    @Test(TestClickHouse.oneServer.required) func `tables that were made in part are made to the end`() async throws {
        try await TestClickHouse.oneServer.withDatabase { address in
            try await TestClickHouse.withStore(address, node: "first") { _ in }
            let database = address.split(separator: "/").last ?? ""
            // What is noted last is missing, and so may be what is made before it.
            try await TestClickHouse.oneServer.run("DROP TABLE \(database).schema_version")
            try await TestClickHouse.oneServer.run("DROP TABLE \(database).folds")
            try await TestClickHouse.withStore(address, node: "second") { store in
                try await store.commit([.full(.sample("call"))])
                #expect(try await store.session(of: .sample("call")) == [1, 2, 3])
            }
        }
    }

    @Test(TestClickHouse.oneServer.required) func `tables of an earlier version are brought up to this one`()
        async throws
    {
        try await TestClickHouse.oneServer.withDatabase { address in
            try await TestClickHouse.withStore(address, node: "first") { store in
                try await store.commit([.sample(.sample("before"))])
            }
            let database = address.split(separator: "/").last ?? ""
            try await TestClickHouse.oneServer.run("ALTER TABLE \(database).records DROP COLUMN client")
            try await TestClickHouse.oneServer.run("INSERT INTO \(database).schema_version VALUES ('schema', 1, 9)")
            try await TestClickHouse.withStore(address, node: "second") { store in
                var change = RecordChange.sample(.sample("after"))
                change.summary.client = "Chrome 148"
                try await store.commit([change])
                var query = CallQuery(now: at(0))
                #expect(try await store.calls(query).calls.count == 2)
                query.filter.client = "chrome"
                #expect(try await store.calls(query).calls.map(\.summary) == [change.summary])
            }
        }
    }

    @Test(TestClickHouse.oneServer.required) func `a database of a later version is refused, whoever opens it`()
        async throws
    {
        try await TestClickHouse.oneServer.withDatabase { address in
            try await TestClickHouse.withStore(address, node: "first") { _ in }
            let database = address.split(separator: "/").last ?? ""
            try await TestClickHouse.oneServer.run("INSERT INTO \(database).schema_version VALUES ('schema', 9, 9)")
            let location = try ClickHouseLocation(address, password: nil)
            let expected = CallStoreError.cannotOpen(
                "\(location)", reason: "its tables are of version 9, and this program knows those up to 2")
            await #expect(throws: expected) { try await ClickHouseCallStore.open(location, node: "second") }
            await #expect(throws: expected) { try await ClickHouseCallStore.openReadOnly(location) }
        }
    }

    @Test(TestClickHouse.oneServer.required) func `a probe changes nothing, and fails while nothing can be written`()
        async throws
    {
        try await TestClickHouse.oneServer.withStore { store, database in
            try await store.commit([.full(.sample("call"))])
            let counts = try await store.counts()
            try await store.probe()
            try await store.probe()
            #expect(try await store.counts() == counts)
            try await TestClickHouse.oneServer.run("DETACH TABLE \(database).schema_version")
            await #expect(throws: CallStoreError.self) { try await store.probe() }
            try await TestClickHouse.oneServer.run("ATTACH TABLE \(database).schema_version")
            try await store.probe()
        }
    }
}
