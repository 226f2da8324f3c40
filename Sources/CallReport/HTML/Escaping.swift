extension String {
    /// The text as it can stand between tags and in quoted attributes.
    var escapedForHTML: String {
        var text = ""
        text.reserveCapacity(utf8.count)
        for scalar in unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&#39;"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// JSON as it can stand in a script element: no tag begins in it, and no line ends where JavaScript ends one
    /// ([HTML, restrictions for contents of script elements](https://html.spec.whatwg.org/#restrictions-for-contents-of-script-elements)).
    /// In JSON these characters occur only within strings, where an escape means the same.
    var escapedForScript: String {
        var text = ""
        text.reserveCapacity(utf8.count)
        for scalar in unicodeScalars {
            switch scalar {
            case "<": text += "\\u003c"
            case ">": text += "\\u003e"
            case "&": text += "\\u0026"
            case "\u{2028}": text += "\\u2028"
            case "\u{2029}": text += "\\u2029"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
