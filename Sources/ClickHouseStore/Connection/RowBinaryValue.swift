import CallModel

/// A value that a column of the format `RowBinary` can hold.
protocol RowBinaryValue {
    func append(to bytes: inout [UInt8])
}

extension RowBinaryValue where Self: FixedWidthInteger {
    /// Little-endian, whatever the machine.
    func append(to bytes: inout [UInt8]) {
        withUnsafeBytes(of: littleEndian) { bytes.append(contentsOf: $0) }
    }
}

extension UInt8: RowBinaryValue {}
extension Int8: RowBinaryValue {}
extension UInt32: RowBinaryValue {}
extension Int32: RowBinaryValue {}
extension UInt64: RowBinaryValue {}
extension Int64: RowBinaryValue {}

extension Double: RowBinaryValue {
    func append(to bytes: inout [UInt8]) {
        bitPattern.append(to: &bytes)
    }
}

/// `UInt8`, 0 or 1.
extension Bool: RowBinaryValue {
    func append(to bytes: inout [UInt8]) {
        bytes.append(self ? 1 : 0)
    }
}

/// The number of bytes, then the bytes.
extension String: RowBinaryValue {
    func append(to bytes: inout [UInt8]) {
        VariableLength.append(UInt64(utf8.count), to: &bytes)
        bytes.append(contentsOf: utf8)
    }
}

/// The number of elements, then the elements.
extension [String]: RowBinaryValue {
    func append(to bytes: inout [UInt8]) {
        VariableLength.append(UInt64(count), to: &bytes)
        forEach { $0.append(to: &bytes) }
    }
}
