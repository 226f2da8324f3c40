import WebPage

/// Modules as one script: each after those it needs, without the lines that import and the words that export.
///
/// It asks of the modules that an import stands on one line and that names at their top differ: the tests in the browser
/// would find a script that cannot be read.
enum ScriptBundle {
    static func text(of modules: [WebFile]) -> String {
        modules.flatMap { $0.text.split(separator: "\n") }
            .filter { !$0.hasPrefix("import ") }
            .map { $0.hasPrefix("export ") ? $0.dropFirst("export ".count) : $0 }
            .joined(separator: "\n")
    }
}
