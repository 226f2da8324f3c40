/// How the server shows itself to others.
public struct ServerExposure: Sendable {
    /// Says who may do what.
    public var access: AccessControl
    /// The certificate; `nil` for no TLS.
    public var identity: TLSIdentity?
    /// Origins whose web pages may use it, such as `https://app.example`.
    public var origins: Set<String>
    /// Proxies that say truly whom they speak for.
    public var proxies: [AddressRange]
    /// Whether only this machine can reach it.
    public var isLocal: Bool

    public init(
        access: AccessControl, identity: TLSIdentity? = nil, origins: Set<String> = [], proxies: [AddressRange] = [],
        isLocal: Bool = false
    ) {
        self.access = access
        self.identity = identity
        self.origins = origins
        self.proxies = proxies
        self.isLocal = isLocal
    }

    /// The names by which it may be asked; `nil` for any, where a token or a certificate tells who may ask.
    var names: HostNames? {
        isLocal && identity == nil && !access.isRequired ? HostNames(origins: origins) : nil
    }
}
