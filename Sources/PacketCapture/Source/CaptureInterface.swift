/// A network interface that can be captured on.
public struct CaptureInterface: Hashable, Sendable {
    /// Its name, such as `eth0`; `any` stands for all.
    public var name: String
    /// What it is, in the system's words; nil if it says nothing.
    public var details: String?
    /// Whether it is up.
    public var isUp: Bool
    /// Whether packets on it never leave the machine.
    public var isLoopback: Bool
}
