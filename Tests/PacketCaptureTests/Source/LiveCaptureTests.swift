import Foundation
import RTPMeter
import Testing

@testable import PacketCapture

@Suite struct LiveCaptureTests {
    /// Root may capture, and so may whoever was given the right. Where neither is so, there is nothing to test.
    static var mayCapture: Bool {
        geteuid() == 0 || (try? LiveCapture(interface: "lo")) != nil
    }

    /// Sends datagrams to itself over loopback and gives the port they went to.
    private func send(_ payloads: [[UInt8]], to socket: borrowing LoopbackSocket) {
        for payload in payloads { socket.sendToItself(payload) }
    }

    @Test(.enabled(if: mayCapture, "needs the right to capture")) func `datagrams over loopback are seen once each`()
        throws
    {
        let socket = try LoopbackSocket()
        var options = LiveOptions()
        options.filter = "udp port \(socket.port)"
        let capture = try LiveCapture(interface: "lo", options: options)
        var decoder = FrameDecoder(linkType: capture.linkType)
        let payloads = (0..<500).map { index in FrameBytes.rtp + FrameBytes.be16(index) }
        send(payloads, to: socket)

        var seen: [[UInt8]] = []
        var attempts = 0
        while seen.count < payloads.count, attempts < 100 {
            attempts += 1
            _ = capture.wait(milliseconds: 100)
            _ = try capture.poll(maximumFrames: 64) { bytes, wireLength, time in
                guard let frame = decoder.decode(bytes, wireLength: wireLength, at: time) else { return }
                seen.append(decoder.withPayload(of: frame, in: bytes) { $0.copy(0..<$0.byteCount) })
            }
        }
        #expect(seen == payloads)
        #expect(capture.linkType == .ethernet)
        let statistics = capture.statistics()
        #expect(statistics.received >= 500)
        #expect(statistics.droppedByKernel == 0)
        #expect(capture.statistics().received >= statistics.received)
    }

    @Test(.enabled(if: mayCapture, "needs the right to capture")) func `without frames a poll returns at once`() throws
    {
        var options = LiveOptions()
        options.filter = "udp port 9 and ip host 127.200.200.200"
        options.isImmediate = true
        let capture = try LiveCapture(interface: "lo", options: options)
        #expect(try capture.poll(maximumFrames: 10) { _, _, _ in } == 0)
        #expect(!capture.wait(milliseconds: 1))
    }

    @Test(.enabled(if: mayCapture, "needs the right to capture"))
    func `an interface that is not there is named, with those that are`() {
        let available = PcapHandle.interfaceNames()
        #expect(available.contains("lo"))
        #expect(throws: CaptureError.noSuchInterface(name: "nonesuch0", available: available)) {
            _ = try LiveCapture(interface: "nonesuch0")
        }
        var options = LiveOptions()
        options.filter = "udp prot 5060"
        #expect(
            throws: CaptureError.badFilter(
                filter: "udp prot 5060", reason: "can't parse filter expression: syntax error")
        ) {
            _ = try LiveCapture(interface: "lo", options: options)
        }
    }

    @Test func `counters of 32 bits go on after they begin anew`() {
        var counter = CounterUnwrapper()
        #expect(counter.take(10) == 10)
        #expect(counter.take(4_294_967_290) == 4_294_967_290)
        #expect(counter.take(4) == 4_294_967_300)
    }

    // MARK: Privileges

    @Test func `a user that cannot be changed to is named`() {
        #expect(throws: PrivilegeError.noSuchUser("no-such-user")) { try Privileges.drop(toUser: "no-such-user") }
        #expect(throws: PrivilegeError.stillRoot("root")) { try Privileges.drop(toUser: "root") }
    }

    @Test(arguments: [
        (PrivilegeError.noSuchUser("x"), "there is no user x to run as; useradd --system x makes one"),
        (.stillRoot("root"), "root is root, expected a user without privileges"),
        (
            .refused(user: "x", step: "setgid", reason: "Operation not permitted"),
            "cannot become user x: setgid: Operation not permitted; only root can become another user"
        ),
        (.notLost(user: "x"), "became user x, but could become root again; stopping for safety"),
    ]) func `what went wrong with rights is said`(error: PrivilegeError, text: String) {
        #expect(error.description == text)
    }
}

/// A UDP socket bound to a port of its own on 127.0.0.1.
struct LoopbackSocket: ~Copyable {
    private let descriptor: Int32
    private let address: sockaddr_in
    let port: UInt16

    struct Failure: Error {}

    init() throws {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_DGRAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        var length = size
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        self.descriptor = descriptor
        self.address = address
        port = UInt16(bigEndian: address.sin_port)
        guard isBound else { throw Failure() }
    }

    deinit { close(descriptor) }

    func sendToItself(_ bytes: [UInt8]) {
        var address = address
        _ = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
