public import CallModel

extension JSONValue {
    /// Reads one JSON text ([RFC 8259](https://www.rfc-editor.org/rfc/rfc8259)) in a single pass.
    ///
    /// A number without a fraction that fits 64 bits is an `integer`; so is a whole number below 2⁵³ however it is
    /// spelled (`1.0`, `1e3`), because equal numbers must be equal values. Of repeated members the last one counts.
    /// A byte order mark at the beginning is skipped.
    /// - Throws: ``JSONSyntaxError`` for the first place that is not JSON or exceeds a limit.
    public init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONSyntaxError) {
        try self.init(parsing: bytes, in: bytes.indices, limits: limits)
    }

    /// Reads the JSON text that lies in a part of a buffer, such as one of its lines.
    /// - Parameters:
    ///   - bytes: The buffer; offsets in errors count from its beginning.
    ///   - range: Where the text lies; it begins where a line does.
    ///   - firstLine: The number of that line, for errors.
    ///   - limits: What the text may hold at most.
    ///   - names: Names that its members are likely to have.
    /// - Throws: ``JSONSyntaxError``, as `init(parsing:limits:)` does.
    public init(
        parsing bytes: [UInt8], in range: Range<Int>, firstLine: Int = 1, limits: JSONLimits = JSONLimits(),
        names: JSONNames = .none
    ) throws(JSONSyntaxError) {
        let range = range.clamped(to: bytes.indices)
        var reader = JSONReader(bytes: bytes, range: range, firstLine: firstLine, limits: limits, names: names)
        self = try reader.readDocument()
    }

    /// Reads JSON from text, as `init(parsing:limits:)` does from bytes.
    public init(parsing text: String, limits: JSONLimits = JSONLimits()) throws(JSONSyntaxError) {
        try self.init(parsing: Array(text.utf8), limits: limits)
    }
}
