import JSONText

/// Files that people take for statistics and that are none that can be read: refused by name, so that nobody searches
/// for an error in them.
enum ForeignFile {
    /// What the file is; `nil` when it is none of these.
    static func name(of bytes: [UInt8]) -> String? {
        let head = String(decoding: bytes.prefix(4096), as: UTF8.self)
        return signature(of: bytes) ?? text(head)
    }

    /// Formats that begin with bytes of their own.
    private static func signature(of bytes: [UInt8]) -> String? {
        let known: [([UInt8], String)] = [
            ([0xD4, 0xC3, 0xB2, 0xA1], capture), ([0xA1, 0xB2, 0xC3, 0xD4], capture),
            ([0x4D, 0x3C, 0xB2, 0xA1], capture), ([0xA1, 0xB2, 0x3C, 0x4D], capture),
            ([0x0A, 0x0D, 0x0D, 0x0A], capture),
            ([0x1F, 0x8B], "gzip inside gzip; inflate it once more"),
            ([0x50, 0x4B, 0x03, 0x04], "a ZIP archive; unpack it first"),
            (
                [0x53, 0x51, 0x4C, 0x69, 0x74, 0x65],
                "an SQLite database; `statsreport list --database FILE` shows those of sidetone"
            ),
            ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "xz data; unpack it first (xz -d)"),
            ([0x28, 0xB5, 0x2F, 0xFD], "Zstandard data; unpack it first (zstd -d)"),
            ([0x42, 0x5A, 0x68], "bzip2 data; unpack it first (bzip2 -d)"),
            ([0x73, 0x6E, 0x6F, 0x6F, 0x70, 0x00], "a snoop capture (RFC 1761); make a pcapng of it (editcap)"),
            ([0xFF, 0xFE], utf16), ([0xFE, 0xFF], utf16),
            ([0x1E], "a JSON text sequence (RFC 7464); take the record separators out (tr -d '\\036')"),
            ([0x89, 0x50, 0x4E, 0x47], "a PNG picture"),
            ([0x25, 0x50, 0x44, 0x46], "a PDF document"),
        ]
        // Of a tar archive the name of its first file comes first.
        if bytes.dropFirst(257).starts(with: "ustar".utf8) { return "a tar archive; unpack it first" }
        return known.first { bytes.starts(with: $0.0) }?.1
    }

    private static let capture = "a packet capture; statsreport FILE and sidetone capture -r read it"

    private static let utf16 = "text in UTF-16, as PowerShell's > writes it; save it in UTF-8"

    private static func text(_ head: String) -> String? {
        if head.prefixMatch(of: /\s*\{\s*timestampUs:\s*\d/) != nil {
            return "the text that Android's RTCStatsReport.toString() prints, which is not JSON; "
                + "have the app write JSON"
        }
        if head.prefixMatch(of: #/\s*(?:\{[^"]{0,200})?\bid = \S+, type = /#) != nil {
            return "the description of an Objective-C RTCStatistics, which is not JSON; have the app write JSON"
        }
        if head.prefixMatch(of: /\s*\{\s*"statsSessionId"\s*:/) != nil, head.contains(/"type"\s*:/) {
            return "messages of a Jitsi component (videobridge, Jicofo or Jigasi), not getStats of a client"
        }
        if head.prefixMatch(of: /\s*<(?:!DOCTYPE|!doctype|html|HTML|\?xml)/) != nil {
            return "an HTML or XML page"
        }
        return nil
    }

    /// What a text is that is nearly JSON; `nil` when that is not known.
    ///
    /// react-native-webrtc 1.94 for Android prints a Java map where JSON has an object.
    static func nearlyJSON(_ bytes: ArraySlice<UInt8>) -> String? {
        let names = ["none=", "cpu=", "bandwidth=", "other="].map { [UInt8.openingBrace] + Array($0.utf8) }
        var rest = bytes
        while let brace = rest.firstIndex(of: .openingBrace) {
            rest = rest[brace...]
            if names.contains(where: { rest.starts(with: $0) }) {
                return "a report of react-native-webrtc 1.94 for Android, which prints a Java map inside its JSON; "
                    + "update it"
            }
            rest = rest.dropFirst()
        }
        return nil
    }
}

extension UInt8 {
    fileprivate static let openingBrace = UInt8(ascii: "{")
}
