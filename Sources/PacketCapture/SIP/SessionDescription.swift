/// What one end of a call says about its media, in the session description protocol
/// ([RFC 8866](https://www.rfc-editor.org/rfc/rfc8866)).
///
/// Keys, passwords and fingerprints are never kept; that there are some is.
struct SessionDescription: Hashable, Sendable {
    /// Who made the description (`o=`), the user's name left out.
    struct Origin: Hashable, Sendable {
        /// The session's number, as text: many are longer than 64 bits.
        var session: String
        /// Grows with every change of the description.
        var version: String
        /// The maker's address as written.
        var address: String
    }

    /// Who made it; `nil` without a readable `o=` line.
    var origin: Origin?
    /// The `m=` lines in their order.
    var media: [Media]
    /// The media that share one transport, by their `mid` ([RFC 9143](https://www.rfc-editor.org/rfc/rfc9143)).
    var bundles: [[String]]
    /// Lines that could not be read.
    var unreadableLines: Int
}

extension SessionDescription {
    /// Whether it says of any media where they are expected, or that they are refused.
    var saysWhere: Bool {
        media.contains { !$0.isBundleOnly && ($0.port == 0 || $0.address != nil && !$0.awaitsCandidates) }
    }

    /// One `m=` line and what belongs to it.
    struct Media: Hashable, Sendable {
        /// What is sent.
        var kind: Kind
        /// The port at which the media is expected; 0 when it is refused or comes over a bundle.
        var port: UInt16
        /// The protocol as written, in capitals: `RTP/AVP`, `UDP/TLS/RTP/SAVPF`, `UDPTL`.
        var transport: String
        /// The address at which the media is expected; `nil` when it is a name.
        var address: IPAddress?
        /// The payload types in the order of preference.
        var payloads: [Payload]
        /// Milliseconds of audio that the other end is asked to put into a packet (`a=ptime`).
        var packetMilliseconds: Int?
        /// At most so many (`a=maxptime`).
        var maximumPacketMilliseconds: Int?
        /// Who sends, seen from the describing end.
        var direction: Direction
        /// Whether a key or a certificate was announced, or the transport is a secure one.
        var isEncrypted: Bool
        /// Whether the stream may pause in silence, so that fewer packets are no fault.
        var isDTXAllowed: Bool
        /// The synchronisation sources announced ([RFC 5576](https://www.rfc-editor.org/rfc/rfc5576)).
        var sources: [UInt32]
        /// Further addresses at which the media may be expected (ICE, UDP only); names left out.
        var candidates: [Endpoint]
        /// The name of this line within the description (`a=mid`).
        var identifier: String?
        /// Whether the line has a transport only as part of a bundle (`a=bundle-only`).
        var isBundleOnly: Bool
    }

    /// What an `m=` line is for.
    enum Kind: String, Hashable, Sendable, CaseIterable {
        case audio, video, text, application, message, image
        /// Any other word.
        case other
    }

    /// Who sends ([RFC 8866 §6.7](https://www.rfc-editor.org/rfc/rfc8866#section-6.7)).
    enum Direction: String, Hashable, Sendable, CaseIterable {
        case both = "sendrecv"
        case sendOnly = "sendonly"
        case receiveOnly = "recvonly"
        case inactive
    }

    /// What a payload type stands for on one `m=` line; the same number may mean something else on the next.
    struct Payload: Hashable, Sendable {
        /// What its packets carry.
        enum Role: Hashable, Sendable {
            case media
            /// DTMF and tones, [RFC 4733](https://www.rfc-editor.org/rfc/rfc4733).
            case telephoneEvent
            /// Comfort noise, [RFC 3389](https://www.rfc-editor.org/rfc/rfc3389).
            case comfortNoise
            /// Redundant copies of media, [RFC 2198](https://www.rfc-editor.org/rfc/rfc2198).
            case redundancy
            /// Forward error correction in packets of its own.
            case errorCorrection
            /// Media sent again ([RFC 4588](https://www.rfc-editor.org/rfc/rfc4588)), and of which payload type.
            case retransmission(of: UInt8?)
        }

        /// 0...127.
        var number: UInt8
        /// The encoding's name as written; `nil` for a dynamic number without `a=rtpmap`.
        var encoding: String?
        /// RTP ticks per second; `nil` when unknown.
        var clockRate: UInt32?
        /// Audio channels when written.
        var channels: Int?
        /// The format's parameters (`a=fmtp`), at most 256 bytes.
        var parameters: String?
        /// What its packets carry.
        var role: Role
    }
}

extension SessionDescription.Media {
    /// Where the media is expected; `nil` when refused, bundled, on hold by address, or given by a name.
    var endpoint: Endpoint? {
        guard port != 0, let address, !address.isUnspecified else { return nil }
        return Endpoint(address: address, port: port)
    }

    /// Whether the describing end wants to receive nothing: it holds the call.
    ///
    /// By direction ([RFC 3264 §8.4](https://www.rfc-editor.org/rfc/rfc3264#section-8.4)) or, as old clients do, by the
    /// address 0.0.0.0.
    var isHeld: Bool {
        direction == .sendOnly || direction == .inactive || isWithoutPlace
    }

    /// Whether the address is 0.0.0.0, and not only until ICE has found one.
    private var isWithoutPlace: Bool {
        port != 0 && port != 9 && candidates.isEmpty && address?.isUnspecified == true
    }

    /// Whether ICE is yet to find a place: a browser writes the address 0.0.0.0 with port 9
    /// ([RFC 9429 §5.2.1](https://www.rfc-editor.org/rfc/rfc9429#section-5.2.1)) before it has candidates, which it sends later
    /// ([RFC 8840 §4.1](https://www.rfc-editor.org/rfc/rfc8840#section-4.1)).
    var awaitsCandidates: Bool { port == 9 && candidates.isEmpty && address?.isUnspecified == true }

    /// Whether this is fax over UDP ([RFC 7345](https://www.rfc-editor.org/rfc/rfc7345), ITU-T T.38) and accepted.
    var isFax: Bool {
        kind == .image && port != 0 && transport.hasWord("UDPTL")
    }

    /// Whether this is RTP and accepted.
    var isRTP: Bool {
        transport.hasWord("RTP/") && (port != 0 || isBundleOnly)
    }
}

extension IPAddress {
    /// `0.0.0.0` or `::`, which nobody can be reached at.
    var isUnspecified: Bool {
        high == 0 && (low == 0 || low == 0xFFFF_0000_0000)
    }
}

extension String {
    /// Whether the letters of a word occur, byte by byte: the library's search goes by characters and is slow.
    func hasWord(_ word: String) -> Bool {
        utf8.indices.contains { utf8[$0...].starts(with: word.utf8) }
    }
}
