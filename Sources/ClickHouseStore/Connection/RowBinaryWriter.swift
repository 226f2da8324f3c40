import CallModel

/// Rows in the format `RowBinary`: the values of the columns, one after the other, without names or types. Columns are
/// written in the order that the insert names them in.
struct RowBinaryWriter: Sendable {
    private(set) var bytes: [UInt8] = []

    /// Whether nothing was written.
    var isEmpty: Bool { bytes.isEmpty }

    /// A column that is never null.
    mutating func write(_ value: some RowBinaryValue) {
        value.append(to: &bytes)
    }

    /// A column of a `Nullable` type.
    mutating func write<Value: RowBinaryValue>(nullable value: Value?) {
        guard let value else {
            bytes.append(1)
            return
        }
        bytes.append(0)
        value.append(to: &bytes)
    }

    /// A column of the type `Array(String)`.
    mutating func write(array values: [String]) {
        values.append(to: &bytes)
    }

    /// A column of the type `String` that holds any bytes.
    mutating func write(bytes value: [UInt8]) {
        VariableLength.append(UInt64(value.count), to: &bytes)
        bytes.append(contentsOf: value)
    }
}
