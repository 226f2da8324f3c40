import CallModel

/// Writes values one after another in few bytes; ``PackedReader`` reads them.
///
/// What it writes lies in databases: the meaning of a byte that was written never changes. The names of an object's members
/// are written once for all objects that have them in the same order. What is said twice is left to the compression after it.
struct PackedWriter {
    private(set) var bytes: [UInt8] = []
    /// The names of objects that were written; none where some are not in ASCII.
    private var shapes: [[String]] = []
    /// Moments lie close together: each is written as its distance from the one before it.
    private var lastMoment: Int64 = 0

    /// An object is held against so many: hostile reports have thousands.
    private static let shapesSought = 64

    init(expectedBytes: Int) {
        bytes.reserveCapacity(expectedBytes)
    }

    @inline(__always)
    mutating func put(byte: UInt8) { bytes.append(byte) }

    mutating func put(count: Int) { VariableLength.append(UInt64(count), to: &bytes) }
    mutating func put(signed value: Int64) { VariableLength.append(signed: value, to: &bytes) }

    mutating func put(bits value: UInt64) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func put(_ moment: Timestamp) {
        put(signed: moment.milliseconds &- lastMoment)
        lastMoment = moment.milliseconds
    }

    mutating func put(_ text: String) {
        put(count: text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    /// A name, as its number where ``PackedNames`` has it.
    mutating func put(name: String) {
        if let number = PackedNames.number(of: name) {
            put(count: number + 1)
        } else {
            put(byte: 0)
            put(name)
        }
    }

    // MARK: JSON

    mutating func put(_ members: JSONObject) {
        let names = Array(members.keys)
        let recent = shapes.indices.suffix(Self.shapesSought)
        if let shape = recent.last(where: { Self.are(shapes[$0], names) }) {
            put(count: shape + 1)
        } else {
            put(byte: 0)
            put(count: names.count)
            for name in names { put(name: name) }
            let areASCII = names.allSatisfy { $0.utf8Span.isKnownASCII || $0.utf8.allSatisfy { $0 < 0x80 } }
            shapes.append(areASCII ? names : [])
        }
        for value in members.values { put(value) }
    }

    private static func are(_ shape: [String], _ names: [String]) -> Bool {
        guard shape.count == names.count, !shape.isEmpty else { return false }
        // Swift calls texts equal that differ in their bytes; in ASCII, and of one length, none does.
        return shape.indices.allSatisfy {
            shape[$0].utf8.count == names[$0].utf8.count && shape[$0] == names[$0]
        }
    }

    mutating func put(_ value: JSONValue) {
        switch value {
        case .null: put(byte: PackedTag.null)
        case .bool(let truth): put(byte: truth ? PackedTag.true : PackedTag.false)
        case .integer(let integer) where 0..<Int64(PackedTag.smallIntegers) ~= integer:
            put(byte: PackedTag.integers + UInt8(integer))
        case .integer(let integer):
            put(byte: PackedTag.integer)
            put(signed: integer)
        case .double(let double):
            put(byte: PackedTag.double)
            put(bits: double.bitPattern)
        case .string(let text):
            put(byte: PackedTag.text)
            put(text)
        case .array(let values):
            put(byte: PackedTag.array)
            put(count: values.count)
            for value in values { put(value) }
        case .object(let members):
            put(byte: PackedTag.object)
            put(members)
        }
    }
}

/// What a JSON value begins with.
enum PackedTag {
    static let null: UInt8 = 0
    static let `false`: UInt8 = 1
    static let `true`: UInt8 = 2
    static let integer: UInt8 = 3
    static let double: UInt8 = 4
    static let text: UInt8 = 5
    static let array: UInt8 = 6
    static let object: UInt8 = 7
    /// From here on the tag is the value: so many whole numbers from 0 on.
    static let integers: UInt8 = 16
    static let smallIntegers: UInt8 = 240
}
