/// What a text may hold at most before the reader refuses it, and how strict the reader is.
///
/// Every bound is checked while reading, so a hostile text costs no more than the bounds allow.
public struct JSONLimits: Hashable, Sendable {
    /// How deep arrays and objects may be nested; a number alone has depth 0.
    public var maximumDepth: Int
    /// The longest string, after decoding its escapes, in bytes of UTF-8.
    public var maximumStringBytes: Int
    /// How many values the text may hold, containers and member values counted alike.
    public var maximumValues: Int
    /// Whether `nan`, `inf`, `Infinity` and their like are read as `null`.
    ///
    /// They are not JSON ([RFC 8259 §6](https://www.rfc-editor.org/rfc/rfc8259#section-6)), but native libwebrtc
    /// prints them bare.
    public var acceptsBareNonNumbers: Bool

    public init(
        maximumDepth: Int = 64, maximumStringBytes: Int = 65_536, maximumValues: Int = 500_000,
        acceptsBareNonNumbers: Bool = false
    ) {
        self.maximumDepth = maximumDepth
        self.maximumStringBytes = maximumStringBytes
        self.maximumValues = maximumValues
        self.acceptsBareNonNumbers = acceptsBareNonNumbers
    }
}
