import RTPMeter
import TestSupport
import Testing

@testable import PacketCapture

@Suite struct FragmentTests {
    typealias Build = FrameBytes

    /// 3,000 bytes that tell every wrong order.
    static let payload: [UInt8] = (0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
    static let datagram = Build.udp(payload)

    /// The datagram in IP packets of 1,480 bytes of content at most.
    static func pieces(isIPv6: Bool, identification: Int = 9, datagram: [UInt8] = datagram) -> [[UInt8]] {
        stride(from: 0, to: datagram.count, by: 1480).map { offset in
            piece(
                offset..<min(offset + 1480, datagram.count), isIPv6: isIPv6, identification: identification,
                of: datagram)
        }
    }

    static func piece(
        _ range: Range<Int>, isIPv6: Bool = false, identification: Int = 9, of datagram: [UInt8] = datagram
    ) -> [UInt8] {
        let body = Array(datagram[range])
        let hasMore = range.upperBound < datagram.count
        if isIPv6 {
            let fragment = Build.fragment6(
                body, offset: range.lowerBound, hasMore: hasMore, identification: identification)
            return Build.ipv6(fragment, next: 44)
        }
        return Build.ipv4(
            body, identification: identification, fragment: range.lowerBound / 8 | (hasMore ? 0x2000 : 0))
    }

    private func seconds(_ value: Int) -> ArrivalTime { ArrivalTime(nanoseconds: Int64(value) * 1_000_000_000) }

    @Test(arguments: [false, true], [[0, 1, 2], [2, 1, 0], [1, 2, 0], [0, 0, 2, 2, 1]])
    func `fragments in any order, also repeated, make the datagram`(isIPv6: Bool, order: [Int]) throws {
        let decoder = ArrayDecoder(linkType: .raw)
        let pieces = Self.pieces(isIPv6: isIPv6)
        for index in order.dropLast() { #expect(decoder.decode(pieces[index]) == nil) }
        let decoded = try #require(decoder.decode(pieces[order[order.count - 1]]))
        #expect(decoded.payload == Self.payload)
        #expect(decoded.frame.isAssembled)
        #expect(decoded.frame.encapsulation == .fragments)
        #expect(decoded.frame.payloadWireLength == 3000)
        #expect(decoded.frame.flow.destination.port == 5004)
        #expect(decoder.refused == [:])
        #expect(decoder.heldFragments == order.count - 1)
        #expect(decoder.fragmentFates == FragmentTable.Fates(assembled: 1))
    }

    @Test func `a payload is lent from wherever it lies`() {
        var decoder = FrameDecoder(linkType: .raw)
        for bytes in Self.pieces(isIPv6: false) + [FrameSample.v4] {
            let decoded = bytes.withRawSpan { decoder.decode($0, wireLength: bytes.count, at: seconds(0)) }
            guard let decoded else { continue }
            let lent = bytes.withRawSpan { span in
                decoder.withPayload(of: decoded, in: span) { $0.copy(0..<$0.byteCount) }
            }
            #expect(lent == (decoded.isAssembled ? Self.payload : Build.rtp))
        }
    }

    @Test func `datagrams of the same flow are told apart by their identification`() {
        let decoder = ArrayDecoder(linkType: .raw)
        let first = Self.pieces(isIPv6: false, identification: 1)
        let second = Self.pieces(isIPv6: false, identification: 2)
        var complete = 0
        for index in [0, 1, 2] {
            for pieces in [first, second] where decoder.decode(pieces[index])?.payload == Self.payload { complete += 1 }
        }
        #expect(complete == 2)
    }

    @Test func `a tunnel inside fragments is taken off too`() {
        let decoder = ArrayDecoder(linkType: .raw)
        let inner = Build.udp(Build.vxlan(Build.ethernet(Build.ipv4(Self.datagram))), to: 4789)
        var last: DecodedPayload?
        for piece in Self.pieces(isIPv6: false, datagram: inner) { last = decoder.decode(piece) }
        #expect(last?.payload == Self.payload)
        #expect(last?.frame.encapsulation == [.fragments, .vxlan])
    }

    @Test func `fragments inside fragments are put together twice`() {
        let decoder = ArrayDecoder(linkType: .raw)
        var last: DecodedPayload?
        for inside in Self.pieces(isIPv6: false) {
            for piece in Self.pieces(isIPv6: true, datagram: Build.udp(Build.gtp(inside), to: 2152)) {
                last = decoder.decode(piece)
            }
        }
        #expect(last?.payload == Self.payload)
        #expect(decoder.fragmentFates.assembled == 3)
    }

    // MARK: Fragments that are no datagram

    @Test(arguments: [false, true]) func `overlapping fragments are refused with their datagram`(isIPv6: Bool) {
        let decoder = ArrayDecoder(linkType: .raw)
        let pieces = Self.pieces(isIPv6: isIPv6)
        #expect(decoder.decode(pieces[0]) == nil)
        #expect(decoder.decode(Self.piece(1472..<2960, isIPv6: isIPv6)) == nil)
        // The rest would complete it, were the overlap ignored.
        #expect(decoder.decode(pieces[1]) == nil)
        #expect(decoder.decode(pieces[2]) == nil)
        #expect(decoder.refused == [.overlappingFragment: 3])
        #expect(decoder.fragmentFates == FragmentTable.Fates(refused: 1))
    }

    @Test func `a copy with other bytes is an overlap`() {
        let decoder = ArrayDecoder(linkType: .raw)
        var other = Self.pieces(isIPv6: false)[0]
        other[other.count - 1] ^= 1
        #expect(decoder.decode(Self.pieces(isIPv6: false)[0]) == nil)
        #expect(decoder.decode(other) == nil)
        #expect(decoder.refused == [.overlappingFragment: 1])
    }

    @Test func `two ends, or bytes behind the end, are refused`() {
        let last = Self.piece(1480..<Self.datagram.count)
        let earlierEnd = Build.ipv4(Array(Self.datagram[1400..<1440]), identification: 9, fragment: 1400 / 8)
        let behind = Build.ipv4(Array(Self.datagram[0..<800]), identification: 9, fragment: 3200 / 8 | 0x2000)
        for second in [earlierEnd, behind] {
            let decoder = ArrayDecoder(linkType: .raw)
            #expect(decoder.decode(last) == nil)
            #expect(decoder.decode(second) == nil)
            #expect(decoder.refused == [.overlappingFragment: 1])
        }
        let decoder = ArrayDecoder(linkType: .raw)
        #expect(decoder.decode(behind) == nil)
        #expect(decoder.decode(last) == nil)
        #expect(decoder.refused == [.overlappingFragment: 1])
    }

    @Test func `a datagram beyond 65,535 bytes is refused`() {
        let decoder = ArrayDecoder(linkType: .raw)
        #expect(decoder.decode(Build.ipv4([UInt8](repeating: 0, count: 1000), fragment: 0x1FFF)) == nil)
        #expect(decoder.refused == [.overlappingFragment: 1])
    }

    @Test func `an empty fragment and one that is no multiple of eight are malformed`() {
        let decoder = ArrayDecoder(linkType: .raw)
        #expect(decoder.decode(Build.ipv4([], fragment: 0x2001)) == nil)
        #expect(decoder.decode(Build.ipv4([1, 2, 3], fragment: 0x2001)) == nil)
        #expect(decoder.refused == [.malformed: 2])
    }

    /// As a mirror brings them: each fragment, and its copy.
    @Test func `a copy behind the last fragment does not wait for a rest`() {
        let decoder = ArrayDecoder(linkType: .raw)
        let pieces = Self.pieces(isIPv6: false)
        let whole = pieces.flatMap { [$0, $0] }.map { decoder.decode($0)?.payload }
        #expect(whole == [nil, nil, nil, nil, Self.payload, nil])
        // Of another datagram the rest is missing.
        #expect(decoder.decode(Self.pieces(isIPv6: false, identification: 10)[0]) == nil)
        var table = decoder.decoder.fragments
        table.giveUp()
        #expect(table.strandedPieces == 1)
        #expect(table.fates == FragmentTable.Fates(assembled: 1, expired: 1))
    }

    @Test func `a datagram with the identification of one that is long over misses its rest`() {
        let decoder = ArrayDecoder(linkType: .raw)
        for piece in Self.pieces(isIPv6: false) { _ = decoder.decode(piece, at: seconds(0)) }
        #expect(decoder.decode(Self.pieces(isIPv6: false)[2], at: seconds(31)) == nil)
        var table = decoder.decoder.fragments
        table.giveUp()
        #expect(table.fates == FragmentTable.Fates(assembled: 1, expired: 1))
    }

    // MARK: Bounds

    @Test func `a datagram with a lost fragment is given up after 30 seconds`() {
        let decoder = ArrayDecoder(linkType: .raw)
        let pieces = Self.pieces(isIPv6: false)
        #expect(decoder.decode(pieces[0], at: seconds(0)) == nil)
        #expect(decoder.decode(pieces[1], at: seconds(1)) == nil)
        #expect(decoder.decode(pieces[2], at: seconds(31)) == nil)
        #expect(decoder.fragmentFates == FragmentTable.Fates(expired: 1))
        #expect(decoder.decode(pieces[0], at: seconds(32)) == nil)
        #expect(decoder.decode(pieces[1], at: seconds(33))?.payload == Self.payload)
    }

    @Test func `a capture whose clock jumps back forgets as well`() {
        let decoder = ArrayDecoder(linkType: .raw)
        let pieces = Self.pieces(isIPv6: false)
        #expect(decoder.decode(pieces[0], at: seconds(1000)) == nil)
        #expect(decoder.decode(pieces[1], at: seconds(0)) == nil)
        #expect(decoder.fragmentFates == FragmentTable.Fates(expired: 1))
    }

    /// 65,536 datagrams that never end; among them one that does.
    @Test func `a flood of fragments displaces the oldest and stays bounded`() {
        let decoder = ArrayDecoder(linkType: .raw)
        for identification in 0..<65_536 {
            _ = decoder.decode(
                Build.ipv4([UInt8](repeating: 1, count: 8), identification: identification, fragment: 0x2001))
        }
        #expect(decoder.fragmentFates == FragmentTable.Fates(displaced: 65_536 - FragmentTable.maximumDatagrams))
        for piece in Self.pieces(isIPv6: true).dropLast() { #expect(decoder.decode(piece) == nil) }
        #expect(decoder.decode(Self.pieces(isIPv6: true)[2])?.payload == Self.payload)
    }

    @Test func `many large fragments stay below the bytes allowed`() {
        let decoder = ArrayDecoder(linkType: .raw)
        for identification in 0..<1000 {
            for offset in stride(from: 0, to: 64_000, by: 16_000) {
                _ = decoder.decode(
                    Build.ipv4(
                        [UInt8](repeating: 1, count: 16_000), identification: identification,
                        fragment: offset / 8 | 0x2000))
            }
        }
        let kept = FragmentTable.maximumBytes / 64_000
        #expect(decoder.fragmentFates == FragmentTable.Fates(displaced: 1000 - kept))
    }

    @Test func `a datagram in crumbs is refused`() {
        let decoder = ArrayDecoder(linkType: .raw)
        for index in 0...FragmentTable.maximumPieces {
            _ = decoder.decode(Build.ipv4([UInt8](repeating: 1, count: 8), fragment: index | 0x2000))
        }
        #expect(decoder.heldFragments == FragmentTable.maximumPieces)
        #expect(decoder.refused == [.overlappingFragment: 1])
    }

    // MARK: Snap length

    @Test func `of cut fragments the first still gives its headers and the true length`() throws {
        let decoder = ArrayDecoder(linkType: .raw)
        let pieces = Self.pieces(isIPv6: false)
        let decoded = try #require(decoder.decode(Array(pieces[0].prefix(96)), wireLength: pieces[0].count))
        #expect(decoded.payload == Array(Self.payload.prefix(96 - 28)))
        #expect(decoded.frame.payloadWireLength == 3000)
        #expect(decoder.decode(Array(pieces[1].prefix(96)), wireLength: pieces[1].count) == nil)
        #expect(decoder.refused == [.cutFragment: 1])
    }

    // MARK: Damage

    @Test(arguments: [false, true]) func `fragments with any byte changed do no harm`(isIPv6: Bool) {
        let pieces = Self.pieces(isIPv6: isIPv6, datagram: Build.udp([UInt8](repeating: 7, count: 2000)))
        for index in 0..<80 {
            for flip in [0x01, 0x80, 0xFF] as [UInt8] {
                let decoder = ArrayDecoder(linkType: .raw)
                var decoded = 0
                for var bytes in pieces {
                    bytes[index] ^= flip
                    if decoder.decode(bytes) != nil { decoded += 1 }
                }
                #expect(decoded + decoder.refusedCount + decoder.heldFragments == pieces.count)
            }
        }
    }

    @Test(arguments: 0..<200) func `shuffled pieces of any size make the datagram`(seed: UInt64) {
        var random = RandomSource(seed: seed)
        var cuts = Set(
            (0..<Int.random(in: 1...40, using: &random)).map { _ in Int.random(in: 1...375, using: &random) * 8 })
        cuts.formUnion([0, Self.datagram.count])
        let edges = cuts.sorted()
        var pieces = zip(edges, edges.dropFirst()).map { Self.piece($0..<$1, isIPv6: seed % 2 == 0) }
        pieces.shuffle(using: &random)
        let decoder = ArrayDecoder(linkType: .raw)
        let results = pieces.map { decoder.decode($0)?.payload }
        #expect(results == Array(repeating: nil, count: pieces.count - 1) + [Self.payload])
    }
}
