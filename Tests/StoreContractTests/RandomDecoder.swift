import CallModel
import TestSupport

/// Decodes any value out of nothing: of what it asks for it gets something at random, and of what may be missing sometimes
/// none. So a member that is added to a type tomorrow is in what is made of it, too.
final class RandomDecoder: Decoder {
    fileprivate var random: RandomSource
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    init(seed: UInt64) { random = RandomSource(seed: seed) }

    /// A value of this type.
    func value<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        if let cases = type as? any CaseIterable.Type, let value = element(of: cases) as? Value { return value }
        if let made = type as? any RandomlyMade.Type, let value = made.init(from: &random) as? Value { return value }
        return try Value(from: self)
    }

    private func element(of type: (some CaseIterable).Type) -> Any? {
        type.allCases.randomElement(using: &random)
    }

    fileprivate var truth: Bool { Bool.random(using: &random) }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(RandomMembers<Key>(decoder: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer {
        RandomElements(decoder: self, count: Int.random(in: 0...3, using: &random))
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { RandomValue(decoder: self) }
}

/// What is made without a container.
private protocol RandomlyMade {
    init(from random: inout RandomSource)
}

extension Bool: RandomlyMade {
    fileprivate init(from random: inout RandomSource) { self = .random(using: &random) }
}

extension Double: RandomlyMade {
    fileprivate init(from random: inout RandomSource) {
        let values = [0, -0.0, 1, 12.5, -3, 1e300, 1e15, 1e16, .leastNonzeroMagnitude, .infinity, -.infinity, .nan]
        self = values.randomElement(using: &random) ?? 0
    }
}

extension FixedWidthInteger {
    fileprivate init(from random: inout RandomSource) {
        self = Bool.random(using: &random) ? Self(Int.random(in: 0...120, using: &random)) : .max
    }
}

extension Int: RandomlyMade {}
extension Int64: RandomlyMade {}
extension UInt32: RandomlyMade {}

extension String: RandomlyMade {
    fileprivate init(from random: inout RandomSource) {
        let texts = ["", "audio/opus", "a \"quoted\" text", "back\\slash", "\n\u{0}\u{1F}", "é🎧", "/"]
        self = texts.randomElement(using: &random) ?? ""
    }
}

extension Dictionary: RandomlyMade where Key: CaseIterable, Value == Double {
    fileprivate init(from random: inout RandomSource) {
        self.init()
        for key in Key.allCases where Bool.random(using: &random) { self[key] = Double(from: &random) }
    }
}

extension WireFigures: RandomlyMade {
    fileprivate init(from random: inout RandomSource) {
        self.init()
        for figure in WireFigure.allCases where Bool.random(using: &random) { self[figure] = Double(from: &random) }
    }
}

private struct RandomMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: RandomDecoder
    let codingPath: [any CodingKey] = []
    let allKeys: [Key] = []

    func contains(_ key: Key) -> Bool { decoder.truth }
    func decodeNil(forKey key: Key) -> Bool { false }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try decoder.value() }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedDecodingContainer<Nested> {
        decoder.container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { decoder.unkeyedContainer() }
    func superDecoder() -> any Decoder { decoder }
    func superDecoder(forKey key: Key) -> any Decoder { decoder }
}

private struct RandomElements: UnkeyedDecodingContainer {
    let decoder: RandomDecoder
    let codingPath: [any CodingKey] = []
    let count: Int?
    var currentIndex = 0

    init(decoder: RandomDecoder, count: Int) { (self.decoder, self.count) = (decoder, count) }

    var isAtEnd: Bool { currentIndex == count }

    mutating func decodeNil() -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        currentIndex += 1
        return try decoder.value()
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedDecodingContainer<Nested> {
        decoder.container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { decoder.unkeyedContainer() }
    func superDecoder() -> any Decoder { decoder }
}

private struct RandomValue: SingleValueDecodingContainer {
    let decoder: RandomDecoder
    let codingPath: [any CodingKey] = []

    func decodeNil() -> Bool { false }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.value() }
}
