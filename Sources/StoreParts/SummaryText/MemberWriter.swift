import CallModel
import JSONText

/// What is an object in the text of a summary.
protocol MemberWritable {
    /// Writes every member, in the order of declaration.
    func writeMembers(to writer: inout MemberWriter)
}

/// Writes JSON objects member by member; what is `nil` is left out.
///
/// What it writes is what `Codable` and Foundation's decoder read. `Codable` could write it, too, and took ten times as long:
/// it looks every member up by its name, through containers of types that are known at run time only.
struct MemberWriter {
    private(set) var text = JSONWriter(expectedBytes: 8_192)
    private var isFirst = true

    /// The text of an object.
    static func text(of value: some MemberWritable) -> String {
        var writer = MemberWriter()
        writer.write(value)
        return String(decoding: writer.text.bytes, as: UTF8.self)
    }

    // MARK: Single values

    mutating func put(_ name: StaticString, _ value: Int64?) {
        guard let value else { return }
        begin(name)
        text.write(integer: value)
    }

    mutating func put(_ name: StaticString, _ value: Int?) { put(name, value.map(Int64.init)) }
    mutating func put(_ name: StaticString, _ value: UInt32?) { put(name, value.map(Int64.init)) }
    mutating func put(_ name: StaticString, _ value: Timestamp?) { put(name, value?.milliseconds) }

    mutating func put(_ name: StaticString, _ value: Double?) {
        guard let value else { return }
        begin(name)
        write(value)
    }

    mutating func put(_ name: StaticString, _ value: Bool?) {
        guard let value else { return }
        begin(name)
        text.write(mark: value ? "true" : "false")
    }

    mutating func put(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        begin(name)
        text.write(text: value)
    }

    mutating func put<Value: RawRepresentable>(_ name: StaticString, _ value: Value?) where Value.RawValue == String {
        put(name, value?.rawValue)
    }

    mutating func put(_ name: StaticString, _ value: (some MemberWritable)?) {
        guard let value else { return }
        begin(name)
        write(value)
    }

    // MARK: Lists

    mutating func put(_ name: StaticString, _ values: [some MemberWritable]) {
        list(name, values) { $0.write($1) }
    }

    mutating func put(_ name: StaticString, _ values: [String]) {
        list(name, values) { $0.text.write(text: $1) }
    }

    mutating func put(_ name: StaticString, _ values: [some BinaryInteger]) {
        list(name, values) { $0.text.write(integer: Int64($1)) }
    }

    mutating func put(_ name: StaticString, _ values: [Timestamp]) {
        put(name, values.map(\.milliseconds))
    }

    /// Figures, as an object.
    mutating func put<Key: RawRepresentable>(_ name: StaticString, _ figures: [Key: Double])
    where Key.RawValue == String {
        begin(name)
        write(figures.lazy.map { ($0.key.rawValue, $0.value) })
    }

    /// Figures, as an object.
    mutating func put(_ name: StaticString, _ figures: WireFigures) {
        begin(name)
        write(figures.byName.lazy.map { ($0.key, $0.value) })
    }

    // MARK: Text

    private mutating func begin(_ name: StaticString) {
        text.write(mark: isFirst ? "\"" : ",\"")
        isFirst = false
        text.write(mark: name)
        text.write(mark: "\":")
    }

    private mutating func write(_ value: some MemberWritable) {
        text.write(mark: "{")
        isFirst = true
        value.writeMembers(to: &self)
        isFirst = false
        text.write(mark: "}")
    }

    private mutating func write(_ figures: some Sequence<(String, Double)>) {
        text.write(mark: "{")
        var isFirst = true
        for (name, value) in figures {
            if !isFirst { text.write(mark: ",") }
            isFirst = false
            text.write(text: name)
            text.write(mark: ":")
            write(value)
        }
        text.write(mark: "}")
    }

    private mutating func list<Value>(
        _ name: StaticString, _ values: [Value], _ write: (inout Self, Value) -> Void
    ) {
        begin(name)
        text.write(mark: "[")
        var isFirst = true
        for value in values {
            if !isFirst { text.write(mark: ",") }
            isFirst = false
            write(&self, value)
        }
        text.write(mark: "]")
    }

    /// Infinities and NaN, which JSON lacks, are spelled out.
    private mutating func write(_ value: Double) {
        if value.isFinite {
            text.write(double: value)
        } else {
            text.write(text: value.isNaN ? "nan" : value < 0 ? "-inf" : "inf")
        }
    }
}
