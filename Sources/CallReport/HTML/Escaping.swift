extension String {
    /// The text as it can stand between tags and in quoted attributes.
    var escapedForHTML: String {
        replacing { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "'": "&#39;"
            default: nil
            }
        }
    }

    /// JSON as it can stand in a script element: no tag begins in it, and no line ends where JavaScript ends one
    /// ([HTML, restrictions for contents of script elements](https://html.spec.whatwg.org/#restrictions-for-contents-of-script-elements)).
    /// In JSON these characters occur only within strings, where an escape means the same.
    var escapedForScript: String {
        replacing { scalar in
            switch scalar {
            case "<": "\\u003c"
            case ">": "\\u003e"
            case "&": "\\u0026"
            case "\u{2028}": "\\u2028"
            case "\u{2029}": "\\u2029"
            default: nil
            }
        }
    }

    private func replacing(_ replacement: (Unicode.Scalar) -> String?) -> String {
        var text = ""
        text.reserveCapacity(utf8.count)
        for scalar in unicodeScalars {
            if let other = replacement(scalar) { text += other } else { text.unicodeScalars.append(scalar) }
        }
        return text
    }
}
