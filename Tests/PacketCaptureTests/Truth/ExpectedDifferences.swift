/// Where this program deliberately reads a capture otherwise than the reference, and by which rule.
///
/// Every entry was looked up by hand in tshark's listing of the packets.
struct ExpectedDifference {
    /// The rule that decides.
    enum Reason {
        /// RFC 3550 A.1, MIN_SEQUENTIAL, and the measurement in `docs/wire.md`: a source is valid after packets with
        /// consecutive numbers; three of them tell RTP from all else. One or two, or one repeated, are no stream.
        case tooFewInARow
        /// RFC 8656 §3.1: over TCP a client's messages to its relay are a byte stream; only datagrams are read.
        case relayOverTCP
        /// RFC 3711 §3.1: padding is encrypted, so its count cannot be checked in SRTP. tshark drops the packets in which
        /// it happens to be larger than the packet; they are RTP by all else.
        case encryptedPadding
        /// RFC 3264 §8, RFC 3261 §14.1: an offer that is refused changes nothing. After the refused T.38 offer (488)
        /// sound goes on; tshark reads its first half second as T.38.
        case refusedOffer
        /// RFC 3550 §8.2: a source that changes its transport address keeps its SSRC, and its numbers go on. One stream,
        /// as rtpproxy has it; its jitter then includes the step between the two ports.
        case portChange
        /// RFC 3550 A.8 says nothing of a first packet that is sent twice: here timing begins with the second copy,
        /// which is on the beat of those that follow, as in rtpproxy's own figures.
        case firstPacketTwice
        /// RFC 8331 §3.1: ancillary data use 90,000 ticks. The reference divides by the pace of packets, of which many
        /// share a time stamp; here a time stamp counts once.
        case sharedTimestamps
        /// RFC 3551 §4.1: with pictures the marker ends each, and begins no talkspurt; nor does it where a sender of sound
        /// sets it on packet after packet, here on those of its silences. The reference leaves out every marked packet.
        case markedThroughout
    }

    /// As ``StreamDifference/description`` has it.
    var difference: String
    var reason: Reason

