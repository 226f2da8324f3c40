import CallModel

/// The OpenAPI document of a collector, as something that answers can be held against.
struct APIContract: Sendable {
    let document: JSONValue

    /// Every path and method it describes.
    var operations: [(path: String, method: String)] {
        (document["paths"].members ?? [:]).sorted { $0.key < $1.key }.flatMap { path, item in
            (item.members ?? [:]).keys.sorted().map { (path, $0.uppercased()) }
        }
    }

    /// What in an answer is not as the document says; empty for paths that it does not describe.
    func faults(in reply: Reply, to method: String, _ path: String) -> [String] {
        let plain = String(path.prefix { $0 != "?" })
        guard let item = item(for: plain) else { return reply.status == 404 ? errorFaults(reply) : ["no such path"] }
        let operation = item[method.lowercased()]
        guard operation != .null else { return reply.status == 405 ? errorFaults(reply) : ["no such method"] }
        let response = resolve(operation["responses"]["\(reply.status)"])
        guard response != .null else { return ["status \(reply.status) is not described"] }
        guard let content = response["content"].members else { return reply.body.isEmpty ? [] : ["a body"] }
        guard let media = content[reply.type] else { return ["media type \(reply.type) is not described"] }
        let value = reply.type == "application/json" ? reply.json : .string(reply.text)
        return schema.faults(in: value, media["schema"])
    }

    /// What in an error outside the described paths has not the shape of an error.
    private func errorFaults(_ reply: Reply) -> [String] {
        schema.faults(in: reply.json, ["$ref": "#/components/schemas/Error"])
    }

    private var schema: SchemaChecker { SchemaChecker(document: document) }

    private func resolve(_ value: JSONValue) -> JSONValue { schema.resolve(value) }

    private func item(for path: String) -> JSONValue? {
        let parts = path.split(separator: "/")
        return document["paths"].members?.first { template, _ in
            let expected = template.split(separator: "/")
            return parts.count == expected.count && zip(parts, expected).allSatisfy { $1.hasPrefix("{") || $0 == $1 }
        }?.value
    }
}
