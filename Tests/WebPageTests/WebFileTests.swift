import Testing

@testable import WebPage

/// The files of the page keep what `WebFile` and the HTML report rely on.
@Suite struct WebFileTests {
    /// A module of the page or of the report; its name says enough where it is told of.
    struct Module: CustomTestStringConvertible {
        var file: WebFile
        var testDescription: String { file.name }
    }

    private static let modules = (WebFile.assets + WebFile.reportModules).filter { $0.name.hasSuffix(".js") }
        .map(Module.init)

    @Test(arguments: ["fleet", "calls", "call", "compare", "live", "health"])
    func `no page needs 60 kB, not compressed`(page: String) throws {
        var needed: Set<String> = [], waiting = ["main.js", page + ".js"]
        while let name = waiting.popLast() {
            guard needed.insert(name).inserted else { continue }
            let module = try #require(WebFile.assets.first { $0.name == name })
            waiting += module.text.matches(of: /^import .* from '\.\/([a-z]+\.js)'/.anchorsMatchLineEndings()).map {
                String($0.1)
            }
        }
        let files = WebFile.assets.filter { needed.contains($0.name) || !$0.name.hasSuffix(".js") }
        let bytes = ([.index] + files).map(\.bytes.count).reduce(0, +)
        #expect(needed.count > 4 && bytes < 60_000)
    }

    @Test func `all that the page may load is less than 85 kB, not compressed`() {
        let bytes = ([.index] + WebFile.assets).map(\.bytes.count).reduce(0, +)
        #expect((60_000..<85_000).contains(bytes))
    }

    @Test(arguments: modules) func `an import stands on one line and names a module that is there`(module: Module)
        throws
    {
        for line in module.file.text.split(separator: "\n") where line.hasPrefix("import ") {
            let name = try #require(line.wholeMatch(of: /import \{ [\w, ]+ \} from '\.\/([a-z]+\.js)';/)?.1)
            #expect(WebFile.assets.contains { $0.name == name })
        }
        #expect(!module.file.text.contains("export default") && !module.file.text.contains("export {"))
    }

    @Test func `each module of the HTML report stands after those it needs`() throws {
        var seen: Set<Substring> = []
        for module in WebFile.reportModules {
            for needed in module.text.matches(of: /from '\.\/([a-z]+\.js)'/) {
                #expect(seen.contains(needed.1), "\(module.name)")
            }
            seen.insert(Substring(module.name))
        }
    }

    @Test(arguments: modules) func `what makes markup of text is not used`(module: Module) {
        let markup = ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"]
        for word in markup + ["https:"] {
            #expect(!module.file.text.contains(word), "\(word)")
        }
        #expect(!module.file.text.lowercased().contains("</script") && !module.file.text.contains("<!--"))
    }

    @Test func `only comments and indentation are left out`() {
        let text =
            "/** What it is.\n * More.\n */\nexport const a = 1; // kept\n  // gone\n\n  b();\n* { color: red; }\n"
        #expect(WebFile.compact(text) == "export const a = 1; // kept\nb();\n* { color: red; }\n")
    }

    @Test func `of a style sheet only spaces beside punctuation are left out`() {
        let text = "a :is(b, i) { left: calc(2px + (1% - 3px) * var(--at, 0)); } @media (width: 1px) { u { } }\n"
        let compact = "a :is(b,i){left:calc(2px + (1% - 3px) * var(--at,0));}@media (width:1px){u{}}\n"
        #expect(WebFile.compactStyle(text) == compact)
        #expect(!WebFile.style.text.contains("; ") && WebFile.style.text.contains(" - "))
    }
}
