import CallModel

/// Finds out what program an end is, by what it calls itself (`userAgent`) in its events, and in SIP on the wire.
struct ClientReader: Archivable {
    /// The last that was told.
    private(set) var client: String?

    /// Takes the next event of a record that `observer` made.
    mutating func take(_ event: CallEvent, of observer: ObserverID) {
        guard let told = event.detail("userAgent")?.text else { return }
        // A probe sees the messages of both ends, and makes a record of each.
        if event.action == "sip" {
            guard let end = event.members["end"]?.text, observer.rawValue.hasSuffix(":" + end) else { return }
            // "Trying" comes from the next hop, and is passed on by none (RFC 3261 §16.7): a proxy speaks, if there is one.
            if event.members["statusCode"]?.wholeNumber == 100 { return }
        }
        client = ProgramName.short(of: told) ?? client
    }
}

extension ClientReader {
    func write(to archive: inout ArchiveWriter) { archive.put(client) }
    init(from archive: inout ArchiveReader) throws(ArchiveError) { client = try archive.get() }
}

/// Programs by what they call themselves ([RFC 9110 §10.1.5](https://www.rfc-editor.org/rfc/rfc9110#section-10.1.5)).
enum ProgramName {
    /// Browsers name all those that they are like, too; who comes first here names those behind it.
    private static let browsers: [(product: String, name: String)] = [
        ("Edg", "Edge"), ("EdgA", "Edge"), ("EdgiOS", "Edge"), ("OPR", "Opera"), ("SamsungBrowser", "Samsung Internet"),
        ("YaBrowser", "Yandex"), ("Vivaldi", "Vivaldi"), ("Electron", "Electron"), ("FxiOS", "Firefox"),
        ("Firefox", "Firefox"), ("CriOS", "Chrome"), ("HeadlessChrome", "Chrome"), ("Chrome", "Chrome"),
        ("Version", "Safari"),
    ]
    /// Longer names are not kept.
    private static let mostCharacters = 48

    /// Name and version, short enough to sort calls by: `Chrome 148`, `Linphone 5.2`, `baresip 2.0`.
    /// - Returns: `nil` when nothing in it is a name.
    static func short(of userAgent: String) -> String? {
        let words = userAgent.split(separator: " ", maxSplits: 64).map(String.init)
        return browser(words) ?? product(words)
    }

    private static func browser(_ words: [String]) -> String? {
        guard words.first?.hasPrefix("Mozilla/") == true else { return nil }
        for (product, name) in browsers {
            guard let word = words.first(where: { $0.hasPrefix(product + "/") }) else { continue }
            return [name, version(word.dropFirst(product.count + 1), numbers: 1)].compactMap(\.self)
                .joined(separator: " ")
        }
        return nil
    }

    /// The words up to the first version, which follows a slash, a hyphen or a space.
    private static func product(_ words: [String]) -> String? {
        var name: [Substring] = []
        for word in words {
            if !name.isEmpty, let version = version(word[...], numbers: 2) { return named(name, version) }
            let parts = word.split(separator: "/", maxSplits: 1)
            guard let first = parts.first, first.allSatisfy(isOfName) else { break }
            name.append(first)
            if parts.count == 2 { return named(name, version(parts[1], numbers: 2)) }
        }
        return named(name, nil)
    }

    private static func named(_ name: [Substring], _ version: String?) -> String? {
        guard !name.isEmpty else { return nil }
        return String((name.joined(separator: " ") + (version.map { " " + $0 } ?? "")).prefix(mostCharacters))
    }

    private static func isOfName(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "-_.+".contains(character))
    }

    /// So many of the numbers that a text begins with, behind a `v` or not; `nil` when it begins with none.
    private static func version(_ text: Substring, numbers: Int) -> String? {
        let digits = text.first == "v" || text.first == "V" ? text.dropFirst() : text
        let parts = digits.prefix { $0 == "." || $0.isASCII && $0.isNumber }.split(separator: ".")
        return parts.isEmpty || digits.first == "." ? nil : parts.prefix(numbers).joined(separator: ".")
    }
}
