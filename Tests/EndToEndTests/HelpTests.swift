import Foundation
import TestSupport
import Testing

/// What the programs say of themselves.
@Suite struct HelpTests {
    /// What `--help` prints of a command.
    private struct Help {
        /// `sidetone token new`.
        var command: String
        var text: String

        var options: Set<String> {
            let lines = text.split(separator: "\n").filter { $0.hasPrefix("  -") }
            return Set(lines.flatMap(HelpTests.options(in:)))
        }

        var subcommands: [String] {
            guard let list = text.range(of: "\nSUBCOMMANDS:\n") else { return [] }
            return text[list.upperBound...].split(separator: "\n").compactMap { line in
                line.prefixMatch(of: #/  ([a-z]+)/#).map { String($0.output.1) }
            }
        }

        /// Lines that a terminal would break.
        var wideLines: [String] {
            text.split(separator: "\n").filter { $0.count > HelpTests.columns }.map(String.init)
        }

        /// Words that an example was broken before.
        var leftovers: [String] {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            return zip(lines, lines.dropFirst()).compactMap { line, next in
                line.hasPrefix("  ") && !next.isEmpty && !next.hasPrefix(" ") ? String(next) : nil
            }
        }

        /// Lines of a paragraph that end before the first word of the next one would have been too much.
        var raggedLines: [String] {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.hasPrefix("USAGE:") }
            return zip(lines, lines.dropFirst()).compactMap { line, next in
                guard !line.isEmpty, !line.hasPrefix(" "), let word = next.prefixMatch(of: #/[^ ]+/#) else {
                    return nil
                }
                return line.count + 1 + word.output.count < HelpTests.columns ? String(line) : nil
            }
        }
    }

    /// Of a terminal that does not say how wide it is; a line has one less.
    private static let columns = 80

    @Test(arguments: ["sidetone", "statsreport"])
    func `every option of every command stands in the documents`(program: String) async throws {
        let documented = try Self.documentedOptions()
        for help in try await Self.helps(of: program) {
            #expect(!help.options.isEmpty, "\(help.command)")
            #expect(help.options.subtracting(documented) == [], "\(help.command)")
        }
    }

    @Test(arguments: ["sidetone", "statsreport"])
    func `the paragraphs of help are broken where the line is full`(program: String) async throws {
        for help in try await Self.helps(of: program) { #expect(help.raggedLines == [], "\(help.command)") }
    }

    @Test(arguments: ["sidetone", "statsreport"])
    func `no line of help is too wide, and no example is broken`(program: String) async throws {
        for help in try await Self.helps(of: program) {
            #expect(help.wideLines == [], "\(help.command)")
            #expect(help.leftovers == [], "\(help.command)")
        }
    }

    /// The help of a command, and of those below it.
    private static func helps(of program: String, _ words: [String] = []) async throws -> [Help] {
        let run = try await SidetoneProcess.run(words + ["--help"], program: program)
        let help = Help(command: ([program] + words).joined(separator: " "), text: run.output)
        var helps = [help]
        for word in help.subcommands { helps += try await self.helps(of: program, words + [word]) }
        return helps
    }

    private static func documentedOptions() throws -> Set<String> {
        let root = SharedData.packageRoot
        let pages = try FileManager.default.contentsOfDirectory(
            at: root.appending(path: "docs"), includingPropertiesForKeys: nil)
        let files = [root.appending(path: "README.md")] + pages.filter { $0.pathExtension == "md" }
        return try files.reduce(into: []) { options, file in
            options.formUnion(Self.options(in: try String(contentsOf: file, encoding: .utf8)[...]))
        }
    }

    private static func options(in text: Substring) -> [String] {
        text.matches(of: #/--[a-z][-a-z]*/#).map { String($0.output) }
    }
}
