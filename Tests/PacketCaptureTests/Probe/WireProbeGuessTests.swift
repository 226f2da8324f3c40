import CallModel
import Testing

/// What sound is taken for that nothing describes.
@Suite struct WireProbeGuessTests {
    /// Packets of 20 ms with this payload type, step of the timestamps, and payload.
    @Test(
        arguments: [
            (111, 960, 80, "audio/opus"), (96, 960, 1_275, "audio/opus"), (111, 960, 1_920, nil), (111, 160, 160, nil),
            (111, 320, 80, nil), (35, 960, 80, nil), (0, 160, 160, "audio/PCMU"), (63, 960, 160, "audio/red"),
            (63, 960, 2_550, "audio/red"), (63, 960, 2_560, nil), (63, 320, 160, nil),
        ] as [(UInt8, UInt32, Int, String?)])
    func `sound with the clock of Opus, and no more bits than it has, is taken for it, or for RED`(
        payloadType: UInt8, ticks: UInt32, bytes: Int, codec: String?
    ) {
        var script = ProbeScript()
        var sound = WireProbeCallTests.forth(400)
        (sound.payloadType, sound.ticks, sound.payloadBytes) = (payloadType, ticks, bytes)
        script.media(sound)
        #expect(script.run().streams.map(\.codec) == [codec])
    }

    // MARK: Who sends it

    private enum Attribute { static let software: UInt16 = 0x8022, networkInformation: UInt16 = 0xC057 }

    /// A check of ICE with this name, more attributes of four bytes, and at the end its integrity.
    private static func check(_ name: String, _ others: [UInt16] = []) -> [UInt8] {
        func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
            let padding = [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
            return [UInt8(type >> 8), UInt8(type & 0xFF), 0, UInt8(value.count)] + value + padding
        }
        let integrity = attribute(0x0008, [UInt8](repeating: 1, count: 20))
        let attributes =
            attribute(0x0006, Array(name.utf8)) + others.flatMap { attribute($0, [0, 0, 0, 10]) } + integrity
        let head = [0, 1, 0, UInt8(attributes.count), 0x21, 0x12, 0xA4, 0x42] + [UInt8](repeating: 7, count: 12)
        return head + attributes
    }

    /// What is known of the format of sound beside whose packets `check` goes, forth or back.
    private static func parameters(beside check: [UInt8], isBack: Bool = false) -> [String?] {
        var script = ProbeScript()
        var sound = WireProbeCallTests.forth(400)
        (sound.payloadType, sound.ticks, sound.payloadBytes) = (111, 960, 80)
        script.media(sound)
        let ends = [WireProbeCallTests.callerMedia, WireProbeCallTests.calleeMedia]
        script.udp(check, from: ends[isBack ? 1 : 0], to: ends[isBack ? 0 : 1], at: 4)
        return script.run().streams.map(\.formatParameters)
    }

    @Test func `what Firefox sends has no redundancy, as its checks tell`() {
        #expect(Self.parameters(beside: Self.check("Xy1+:0a1b2c3d")) == ["useinbandfec=0"])
        #expect(Self.parameters(beside: Self.check("89abcdef:00112233")) == ["useinbandfec=0"])
    }

    @Test(
        arguments: [
            ("Xy1+:0a1b2c3d", [Attribute.networkInformation]), ("Xy1+:0a1b2c3d", [Attribute.software]),
            ("Xy1+:0a1b", []), ("Xy1+:0A1B2C3D", []), ("Xy1+:0a1b2c3g", []), ("Xy1+:00a1b2c3d", []), ("0a1b2c3d", []),
            ("0a1b2c3d:Xy1+", []),
        ] as [(String, [UInt16])])
    func `of other senders nothing is known`(name: String, others: [UInt16]) {
        #expect(Self.parameters(beside: Self.check(name, others)) == [nil])
    }

    @Test func `the check of who receives the sound says nothing of who sends it`() {
        #expect(Self.parameters(beside: Self.check("Xy1+:0a1b2c3d"), isBack: true) == [nil])
    }

    @Test func `a check that was cut says who sends it from where its integrity begins on`() {
        let check = Self.check("Xy1+:0a1b2c3d")
        let integrity = check.count - 20
        for length in 20..<check.count {
            let parameters = Self.parameters(beside: Array(check.prefix(length)))
            #expect(parameters == [length < integrity ? nil : "useinbandfec=0"], "\(length) bytes")
        }
    }
}
