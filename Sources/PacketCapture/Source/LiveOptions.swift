/// How to capture on an interface.
public struct LiveOptions: Hashable, Sendable {
    /// Bytes kept of each frame. Headers are enough for RTP, but SIP is needed whole.
    public var snapLength = 65_535
    /// Bytes the kernel buffers until the program fetches them.
    public var bufferBytes = 16 << 20
    /// Whether frames for other machines are taken too, as a mirror port needs.
    public var isPromiscuous = true
    /// Whether frames come one by one as they arrive instead of in blocks; costs much more CPU.
    public var isImmediate = false
    /// Only frames that this BPF expression (see `man pcap-filter`) lets through; nil for all.
    public var filter: String?
    /// How long the kernel may keep frames to fill a block, in milliseconds.
    public var timeoutMilliseconds = 100

    /// The defaults, which suit a sensor.
    public init() {}
}
