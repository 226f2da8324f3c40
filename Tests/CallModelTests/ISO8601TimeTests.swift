import CallModel
import Foundation
import TestSupport
import Testing

/// Moments as text.
@Suite struct ISO8601TimeTests {
    @Test(arguments: [
        ("2026-11-21", 1_795_219_200_000, false, false),
        ("2026-11-21T06:24", 1_795_242_240_000, true, false),
        ("2026-11-21 06:24:03Z", 1_795_242_243_000, true, true),
        ("2026-11-21t06:24:03.5z", 1_795_242_243_500, true, true),
        ("2026-11-21T06:24:03.123999Z", 1_795_242_243_123, true, true),
        ("2026-11-21T06:24:03+01:30", 1_795_236_843_000, true, true),
        ("2026-11-21T06:24:03-0130", 1_795_247_643_000, true, true),
        ("2016-12-31T23:59:60Z", 1_483_228_800_000, true, true),
        ("2026-11-21T06:24+0130", 1_795_236_840_000, true, true),
        ("2026-11-21T06:24:03.123456789+00:00", 1_795_242_243_123, true, true),
        ("2026-11-21T06:24:03.05", 1_795_242_243_050, true, false),
        ("2026-11-21T00:00:00-23:59", 1_795_305_540_000, true, true),
        ("0001-01-01", -62_135_596_800_000, false, false),
        ("9999-12-31T23:59:59.999Z", 253_402_300_799_999, true, true),
        ("2024-02-29", 1_709_164_800_000, false, false),
        ("1969-12-31T23:59:59.999Z", -1, true, true),
    ]) func `a moment is read, and how exactly it was told`(
        _ text: String, _ milliseconds: Int64, _ hasTime: Bool, _ hasZone: Bool
    ) throws {
        let time = try #require(ISO8601Time(text))
        #expect(time.timestamp == Timestamp(milliseconds: milliseconds))
        #expect((time.hasTime, time.hasZone) == (hasTime, hasZone))
    }

    @Test(arguments: [
        "", "2026", "20261121", "2026-11-21T", "2026-11-21Z", "2026-11-21T06Z", "2026-11-21T06:24:03,5Z",
        "2026-11-21T06:24:03 01:00", " 2026-11-21", "2026-13-01", "2026-00-01", "2026-11-00", "2026-11-31",
        "2026-02-29", "2100-02-29", "0000-01-01", "2026-11-21T24:00:00Z", "2026-11-21T25:00:00Z",
        "2026-11-21T06:60:00Z", "2026-11-21T06:24:61Z", "2026-11-21T06:24:03+24:00", "2026-11-21T06:24:03+01:60",
        "٢٠٢٦-11-21", "2026-11-21T٠٦:24Z", "2026-11-21T06:24:03.٥Z", "2026-11-21T06:24:03+٠١:00",
        "2026-11-21T06:24:03.Z", "2026-11-21T06:24:03.1234567890Z", "2026-11-21T06:24:", "2026-11-21T06:24:3Z",
        "2026-11-21T06:24.5Z", "2026-11-21T6:24Z", "2026-11-21T06:24ZZ", "2026-11-21T06:24Z ", "2026-11-21T06:24+01",
        "2026-11-21T06:24+01:", "2026-11-21T06:24:03+01:000", "2026-11-21T06:24:03Z\u{301}", "2026-11-21_06:24:03Z",
        "2026/11/21", "2026-1-21", "+2026-11-21", "2026-11-21\r\n", "-2026-11-21", "12026-11-21",
    ]) func `what no calendar or clock shows is no moment`(_ text: String) {
        #expect(ISO8601Time(text) == nil)
    }

    @Test(arguments: 0..<100) func `any moment is what Foundation wrote`(_ seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        // From 1900 on: Foundation counts by the Julian calendar before 1582.
        let span: ClosedRange<Int64> = -2_208_988_800_000...253_402_300_799_999
        let time = Timestamp(milliseconds: Int64.random(in: span, using: &random))
        let date = Date(timeIntervalSince1970: Double(time.milliseconds) / 1000)
        let text = date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        let read = try #require(ISO8601Time(text))
        #expect(abs(read.timestamp.milliseconds(since: time)) <= 1, "Foundation cuts what it cannot hold")
    }
}
