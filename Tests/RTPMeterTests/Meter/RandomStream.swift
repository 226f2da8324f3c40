import RTPMeter
import TestSupport

/// A made-up stream that went through everything a network and a sender can do to it.
struct RandomStream {
    private var random: RandomSource
    private(set) var packets: [TestPacket] = []
    private var number: UInt16
    private var timestamp: UInt32
    private var clock = 0.0

    init(seed: UInt64, length: Int) {
        random = RandomSource(seed: seed)
        let starts: [UInt16] = [0, 1, 65535, 65500, .random(in: 0...65535, using: &random)]
        number = starts[Int.random(in: 0..<starts.count, using: &random)]
        timestamp = UInt32.random(in: .min ... .max, using: &random)
        let loss = [0, 0.01, 0.1, 0.4][Int.random(in: 0..<4, using: &random)]
        let duplication = [0, 0.02, 0.5][Int.random(in: 0..<3, using: &random)]
        while packets.count < length {
            send(loss: loss, duplication: duplication)
        }
        overtake([0, 3, 90, 120][Int.random(in: 0..<4, using: &random)])
        assignTimes()
    }

    private mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &random) < probability
    }

    private mutating func send(loss: Double, duplication: Double) {
        if chance(0.002) {
            restart()
        } else if chance(0.003) {
            number &+= UInt16.random(in: 1...4000, using: &random)
            timestamp &+= 160 * 500
        } else if chance(0.003) {
            stray()
        }
        var packet = TestPacket(number: number, timestamp: timestamp, seconds: clock)
        if chance(0.02) {
            packet.kind = .telephoneEvent
            packet.payloadType = 101
        } else if chance(0.02) {
            packet.kind = .comfortNoise
            packet.payloadType = 13
        } else if chance(0.01) {
            packet.kind = .padding
        } else if chance(0.01) {
            packet.hasMarker = true
            timestamp &+= 160 * UInt32.random(in: 1...200, using: &random)
            packet.timestamp = timestamp
        }
        number &+= 1
        timestamp &+= chance(0.02) ? 0 : 160
        clock += 0.020
        guard !chance(loss) else { return }
        packets.append(packet)
        while chance(duplication) {
            packets.append(packet)
        }
    }

    private mutating func restart() {
        number = UInt16.random(in: 0...65535, using: &random)
        timestamp = UInt32.random(in: .min ... .max, using: &random)
    }

    private mutating func stray() {
        let packet = TestPacket(
            number: UInt16.random(in: 0...65535, using: &random), timestamp: timestamp, seconds: clock)
        packets += Array(repeating: packet, count: Int.random(in: 1...3, using: &random))
    }

    /// Lets some packets arrive up to `most` places too late.
    private mutating func overtake(_ most: Int) {
        guard most > 0, packets.count > most else { return }
        for _ in 0..<(packets.count / 20) {
            let index = Int.random(in: 0..<(packets.count - most), using: &random)
            let packet = packets.remove(at: index)
            packets.insert(packet, at: index + Int.random(in: 1...most, using: &random))
        }
    }

    /// Arrival in the order of the list, with jitter, and now and then a clock that steps back.
    private mutating func assignTimes() {
        var time = 0.0
        for index in packets.indices {
            time += Double.random(in: 0.0...0.040, using: &random)
            if chance(0.001) {
                time -= 0.5
            }
            packets[index].seconds = time
        }
    }
}
