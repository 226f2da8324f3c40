import RTPMeter
import Testing

@Suite struct StaticPayloadTypeTests {
    @Test func `the table of RFC 3551`() {
        let rows = (UInt8(0)...127).compactMap { type in
            StaticPayloadType.entry(for: type).map { "\(type) \($0.name) \($0.clockHertz)" }
        }
        #expect(
            rows == [
                "0 PCMU 8000", "3 GSM 8000", "4 G723 8000", "5 DVI4 8000", "6 DVI4 16000", "7 LPC 8000",
                "8 PCMA 8000", "9 G722 8000", "10 L16 44100", "11 L16 44100", "12 QCELP 8000", "13 CN 8000",
                "14 MPA 90000", "15 G728 8000", "16 DVI4 11025", "17 DVI4 22050", "18 G729 8000", "19 CN 8000",
                "25 CelB 90000", "26 JPEG 90000", "28 nv 90000", "31 H261 90000", "32 MPV 90000", "33 MP2T 90000",
                "34 H263 90000",
            ])
    }

    @Test func `a clock of 0 Hz or of a gigahertz is no clock`() {
        #expect(RTPClock(hertz: 0, source: .signalled) == nil)
        #expect(RTPClock(hertz: .max, source: .signalled) == nil)
    }
}
