#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A value of an event's member: what JSON can say.
///
/// Literals will do: `["statusCode": 9901, "detail": ["localVideo": false]]`.
public indirect enum ReportValue: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case truth(Bool)
    /// A whole number.
    case whole(Int64)
    /// Any other number; written as `null` where it is infinite or none.
    case number(Double)
    /// Text.
    case text(String)
    /// Values one after another.
    case list([ReportValue])
    /// Values by name.
    case members([String: ReportValue])

    /// Deeper values are cut off: collectors take 64 levels.
    private static let mostLevels = 32

    /// What an SDK hands over: text, numbers, truth values, dates (as ms since 1970), and lists and maps of these.
    ///
    /// Everything else is taken as the text by which it describes itself; nothing is refused.
    /// - Parameter value: the value; `nil` and `NSNull` are ``null``.
    public init(_ value: Any?) {
        self.init(value, levels: Self.mostLevels)
    }

    private init(_ value: Any?, levels: Int) {
        guard let value, levels > 0 else {
            self = .null
            return
        }
        switch value {
        case let value as ReportValue: self = value
        case let text as String: self = .text(text)
        // Before truth: a number of Objective-C may pass for both.
        case let number as Int64: self = .whole(number)
        case let number as Double: self = Int64(exactly: number).map(ReportValue.whole) ?? .number(number)
        case let truth as Bool: self = .truth(truth)
        case let number as any BinaryInteger: self = Int64(exactly: number).map(ReportValue.whole) ?? .text("\(number)")
        case let number as any BinaryFloatingPoint: self = .number(Double(number))
        case let date as Date: self = .whole(Milliseconds.since1970(date))
        case let list as [Any?]: self = .list(list.map { ReportValue($0, levels: levels - 1) })
        case let map as [AnyHashable: Any]:
            self = .members(
                [String: ReportValue](
                    map.map { (ReportValue.name($0), ReportValue($1, levels: levels - 1)) }, uniquingKeysWith: { $1 }))
        default:
            let text = String(describing: value)
            self = ["<null>", "nil"].contains(text) ? .null : .text(text)
        }
    }

    /// The name of a member in a map of Objective-C.
    static func name(_ key: AnyHashable) -> String {
        key.base as? String ?? "\(key.base)"
    }
}

extension ReportValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    /// Text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .whole(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .truth(value) }
    /// A list.
    public init(arrayLiteral elements: ReportValue...) { self = .list(elements) }
    /// Values by name; of a name that stands twice the last counts.
    public init(dictionaryLiteral elements: (String, ReportValue)...) {
        self = .members([String: ReportValue](elements, uniquingKeysWith: { $1 }))
    }
    /// `null`.
    public init(nilLiteral: ()) { self = .null }
}
