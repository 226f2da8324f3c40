extension String {
    /// The text with everything escaped that could steer a terminal or change how its surroundings read: control and
    /// format characters, line separators, private and unassigned ones, and piles of combining marks.
    public var printable: String {
        guard !isPlain else { return self }
        var text = ""
        var marks = Self.tolerableMarks
        for scalar in unicodeScalars {
            let isMark = scalar.isCombiningMark
            marks = isMark ? marks + 1 : 0
            if scalar.isUnprintable || marks > Self.tolerableMarks {
                text += "\\u{\(String(scalar.value, radix: 16))}"
                marks = isMark ? marks : 0
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// No script in use needs more marks on one letter.
    private static let tolerableMarks = 4
}

extension Unicode.Scalar {
    /// Whether a terminal would not show the scalar as itself.
    var isUnprintable: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: true
        default: false
        }
    }

    fileprivate var isCombiningMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: false
        }
    }
}
