import CallModel
import Foundation
import StoreParts

/// The objects of a report as `report.objects` holds them: zlib (RFC 1950) of a byte that names the form, and what
/// ``PackedWriter`` makes of them. A quarter smaller than their JSON, compressed, and made in less time.
enum PackedReport {
    /// The JSON that versions before the ninth migration wrote begins with a bracket.
    static let form: UInt8 = 1

    static func data(of objects: [StatsObject]) -> Data {
        var writer = PackedWriter(expectedBytes: 8_192)
        writer.put(byte: form)
        writer.put(count: objects.count)
        for object in objects {
            writer.put(name: object.type.rawValue)
            writer.put(object.id)
            writer.put(byte: object.timestamp == nil ? 0 : 1)
            if let timestamp = object.timestamp { writer.put(timestamp) }
            writer.put(object.members)
        }
        return StoredJSON.packed(writer.bytes)
    }

    /// - Parameter bytes: unpacked, the form included.
    /// - Returns: what ``data(of:)`` was given.
    /// - Throws: ``PackedReader/Damage``.
    static func objects(of bytes: [UInt8]) throws -> [StatsObject] {
        var reader = PackedReader(bytes)
        guard try reader.byte() == form else { throw reader.damage }
        var objects: [StatsObject] = []
        for _ in 0..<(try reader.count()) {
            let type = StatsType(rawValue: try reader.name())
            let id = try reader.text()
            let timestamp = try reader.byte() == 0 ? nil : try reader.moment()
            objects.append(StatsObject(id: id, type: type, timestamp: timestamp, members: try reader.members()))
        }
        try reader.end()
        return objects
    }
}
