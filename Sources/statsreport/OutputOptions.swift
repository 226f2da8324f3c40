import ArgumentParser
import CallReport
import Foundation

/// How to print.
struct OutputOptions: ParsableArguments {
    @Option(help: "The form of the report.")
    var format = ReportFormat.text

    @OptionGroup var colors: ColorOptions

    /// How text is to look here and now.
    var style: TextStyle { colors.style }
}

/// How text is to look.
struct ColorOptions: ParsableArguments {
    /// When to use colours.
    enum Color: String, ExpressibleByArgument, CaseIterable {
        case auto, always, never
    }

    @Option(help: "When to use colours. auto: on a terminal, unless NO_COLOR is set.")
    var color = Color.auto

    /// How text is to look here and now.
    var style: TextStyle {
        TextStyle(isColoured: isColoured)
    }

    private var isColoured: Bool {
        switch color {
        case .always: true
        case .never: false
        case .auto: isatty(STDOUT_FILENO) == 1 && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
        }
    }
}
