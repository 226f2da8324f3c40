/// A file of the built-in page, or the reporter for other pages, as it lies in the program: nothing is read from disk.
public struct WebFile: Hashable, Sendable {
    /// Its name in this folder, without the path: `style.css`.
    public let name: String
    /// Its media type, with the character set.
    public let mediaType: String
    /// Its content, UTF-8.
    public let bytes: [UInt8]

    private init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        mediaType = Self.mediaType(of: name)
        let text = Self.compact(String(decoding: bytes, as: UTF8.self))
        self.bytes = Array((mediaType.hasPrefix("text/css") ? Self.compactStyle(text) : text).utf8)
    }

    /// Without indentation and lines of comments, which nobody needs on the way.
    static func compact(_ text: String) -> String {
        text.split(separator: "\n").filter { !isComment($0) }.map { $0.drop { $0 == " " } }
            .joined(separator: "\n") + "\n"
    }

    /// A style sheet without the spaces beside its punctuation. Those around the signs of sums stay, for they mean something.
    static func compactStyle(_ text: String) -> String {
        ["{", "}", ";", ","].reduce(text.replacing(": ", with: ":")) { text, sign in
            text.replacing(" \(sign)", with: sign).replacing("\(sign) ", with: sign)
        }
    }

    private static func isComment(_ line: Substring) -> Bool {
        let words = line.drop { $0 == " " }
        return words.hasPrefix("//") || words.hasPrefix("/**")
            || line.hasPrefix(" ") && (words.hasPrefix("* ") || words == "*/")
    }

    /// The content as text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    private static func mediaType(of name: String) -> String {
        if name.hasSuffix(".js") { return "text/javascript; charset=utf-8" }
        if name.hasSuffix(".css") { return "text/css; charset=utf-8" }
        if name.hasSuffix(".svg") { return "image/svg+xml" }
        return "text/html; charset=utf-8"
    }
}

extension WebFile {
    /// The page itself: what every address of it answers with.
    public static let index = WebFile("index.html", PackageResources.index_html)

    /// How the page and the HTML report look.
    public static let style = WebFile("style.css", PackageResources.style_css)

    /// The modules of the HTML report, each after those that it needs.
    public static let reportModules = drawing + [WebFile("report.js", PackageResources.report_js)]

    /// What the page loads.
    public static let assets =
        [style, WebFile("icon.svg", PackageResources.icon_svg)] + drawing + [
            WebFile("main.js", PackageResources.main_js), WebFile("api.js", PackageResources.api_js),
            WebFile("asked.js", PackageResources.asked_js), WebFile("list.js", PackageResources.list_js),
            WebFile("fleet.js", PackageResources.fleet_js),
            WebFile("calls.js", PackageResources.calls_js), WebFile("call.js", PackageResources.call_js),
            WebFile("compare.js", PackageResources.compare_js), WebFile("live.js", PackageResources.live_js),
            WebFile("follow.js", PackageResources.follow_js), WebFile("health.js", PackageResources.health_js),
        ]

    /// Data in, elements out: what both have in common.
    private static let drawing = [
        WebFile("elements.js", PackageResources.elements_js), WebFile("chart.js", PackageResources.chart_js),
        WebFile("course.js", PackageResources.course_js), WebFile("record.js", PackageResources.record_js),
    ]

    /// What other pages load, to report their calls.
    public static let reporter = WebFile("reporter.js", PackageResources.reporter_js)
}
