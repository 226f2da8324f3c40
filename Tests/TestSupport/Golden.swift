import Foundation
public import Testing

/// Whole texts that a test compares with a file in the repository.
///
/// A change is accepted by running the test with `RECORD_GOLDENS=1`, which writes the files and fails the run, so that
/// no one records by accident; the difference is then read in the commit.
public enum Golden {
    /// Compares `text` with `Goldens/<name>` beside the file of the calling test.
    public static func expect(
        _ text: String, matches name: String, testFile: String = #filePath,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = URL(filePath: testFile).deletingLastPathComponent().appending(path: "Goldens/\(name)")
        try compare(text, file, name, sourceLocation)
    }

    /// Compares `text` with a golden file in `SampleData`.
    public static func expect(
        _ text: String, matchesSample path: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try compare(text, SharedData.packageRoot.appending(path: "SampleData/\(path)"), path, sourceLocation)
    }

    private static func compare(
        _ text: String, _ file: URL, _ name: String, _ sourceLocation: SourceLocation
    ) throws {
        guard ProcessInfo.processInfo.environment["RECORD_GOLDENS"] != "1" else {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
            Issue.record("recorded \(name); read the difference and run again", sourceLocation: sourceLocation)
            return
        }
        guard let golden = try? String(contentsOf: file, encoding: .utf8) else {
            Issue.record("no golden file \(name); RECORD_GOLDENS=1 writes it", sourceLocation: sourceLocation)
            return
        }
        guard text != golden else { return }
        Issue.record(
            "\(name) differs: \(firstDifference(of: text, from: golden))\n--- now ---\n\(text)",
            sourceLocation: sourceLocation)
    }

    private static func firstDifference(of text: String, from golden: String) -> String {
        let now = text.split(separator: "\n", omittingEmptySubsequences: false)
        let before = golden.split(separator: "\n", omittingEmptySubsequences: false)
        let line =
            zip(now, before).enumerated().first { $0.element.0 != $0.element.1 }?.offset
            ?? min(now.count, before.count)
        let expected = line < before.count ? String(before[line]) : "(end)"
        let found = line < now.count ? String(now[line]) : "(end)"
        return "line \(line + 1)\n  golden: \(expected)\n  now:    \(found)"
    }
}
