public import ArgumentParser
public import CallModel
public import CallReport

extension ReportFormat: ExpressibleByArgument {}
extension CallReportFormat: ExpressibleByArgument {}

extension CallQuery.Sort: ExpressibleByArgument {
    /// Reads the orders as words of a command line.
    public init?(argument: String) {
        guard let sort = Self.allCases.first(where: { $0.rawValue.kebab == argument }) else { return nil }
        self = sort
    }

    public static var allValueStrings: [String] {
        allCases.map(\.rawValue.kebab)
    }
}

extension CallFilter.State: ExpressibleByArgument {}

extension CallOutcome: ExpressibleByArgument {
    /// Reads the outcomes as words of a command line.
    public init?(argument: String) {
        guard let outcome = Self.allCases.first(where: { $0.argument == argument }) else { return nil }
        self = outcome
    }

    public static var allValueStrings: [String] {
        allCases.map(\.argument)
    }

    private var argument: String {
        switch self {
        case .connected: "connected"
        case .notConnected: "not-connected"
        case .notAnswered: "not-answered"
        case .unknown: "unknown"
        }
    }
}

extension IssueKind: ExpressibleByArgument {
    /// Reads the kinds as words of a command line, `packet-loss`, or as JSON has them, `packetLoss`.
    public init?(argument: String) {
        guard let kind = Self.allCases.first(where: { $0.argument == argument || $0.rawValue == argument }) else {
            return nil
        }
        self = kind
    }

    public static var allValueStrings: [String] {
        allCases.map(\.argument)
    }

    private var argument: String { rawValue.kebab }
}

extension String {
    /// A name of several words as a command line has it: `packet-loss` for `packetLoss`.
    fileprivate var kebab: String {
        var words = ""
        for letter in self {
            if letter.isUppercase, words.last?.isUppercase != true { words.append("-") }
            words.append(letter)
        }
        return words.lowercased()
    }
}
