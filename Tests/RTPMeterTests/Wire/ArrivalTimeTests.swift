import RTPMeter
import Testing

@Suite struct ArrivalTimeTests {
    private let noon = ArrivalTime(seconds: 1_763_726_400, nanoseconds: 5)

    @Test func `two parts make one count of nanoseconds`() {
        #expect(noon.nanoseconds == 1_763_726_400_000_000_005)
        #expect(ArrivalTime(seconds: 1, nanoseconds: 1_500_000_000) == ArrivalTime(nanoseconds: 2_500_000_000))
        #expect(ArrivalTime(seconds: -1, nanoseconds: 1) == ArrivalTime(nanoseconds: -999_999_999))
    }

    @Test func `differences have a sign and keep the nanosecond`() {
        let later = noon.advanced(byNanoseconds: 3_600_000_000_001)
        #expect(later.nanoseconds(since: noon) == 3_600_000_000_001)
        #expect(noon.nanoseconds(since: later) == -3_600_000_000_001)
        #expect(later.seconds(since: noon) == 3_600_000_000_001 * 1e-9)
        #expect(noon < later)
    }

    @Test func `what does not fit saturates`() {
        let first = ArrivalTime(nanoseconds: .min)
        let last = ArrivalTime(nanoseconds: .max)
        #expect(last.nanoseconds(since: first) == .max)
        #expect(first.nanoseconds(since: last) == .min)
        #expect(last.advanced(byNanoseconds: 1) == last)
        #expect(first.advanced(byNanoseconds: -1) == first)
        #expect(ArrivalTime(seconds: .max, nanoseconds: 1) == last)
        #expect(ArrivalTime(seconds: .min, nanoseconds: -1) == first)
    }
}
