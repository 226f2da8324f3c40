extension OwnCaptureTests {
    /// A difference from the router's log, and why it is right.
    struct Expected {
        /// Why.
        enum Reason {
            /// RFC 8656 §12.4: the router logs ChannelData as such and does not look inside.
            case insideChannelData
            /// RFC 3550 §8.2: a source keeps its SSRC, and goes on counting, when a transport address changes: it is one stream,
            /// and what was sent meanwhile is lost.
            case movedOn
            /// DNS queries that begin as RTP does; sent to port 53, and twice only (`docs/wire.md`).
            case noRTP
        }

        var difference: String
        var reason: Reason

        init(_ reason: Reason, _ difference: String) {
            self.difference = difference
            self.reason = reason
        }
    }

    /// By path of the capture. What is not here must be equal.
    static let expected: [String: [Expected]] = [
        "calls/23-turn-relay/A.pcap.gz": inside([
            "105964318 3478>54764": 778, "2204915319 54764>3478": 13, "2538302473 3478>54764": 13,
            "2725595690 3478>54764": 1_512, "512504102 54764>3478": 782, "608187633 54764>3478": 1_512,
        ]),
        "calls/23-turn-relay/B.pcap.gz": inside([
            "105964318 33484>3478": 778, "2204915319 3478>33484": 13, "2538302473 33484>3478": 13,
            "2725595690 33484>3478": 1_512, "512504102 3478>33484": 782, "608187633 3478>33484": 1_512,
        ]),
        // Where the caller is, the callee's streams stand still until they know of the other network, too: what is lost of
        // them is what the router passed on to the interface that was down, 611 − 529 and 1196 − 1008 packets.
        "calls/30-ip-change/A.pcap.gz": moved + [
            Expected(
                .movedOn,
                "2520413453 35494>50297: packets 611, unique 611, lost 0, duplicates 0, reordered 0"
                    + " -> packets 537, unique 537, lost 82, duplicates 0, reordered 0"),
            Expected(
                .movedOn, "2520413453 35494>57970: packets 8, unique 8, lost 0, duplicates 0, reordered 0 -> none"),
            Expected(
                .movedOn,
                "270553701 35494>50297: packets 1196, unique 1196, lost 0, duplicates 0, reordered 0"
                    + " -> packets 1028, unique 1028, lost 188, duplicates 0, reordered 0"),
            Expected(
                .movedOn, "270553701 35494>57970: packets 20, unique 20, lost 0, duplicates 0, reordered 0 -> none"),
        ],
        "calls/30-ip-change/B.pcap.gz": moved + [
            Expected(
                .movedOn,
                "2520413453 35494>50297: packets 611, unique 611, lost 0, duplicates 0, reordered 0"
                    + " -> packets 619, unique 619, lost 0, duplicates 0, reordered 0"),
            Expected(
                .movedOn, "2520413453 35494>57970: packets 8, unique 8, lost 0, duplicates 0, reordered 0 -> none"),
            Expected(
                .movedOn,
                "270553701 35494>50297: packets 1196, unique 1196, lost 0, duplicates 0, reordered 0"
                    + " -> packets 1216, unique 1216, lost 0, duplicates 0, reordered 0"),
            Expected(
                .movedOn, "270553701 35494>57970: packets 20, unique 20, lost 0, duplicates 0, reordered 0 -> none"),
        ],
        "calls/40-chromium-firefox-clean/B.pcap.gz": ["43088", "43533", "51140", "58134", "60278"].map {
            Expected(.noRTP, "0 \($0)>53: packets 2, unique 1, lost 0, duplicates 1, reordered 0 -> none")
        },
    ]

    /// Sound and picture of the caller, from port 50297 and then from another network, and what repeats pictures both ways.
    private static let moved = [
        Expected(
            .movedOn,
            "1277404731 50297>35494: packets 1008, unique 1008, lost 0, duplicates 0, reordered 0"
                + " -> packets 1037, unique 1037, lost 176, duplicates 0, reordered 0"),
        Expected(
            .movedOn, "1277404731 57970>35494: packets 29, unique 29, lost 0, duplicates 0, reordered 0 -> none"),
        Expected(
            .movedOn,
            "4103518024 50297>35494: packets 505, unique 505, lost 0, duplicates 0, reordered 0"
                + " -> packets 511, unique 511, lost 74, duplicates 0, reordered 0"),
        Expected(.movedOn, "4103518024 57970>35494: packets 6, unique 6, lost 0, duplicates 0, reordered 0 -> none"),
        Expected(
            .movedOn,
            "1767509633 50297>35494: packets 8, unique 8, lost 0, duplicates 0, reordered 0"
                + " -> packets 29, unique 29, lost 0, duplicates 0, reordered 0"),
        Expected(.movedOn, "1767509633 57970>35494: packets 21, unique 21, lost 0, duplicates 0, reordered 0 -> none"),
        Expected(
            .movedOn,
            "3337983306 35494>50297: packets 18, unique 18, lost 0, duplicates 0, reordered 0"
                + " -> packets 81, unique 81, lost 0, duplicates 0, reordered 0"),
        Expected(.movedOn, "3337983306 35494>57970: packets 63, unique 63, lost 0, duplicates 0, reordered 0 -> none"),
    ]

    /// Streams without a loss that the router did not see, and their packets.
    private static func inside(_ streams: KeyValuePairs<String, Int>) -> [Expected] {
        streams.map { label, packets in
            Expected(
                .insideChannelData,
                "\(label): none -> packets \(packets), unique \(packets), lost 0, duplicates 0, reordered 0")
        }
    }
}
