import Testing

@testable import sidetone

/// How many connections there can be.
@Suite struct ConnectionsOfOpenFilesTests {
    @Test(arguments: [
        (wanted: 4_096, limit: 65_536, connections: 4_096), (4_096, 4_224, 4_096), (4_096, 4_223, 4_095),
        (4_096, 1_024, 896), (10, 1_024, 10), (4_096, 100, 50), (4_096, 1, 1), (4_096, nil, 4_096),
    ])
    func `some of the open files are left to all else`(wanted: Int, limit: Int?, connections: Int) {
        #expect(OpenFiles.connections(wanted: wanted, limit: limit) == connections)
    }
}
