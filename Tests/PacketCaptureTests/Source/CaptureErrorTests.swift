import Deflate
import Foundation
import Testing

@testable import PacketCapture

/// Every message of a capture that cannot be read, whole.
@Suite struct CaptureErrorTests {
    /// The message for a file with these bytes, its path replaced by FILE.
    private func message(_ bytes: [UInt8], filter: String? = nil) throws -> String {
        let file = try TemporaryFile(bytes)
        do throws(CaptureError) {
            let capture = try ReadCapture(file.path, filter: filter)
            guard case .broken(let error) = capture.end else { return "no error" }
            return file.anonymous(error.description)
        } catch {
            return file.anonymous(error.description)
        }
    }

    private func message(path: String) -> String {
        do throws(CaptureError) {
            _ = try ReadCapture(path)
            return "no error"
        } catch {
            return error.description
        }
    }

    @Test func `a path that is no file`() {
        #expect(
            message(path: "/nonexistent/calls.pcap") == "cannot read /nonexistent/calls.pcap: there is no such file")
        #expect(message(path: "/") == "cannot read /: it is a directory, expected a capture file")
        #expect(message(path: "/dev/null/x") == "cannot read /dev/null/x: Not a directory")
        #expect(
            message(path: "/dev/null") == "/dev/null is empty; perhaps the program that writes it was stopped early")
    }

    @Test func `a file that is no capture`() throws {
        for bytes in [[], Gzip.deflate([])] {
            #expect(try message(bytes) == "FILE is empty; perhaps the program that writes it was stopped early")
        }
        #expect(
            try message(Array("{\"report\": []}, and more than one header".utf8))
                == "FILE is not a capture file: it begins with 7B 22 72 65 (\"{\"re\"), "
                + "expected pcap (D4 C3 B2 A1, …), pcapng (0A 0D 0D 0A) or one of them in gzip (1F 8B)")
        #expect(
            try message([0, 1, 2, 3] + [UInt8](repeating: 0, count: 40))
                == "FILE is not a capture file: it begins with 00 01 02 03, expected pcap (D4 C3 B2 A1, …), "
                + "pcapng (0A 0D 0D 0A) or one of them in gzip (1F 8B)")
        #expect(
            try message(Gzip.deflate(Array("{\"report\": []}, and more than one header".utf8)))
                == "FILE is not a whole capture file: what it inflates to is no capture")
    }

    @Test func `a header that is not whole`() throws {
        #expect(
            try message(Array(CaptureBytes.pcap().prefix(10)))
                == "FILE is not a whole capture file: truncated dump file; "
                + "tried to read 24 file header bytes, only got 6"
        )
        #expect(
            try message(Array("hi".utf8))
                == "FILE is not a capture file: it begins with 68 69 (\"hi\"), expected pcap (D4 C3 B2 A1, …), "
                + "pcapng (0A 0D 0D 0A) or one of them in gzip (1F 8B)")
        #expect(
            try message(Array(CaptureBytes.pcapng().prefix(28)))
                == "FILE is not a whole capture file: the capture file has no Interface Description Blocks")
        #expect(
            try message(Array(Gzip.deflate(CaptureBytes.pcap()).prefix(12)))
                == "FILE is not a whole capture file: the compressed data stops before its end")
    }

    @Test func `a link type that cannot be decoded`() throws {
        #expect(
            try message(CaptureBytes.pcap(linkType: 105))
                == "FILE has link type IEEE802_11 (105), which cannot be decoded; expected one of "
                + "NULL, EN10MB, PPP, RAW, PPP_SERIAL, PPP_ETHER, LOOP, LINUX_SLL, IPV4, IPV6, LINUX_SLL2")
        #expect(
            try message(CaptureBytes.pcapng(linkType: 0xFFF0)).hasPrefix("FILE has link type unknown (65520), which"))
    }

    @Test func `a file that ends inside a frame`() throws {
        let whole = CaptureBytes.pcap()
        let oneFrame = CaptureBytes.pcap([CaptureBytes.frames[0]]).count
        #expect(
            try message(Array(whole.prefix(30))) == "FILE ends at byte 30, inside a frame; no frame is before it")
        #expect(
            try message(Array(whole.prefix(oneFrame + 10)))
                == "FILE ends at byte \(oneFrame + 10), inside a frame; the one frame before it counts")
        #expect(
            try message(Array(whole.prefix(oneFrame + 40)))
                == "FILE ends at byte \(oneFrame + 40), inside a frame; the one frame before it counts")
        let block = CaptureBytes.pcapng([CaptureBytes.frames[0]]).count
        #expect(
            try message(Array(CaptureBytes.pcapng().prefix(block + 20)))
                == "FILE ends at byte \(block + 20), inside a frame; the one frame before it counts")
    }

    @Test func `a frame that contradicts itself`() throws {
        var bytes = CaptureBytes.pcap()
        let second = CaptureBytes.pcap([CaptureBytes.frames[0]]).count
        bytes.replaceSubrange(second + 8..<second + 12, with: [0, 0, 0, 0x7F])
        let text = try message(bytes)
        #expect(
            text == "FILE is damaged near byte \(second + 16): invalid packet capture length 2130706432, "
                + "bigger than snaplen of 65535; the one frame before it counts")
    }

    @Test func `compressed data that is damaged`() throws {
        let frames = (0..<3000).map {
            CaptureBytes.Frame(
                bytes: FrameBytes.ethernet((0..<200).map { UInt8(truncatingIfNeeded: $0 &* $0) }),
                nanoseconds: Int64($0) * 20_000_000)
        }
        var bytes = Gzip.deflate(CaptureBytes.pcap(frames))
        bytes[bytes.count - 8] ^= 1
        // How much of the last piece is still read is zlib's affair, so the numbers are left out.
        let text = try message(bytes).replacing(/[0-9]+/, with: "N")
        #expect(text == "FILE is damaged near byte N: incorrect data check; the N frames before it count")
    }

    @Test func `a filter that is none`() throws {
        #expect(
            try message(CaptureBytes.pcap(), filter: "udp prot 5060")
                == "\"udp prot 5060\" is not a capture filter: can't parse filter expression: syntax error; "
                + "man pcap-filter describes them")
    }

    @Test(arguments: [
        (
            CaptureError.noSuchInterface(name: "eth7", available: ["eth0", "lo"]),
            "there is no interface eth7; there are eth0, lo"
        ),
        (.noSuchInterface(name: "eth7", available: []), "there is no interface eth7; none can be captured on"),
        (
            .permissionDenied(interface: "eth0"),
            "not allowed to capture on eth0: run as root, or give the program CAP_NET_RAW (setcap cap_net_raw+ep FILE)"
        ),
        (.interfaceDown(name: "eth0"), "interface eth0 is down; ip link set eth0 up starts it"),
        (
            .captureFailed(interface: "eth0", reason: "The interface disappeared"),
            "cannot capture on eth0: The interface disappeared"
        ),
        (.unreadableFile(path: "x.pcap", reason: "Permission denied"), "cannot read x.pcap: Permission denied"),
    ]) func `errors of interfaces and rights`(error: CaptureError, text: String) {
        #expect(error.description == text)
    }
}
