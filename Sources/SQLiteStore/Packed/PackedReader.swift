import CallModel

/// Reads what ``PackedWriter`` wrote.
struct PackedReader {
    /// What was read is no such writing, or not all of it.
    struct Damage: Error, CustomStringConvertible {
        /// Where, in bytes from the beginning.
        let position: Int
        var description: String { "byte \(position) of what was packed is not what belongs there" }
    }

    private let bytes: [UInt8]
    private var position = 0
    private var shapes: [[String]] = []
    private var lastMoment: Int64 = 0
    private var depth = 0

    /// Values lie within each other no deeper: those that are received, and a few levels around them.
    private static let deepest = 256

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var damage: Damage { Damage(position: position) }

    /// - Throws: when something comes after what was read.
    func end() throws(Damage) {
        guard position == bytes.count else { throw damage }
    }

    mutating func byte() throws(Damage) -> UInt8 {
        guard position < bytes.count else { throw damage }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func unsigned() throws(Damage) -> UInt64 {
        guard let value = try VariableLength.number({ () throws(Damage) in try byte() }) else { throw damage }
        return value
    }

    /// How many values follow; each takes a byte or more.
    mutating func count() throws(Damage) -> Int {
        let value = try unsigned()
        guard value <= UInt64(bytes.count - position) else { throw damage }
        return Int(value)
    }

    mutating func signed() throws(Damage) -> Int64 {
        guard let value = try VariableLength.signed({ () throws(Damage) in try byte() }) else { throw damage }
        return value
    }

    mutating func bits() throws(Damage) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 8) { value |= UInt64(try byte()) << UInt64(shift) }
        return value
    }

    mutating func moment() throws(Damage) -> Timestamp {
        lastMoment &+= try signed()
        return Timestamp(milliseconds: lastMoment)
    }

    mutating func text() throws(Damage) -> String {
        let length = try count()
        defer { position += length }
        return String(decoding: bytes[position..<position + length], as: UTF8.self)
    }

    mutating func name() throws(Damage) -> String {
        let number = try unsigned()
        guard number > 0 else { return try text() }
        guard number <= UInt64(PackedNames.all.count) else { throw damage }
        return PackedNames.all[Int(number - 1)]
    }

    mutating func list<Value>(_ read: (inout Self) throws(Damage) -> Value) throws(Damage) -> [Value] {
        var values: [Value] = []
        for _ in 0..<(try count()) { values.append(try read(&self)) }
        return values
    }

    // MARK: JSON

    mutating func members() throws(Damage) -> JSONObject {
        guard depth < Self.deepest else { throw damage }
        depth += 1
        defer { depth -= 1 }
        let shape = try names()
        var members = JSONObject()
        members.reserveCapacity(shape.count)
        for name in shape { members[name] = try value() }
        return members
    }

    private mutating func names() throws(Damage) -> [String] {
        let number = try unsigned()
        guard number == 0 else {
            guard number <= UInt64(shapes.count) else { throw damage }
            return shapes[Int(number - 1)]
        }
        let names = try list { (reader) throws(Damage) in try reader.name() }
        shapes.append(names)
        return names
    }

    mutating func value() throws(Damage) -> JSONValue {
        switch try byte() {
        case PackedTag.null: .null
        case PackedTag.false: .bool(false)
        case PackedTag.true: .bool(true)
        case PackedTag.integer: .integer(try signed())
        case PackedTag.double: .double(Double(bitPattern: try bits()))
        case PackedTag.text: .string(try text())
        case PackedTag.array: .array(try values())
        case PackedTag.object: .object(try members())
        case let tag where tag >= PackedTag.integers: .integer(Int64(tag - PackedTag.integers))
        default: throw damage
        }
    }

    private mutating func values() throws(Damage) -> [JSONValue] {
        guard depth < Self.deepest else { throw damage }
        depth += 1
        defer { depth -= 1 }
        return try list { (reader) throws(Damage) in try reader.value() }
    }
}
