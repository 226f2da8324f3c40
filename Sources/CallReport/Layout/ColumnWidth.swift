extension String {
    /// Columns the text takes on a terminal.
    var columnWidth: Int {
        isPlain ? utf8.count : reduce(0) { $0 + $1.columnWidth }
    }

    /// Whether all of it is printable ASCII, as nearly everything in a report is.
    var isPlain: Bool {
        utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    }

    /// The text with spaces after it (or before it) up to `width` columns.
    func padded(to width: Int, atStart: Bool = false) -> String {
        let spaces = String(repeating: " ", count: max(0, width - columnWidth))
        return atStart ? spaces + self : self + spaces
    }

    /// The text in pieces of at most `width` columns, cut between characters; one empty piece when it is empty.
    func pieces(ofWidth width: Int) -> [String] {
        var pieces: [String] = []
        var piece = ""
        var filled = 0
        for character in self {
            if filled + character.columnWidth > width, !piece.isEmpty {
                pieces.append(piece)
                (piece, filled) = ("", 0)
            }
            piece.append(character)
            filled += character.columnWidth
        }
        return pieces + [piece]
    }

    /// The text cut to `width` columns, with `…` in the place of what was cut from its end.
    func cutAtEnd(to width: Int) -> String {
        guard columnWidth > width, width > 0 else { return self }
        return pieces(ofWidth: width - 1)[0] + "…"
    }

    /// The text cut to `width` columns, with `…` in the place of what was cut from its middle.
    func cutInMiddle(to width: Int) -> String {
        guard columnWidth > width, width > 2 else { return self }
        let tailWidth = (width - 1) / 2
        let head = pieces(ofWidth: width - 1 - tailWidth)[0]
        let tail = String(String(reversed()).pieces(ofWidth: tailWidth)[0].reversed())
        return head + "…" + tail
    }
}

extension Character {
    /// 2 for East Asian wide characters and pictographs (UAX #11), else 1.
    var columnWidth: Int {
        guard let first = unicodeScalars.first?.value else { return 0 }
        let isEmoji = unicodeScalars.contains { $0.value == 0xFE0F }
        return isEmoji || Self.wideRanges.contains { $0.contains(first) } ? 2 : 1
    }

    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1_F000...0x1_FAFF, 0x2_0000...0x3_FFFD,
    ]
}
