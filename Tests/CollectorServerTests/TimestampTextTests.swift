import CallModel
import CollectorServer
import Testing

/// Moments as requests and files of tokens have them.
@Suite struct TimestampTextTests {
    @Test(
        arguments: [
            ("2026-11-21T03:37:00Z", 1_795_232_220_000), ("2026-11-21T04:37:00+01:00", 1_795_232_220_000),
            ("2026-11-21", 1_795_219_200_000), ("1795232220000", 1_795_232_220_000),
            ("946684800000", 946_684_800_000), ("2026-11-21T03:37", nil), ("946684799999", nil), ("1795232220", nil),
            ("2026", nil), ("0", nil), ("-1", nil), ("", nil), ("yesterday", nil),
        ] as [(String, Int64?)])
    func `a moment has a zone, is a date, or is of 2000 and later in milliseconds`(text: String, time: Int64?) {
        #expect(Timestamp(parsing: text)?.milliseconds == time)
    }
}
