import Testing

@testable import ClickHouseStore

@Suite struct ClickHouseErrorTests {
    /// Every number that the design says what to do about (storage and operations, 1.7), and some that nobody knows.
    @Test(arguments: [
        (ClickHouseError.Kind.retry, [159, 202, 209, 210, 241, 242, 252, 279, 319, 999]),
        // What a server says of a statement that it was at when it was told to stop.
        (.retry, [236, 394]),
        (.poison, [26, 27, 33, 53, 62, 117]),
        (.operator, [60, 81, 115, 192, 193, 497, 516]),
        (.operator, [0, 1, 164, 395, 1000, 123_456]),
    ]) func `an error number says whether to try again, to put it aside or to call somebody`(
        kind: ClickHouseError.Kind, codes: [Int]
    ) {
        #expect(codes.map(ClickHouseError.kind(ofCode:)) == codes.map { _ in kind })
    }

    @Test(
        arguments: [
            (
                404,
                """
                Code: 60, e.displayText() = DB::Exception: Table default.calls doesn't exist., e.what() = DB::Exception

                """,
                60, ClickHouseError.Kind.operator, "ClickHouse at db1:8123 refuses: Table default.calls doesn't exist."
            ),
            (
                500,
                """
                Code: 999, e.displayText() = Coordination::Exception: Session expired (Session expired), \
                e.what() = Coordination::Exception
                """,
                999, .retry, "ClickHouse at db1:8123 refuses: Session expired (Session expired)"
            ),
            (
                404,
                """
                Code: 81. DB::Exception: Database nosuch does not exist. (UNKNOWN_DATABASE) (version 26.9.1.1)
                """,
                81, .operator, "ClickHouse at db1:8123 refuses: Database nosuch does not exist. (UNKNOWN_DATABASE)"
            ),
            // A server that was told to say more.
            (
                500, "Code: 241. DB::Exception: Memory limit exceeded. Stack trace:\n\n0. std::exception", 241, .retry,
                "ClickHouse at db1:8123 refuses: Memory limit exceeded"
            ),
            (
                502, "<html>\n<h1>Bad  gateway</h1>\u{1B}[31m", nil, .retry,
                "db1:8123 answers 502, not as ClickHouse does: <html> <h1>Bad gateway</h1> [31m"
            ),
            (429, "", nil, .retry, "db1:8123 answers 429, not as ClickHouse does"),
            (404, "no such page", nil, .operator, "db1:8123 answers 404, not as ClickHouse does: no such page"),
            (500, "Code: , what", nil, .retry, "db1:8123 answers 500, not as ClickHouse does: Code: , what"),
        ] as [(Int, String, Int?, ClickHouseError.Kind, String)])
    func `an answer becomes one line that names the server and what was wrong`(
        status: Int, answer: String, code: Int?, kind: ClickHouseError.Kind, message: String
    ) {
        let error = ClickHouseError(status: status, answer: answer, from: "db1:8123")
        #expect(error == ClickHouseError(code: code, kind: kind, message: message))
    }

    @Test func `a long answer is cut`() {
        let error = ClickHouseError(
            status: 500, answer: "Code: 62. DB::Exception: " + String(repeating: "é", count: 20_000), from: "db1:8123")
        #expect(error.message == "ClickHouse at db1:8123 refuses: " + String(repeating: "é", count: 399) + "…")
    }
}
