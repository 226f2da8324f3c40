import CallModel

// Reports are part of a call's state while they wait for their other parts.

extension StatsReport: Archivable {
    func write(to archive: inout ArchiveWriter) {
        archive.put(connection, time, receivedAt, objects)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(
            connection: try archive.get(), time: try archive.get(), receivedAt: try archive.get(),
            objects: try archive.get())
    }
}

extension StatsType: Archivable {}

extension StatsObject: Archivable {
    func write(to archive: inout ArchiveWriter) {
        archive.put(id, type, timestamp, JSONValue.object(members))
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(id: try archive.get(), type: try archive.get(), timestamp: try archive.get(), members: JSONObject())
        guard case .object(let members) = try archive.get() as JSONValue else { throw ArchiveError() }
        self.members = members
    }
}

extension JSONValue: Archivable {
    private enum Form: UInt8 {
        case null, no, yes, integer, double, string, array, object
    }

    func write(to archive: inout ArchiveWriter) {
        switch self {
        case .null: archive.put(byte: Form.null.rawValue)
        case .bool(let value): archive.put(byte: (value ? Form.yes : .no).rawValue)
        case .integer(let value): Self.write(.integer, value, to: &archive)
        case .double(let value): Self.write(.double, value, to: &archive)
        case .string(let text): Self.write(.string, text, to: &archive)
        case .array(let elements): Self.write(.array, elements, to: &archive)
        case .object(let members):
            Self.write(.object, members.count, to: &archive)
            for (name, value) in members { archive.put(name, value) }
        }
    }

    private static func write(_ form: Form, _ content: some Archivable, to archive: inout ArchiveWriter) {
        archive.put(byte: form.rawValue)
        archive.put(content)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        switch Form(rawValue: try archive.byte()) {
        case .null: self = .null
        case .no: self = .bool(false)
        case .yes: self = .bool(true)
        case .integer: self = .integer(try archive.get())
        case .double: self = .double(try archive.get())
        case .string: self = .string(try archive.get())
        case .array: self = .array(try archive.get())
        case .object:
            var members = JSONObject()
            for _ in 0..<max(0, try archive.get() as Int) {
                let (name, value): (String, JSONValue) = try archive.get()
                members[name] = value
            }
            self = .object(members)
        case nil: throw ArchiveError()
        }
    }
}
