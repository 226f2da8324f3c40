import CallModel
import Testing

@Suite struct CallFilterTests {
    @Test func `a band narrows what is meant already, and never widens it`() {
        var filter = CallFilter(now: Timestamp(milliseconds: 0))
        filter.minimumScore = 85
        filter.narrow(to: .good)
        #expect(filter.minimumScore == 85 && filter.maximumScore == 89)
        filter.narrow(to: .bad)
        #expect(filter.minimumScore == 85 && filter.maximumScore == 59)
    }
}
