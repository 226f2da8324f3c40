import JSONText

/// Encodes values straight into JSON text, members in the order of their declaration.
///
/// What the product writes member by member is held against it. Infinities and NaN, which JSON lacks, are the texts `inf`,
/// `-inf` and `nan`; Foundation's decoder reads all of it back, with the matching strategy.
public enum JSONStreamEncoder {
    /// The text of a value.
    /// - Throws: what the value throws; ``EncodingError`` for a value that calls on its superclass or on containers in
    ///   containers, which nothing that is stored does.
    public static func encode(_ value: some Encodable) throws -> [UInt8] {
        let output = Output()
        try output.write(value, path: [])
        return output.text.writer.bytes
    }
}

/// What was written, and what is open.
private struct Text {
    var writer = JSONWriter(expectedBytes: 8_192)
    /// Of every value that is being written, how it has begun.
    private var shapes: [Shape] = []

    enum Shape {
        case none, single
        case keyed(isEmpty: Bool)
        case unkeyed(count: Int)
    }

    mutating func begin() { shapes.append(.none) }

    /// Begins a container for the innermost value.
    mutating func open(_ shape: Shape) {
        guard let last = shapes.indices.last else { return }
        if case .keyed = shapes[last], case .keyed = shape { return }
        if case .unkeyed = shapes[last], case .unkeyed = shape { return }
        shapes[last] = shape
        switch shape {
        case .keyed: writer.write(mark: "{")
        case .unkeyed: writer.write(mark: "[")
        case .none, .single: break
        }
    }

    mutating func end() {
        switch shapes.removeLast() {
        case .keyed: writer.write(mark: "}")
        case .unkeyed: writer.write(mark: "]")
        case .none: writer.write(mark: "{}")
        case .single: break
        }
    }

    /// Separates what comes from what came, and names it.
    mutating func write(key: String) {
        guard let last = shapes.indices.last, case .keyed(let isEmpty) = shapes[last] else { return }
        if !isEmpty { writer.write(mark: ",") }
        shapes[last] = .keyed(isEmpty: false)
        writer.write(text: key)
        writer.write(mark: ":")
    }

    /// Separates what comes from what came.
    mutating func nextElement() {
        guard let last = shapes.indices.last, case .unkeyed(let count) = shapes[last] else { return }
        if count > 0 { writer.write(mark: ",") }
        shapes[last] = .unkeyed(count: count + 1)
    }

    var elementCount: Int {
        if case .unkeyed(let count)? = shapes.last { count } else { 0 }
    }

    mutating func write(double value: Double) {
        if value.isFinite {
            writer.write(double: value)
        } else {
            writer.write(text: value.isNaN ? "nan" : value < 0 ? "-inf" : "inf")
        }
    }
}

/// The text, which the containers of `Encodable` share. Each calls it once a value: whoever touches a shared variable is
/// checked at run time.
private final class Output {
    var text = Text()

    func write(_ value: some Encodable, path: [any CodingKey]) throws {
        text.begin()
        try value.encode(to: StreamEncoder(output: self, codingPath: path))
        text.end()
    }

    /// - Throws: ``EncodingError`` for a number beyond 64 bits with a sign.
    func write(whole value: some BinaryInteger, path: [any CodingKey]) throws {
        guard let whole = Int64(exactly: value) else {
            throw EncodingError.invalidValue(
                value, EncodingError.Context(codingPath: path, debugDescription: "beyond 64 bits"))
        }
        text.writer.write(integer: whole)
    }

    func unsupported(_ path: [any CodingKey]) -> EncodingError {
        EncodingError.invalidValue(
            "a container inside a container",
            EncodingError.Context(codingPath: path, debugDescription: "not written by this encoder"))
    }
}

private struct StreamEncoder: Encoder {
    let output: Output
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        output.text.open(.keyed(isEmpty: true))
        return KeyedEncodingContainer(KeyedContainer<Key>(output: output, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        output.text.open(.unkeyed(count: 0))
        return UnkeyedContainer(output: output, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        output.text.open(.single)
        return SingleContainer(output: output, codingPath: codingPath)
    }
}

/// A container inside a container, which this encoder does not write: the error comes with the first value in it.
private struct NoEncoder: Encoder {
    let output: Output
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(KeyedContainer<Key>(output: output, codingPath: codingPath, isRefused: true))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        UnkeyedContainer(output: output, codingPath: codingPath, isRefused: true)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleContainer(output: output, codingPath: codingPath, isRefused: true)
    }
}

private struct KeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let output: Output
    let codingPath: [any CodingKey]
    var isRefused = false