    /// By the name of the capture. What is not here must be equal.
    static let all: [String: [ExpectedDifference]] = [
        "asterisk-ssrc1.pcap": none(.tooFewInARow, "0x00273aab 6001>17854: packets 1"),
        "asterisk-ssrc2.pcap": none(.tooFewInARow, "0x001471b8 6001>17854: packets 2"),
        "ebu-anc_with_some_rtp_padding.pcap": [
            Self("0x00000000 49154>50040: clock none -> 90000", .sharedTimestamps)
        ],
        "ebu-ttmlRTP-invalid-clock-timing.pcap": none(
            .tooFewInARow, "0x05124fce 47653>1312: packets 1", "0x0792b3a5 47653>1312: packets 1",
            "0x0edc4553 47653>1312: packets 1", "0x3ab582ca 47653>1312: packets 1",
            "0x52acdf86 47653>1312: packets 1", "0xe0d48290 47653>1312: packets 1"),
        "ndpi-FAX-Call-t38-CA-TDM-SIP-FB-1.pcap": [
            Self("0x0eaf0eaf 15580>16756: packets 132 -> 159", .refusedOffer),
            Self("0x0eaf0eaf 15580>16756: unique 132 -> 159", .refusedOffer),
        ],
        "ndpi-raknet.pcap": none(
            .tooFewInARow, "0x00000000 43582>44501: packets 1", "0x00000000 60690>60028: packets 1",
            "0x00000900 32953>60021: packets 3"),
        "ndpi-stun_dtls_rtp.pcapng": none(
            .relayOverTCP, "0x2f696c70 0>0: packets 2", "0x321d28bb 0>0: packets 9"),
        "ndpi-stun_google_meet.pcapng": [
            Self("0x00000000 19305>38152: lost 4 -> 0", .encryptedPadding),
            Self("0x00000000 19305>38152: packets 25 -> 31", .encryptedPadding),
            Self("0x00000000 19305>38152: unique 25 -> 31", .encryptedPadding),
            Self("0x00000000 19305>45572: lost 10 -> 0", .encryptedPadding),
            Self("0x00000000 19305>45572: packets 93 -> 104", .encryptedPadding),
            Self("0x00000000 19305>45572: unique 93 -> 104", .encryptedPadding),
        ],
        "ndpi-stun_signal.pcapng": none(
            .tooFewInARow, "0x000003e9 43068>61156: packets 1", "0x000003e9 47767>61498: packets 1",
            "0x000007d1 61156>43068: packets 2", "0x000007d1 61498>47767: packets 2")
            + [
                Self("0x000007dd 61498>47767: lost 1 -> 0", .encryptedPadding),
                Self("0x000007dd 61498>47767: packets 11 -> 12", .encryptedPadding),
                Self("0x000007dd 61498>47767: unique 11 -> 12", .encryptedPadding),
            ],
        "ndpi-stun_wa_call.pcapng": none(.tooFewInARow, "0x7fc09bd9 3478>49526: packets 2"),
        "ndpi-wa_video.pcap": none(.tooFewInARow, "0x3a869c27 3478>53688: packets 2")
            + [
                Self("0x5e05086d 53688>3478: maximumJitter 0 -> 7.03", .markedThroughout),
                Self("0x5e05086d 53688>3478: meanJitter 0 -> 3.76", .markedThroughout),
                Self("0xc3965a59 53688>3478: maximumJitter 15.56 -> 15.73", .markedThroughout),
                Self("0xc3965a59 53688>3478: meanJitter 7.22 -> 7.47", .markedThroughout),
            ],
        "ndpi-wa_voice.pcap": none(.tooFewInARow, "0xf50386f4 56328>3478: packets 1"),
        "ndpi-whatsapp_login_call.pcap": [
            Self("0x0a150e10 52794>9665: maximumJitter 5.55 -> 16.56", .markedThroughout),
            Self("0x0a150e10 52794>9665: meanJitter 4.29 -> 7.52", .markedThroughout),
            Self("0x207633fe 9665>52794: maximumJitter 0 -> 20.21", .markedThroughout),
            Self("0x207633fe 9665>52794: meanJitter 0 -> 10.49", .markedThroughout),
            Self("0x4c289e6d 9344>51518: maximumJitter 7.51 -> 12.58", .markedThroughout),
            Self("0x4c289e6d 9344>51518: meanJitter 5.74 -> 6.34", .markedThroughout),
            Self("0x54592824 51518>9344: maximumJitter 5.53 -> 18.82", .markedThroughout),
            Self("0x54592824 51518>9344: meanJitter 4.59 -> 7.03", .markedThroughout),
        ],
        "packetnet-ipv6_rtp.pcap": none(.tooFewInARow, "0x359f41e4 40004>6000: packets 1"),
        "rtpproxy-DLT_NULL.a.rtp.pcap": [
            Self("0x9c49ca0a 12002>12344: maximumJitter 0.03 -> 0.06", .portChange),
            Self("0x9c49ca0a 12002>12344: maximumPlainJitter 0.03 -> 0.06", .portChange),
            Self("0x9c49ca0a 12002>12344: packets 51 -> 300", .portChange),
            Self("0x9c49ca0a 12002>12344: unique 51 -> 300", .portChange),
            Self("0x9c49ca0a 12004>12344: packets 249 -> none", .portChange),
        ],
        "rtpproxy-dups.a.rtp.pcap": [
            Self("0xae9dd7af 30716>60710: maximumJitter 1.18 -> 0.02", .firstPacketTwice),
            Self("0xae9dd7af 30716>60710: meanJitter 0.06 -> 0.01", .firstPacketTwice),
        ],
        "str0m-h266.pcap": [
            Self("0x061db301 65022>5604: maximumJitter 2.12 -> 2.68", .markedThroughout),
            Self("0x061db301 65022>5604: meanJitter 1.58 -> 1.8", .markedThroughout),
        ],
    ]

    private init(_ difference: String, _ reason: Reason) {
        self.difference = difference
        self.reason = reason
    }

    /// Streams that the reference lists and this program does not take for one.
    private static func none(_ reason: Reason, _ streams: String...) -> [ExpectedDifference] {
        streams.map { ExpectedDifference("\($0) -> none", reason) }
    }
}