    private func begin(_ key: Key) throws {
        guard !isRefused else { throw output.unsupported(codingPath) }
        output.text.write(key: key.stringValue)
    }

    private func whole(_ value: some BinaryInteger, _ key: Key) throws {
        try begin(key)
        try output.write(whole: value, path: codingPath)
    }

    func encodeNil(forKey key: Key) throws {
        try begin(key)
        output.text.writer.write(mark: "null")
    }

    func encode(_ value: Bool, forKey key: Key) throws {
        try begin(key)
        output.text.writer.write(mark: value ? "true" : "false")
    }

    func encode(_ value: String, forKey key: Key) throws {
        try begin(key)
        output.text.writer.write(text: value)
    }

    func encode(_ value: Double, forKey key: Key) throws {
        try begin(key)
        output.text.write(double: value)
    }

    func encode(_ value: Float, forKey key: Key) throws { try encode(Double(value), forKey: key) }
    func encode(_ value: Int, forKey key: Key) throws { try encode(Int64(value), forKey: key) }
    func encode(_ value: Int8, forKey key: Key) throws { try whole(value, key) }
    func encode(_ value: Int16, forKey key: Key) throws { try whole(value, key) }
    func encode(_ value: Int32, forKey key: Key) throws { try whole(value, key) }
    func encode(_ value: Int64, forKey key: Key) throws {
        try begin(key)
        output.text.writer.write(integer: value)
    }
    func encode(_ value: UInt, forKey key: Key) throws { try whole(value, key) }
    func encode(_ value: UInt8, forKey key: Key) throws { try whole(value, key) }
    func encode(_ value: UInt16, forKey key: Key) throws { try whole(value, key) }
    func encode(_ value: UInt32, forKey key: Key) throws { try whole(value, key) }
    func encode(_ value: UInt64, forKey key: Key) throws { try whole(value, key) }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        try begin(key)
        try output.write(value, path: codingPath)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        NoEncoder(output: output, codingPath: codingPath + [key]).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        NoEncoder(output: output, codingPath: codingPath + [key]).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { NoEncoder(output: output, codingPath: codingPath) }
    func superEncoder(forKey key: Key) -> any Encoder { NoEncoder(output: output, codingPath: codingPath + [key]) }
}

private struct UnkeyedContainer: UnkeyedEncodingContainer {
    let output: Output
    let codingPath: [any CodingKey]
    var isRefused = false

    var count: Int { output.text.elementCount }

    private func begin() throws {
        guard !isRefused else { throw output.unsupported(codingPath) }
        output.text.nextElement()
    }

    func encodeNil() throws {
        try begin()
        output.text.writer.write(mark: "null")
    }

    func encode(_ value: some Encodable) throws {
        try begin()
        try output.write(value, path: codingPath)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        NoEncoder(output: output, codingPath: codingPath).container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        NoEncoder(output: output, codingPath: codingPath).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { NoEncoder(output: output, codingPath: codingPath) }
}

private struct SingleContainer: SingleValueEncodingContainer {
    let output: Output
    let codingPath: [any CodingKey]
    var isRefused = false

    private func begin() throws {
        if isRefused { throw output.unsupported(codingPath) }
    }

    private func whole(_ value: some BinaryInteger) throws {
        try begin()
        try output.write(whole: value, path: codingPath)
    }

    func encodeNil() throws {
        try begin()
        output.text.writer.write(mark: "null")
    }

    func encode(_ value: Bool) throws {
        try begin()
        output.text.writer.write(mark: value ? "true" : "false")
    }

    func encode(_ value: String) throws {
        try begin()
        output.text.writer.write(text: value)
    }

    func encode(_ value: Double) throws {
        try begin()
        output.text.write(double: value)
    }

    func encode(_ value: Float) throws { try encode(Double(value)) }
    func encode(_ value: Int) throws { try whole(value) }
    func encode(_ value: Int8) throws { try whole(value) }
    func encode(_ value: Int16) throws { try whole(value) }
    func encode(_ value: Int32) throws { try whole(value) }
    func encode(_ value: Int64) throws { try whole(value) }
    func encode(_ value: UInt) throws { try whole(value) }
    func encode(_ value: UInt8) throws { try whole(value) }
    func encode(_ value: UInt16) throws { try whole(value) }
    func encode(_ value: UInt32) throws { try whole(value) }
    func encode(_ value: UInt64) throws { try whole(value) }

    func encode(_ value: some Encodable) throws {
        try begin()
        try output.write(value, path: codingPath)
    }
}
