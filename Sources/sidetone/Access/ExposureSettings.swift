import CallModel
import CollectorServer

/// Who may use the server, and how it shows itself.
struct ExposureSettings: Hashable, Sendable {
    /// Path of the file of tokens.
    var tokens: String?
    /// Whether others than this machine need a token.
    var needsToken: Bool
    var tlsCertificate: String?
    var tlsKey: String?
    var corsOrigins: [String]
    var trustedProxies: [AddressRange]

    init(_ settings: ResolvedSettings) {
        tokens = settings[Settings.tokens]
        needsToken = settings[Settings.authentication]
        tlsCertificate = settings[Settings.tlsCertificate]
        tlsKey = settings[Settings.tlsKey]
        corsOrigins = settings[Settings.corsOrigins]
        trustedProxies = settings[Settings.trustedProxies].compactMap(AddressRange.init)
    }

    /// What the settings say.
    /// - Throws: ``ConfigurationError`` when nothing says who may use a server that others can reach;
    ///   ``TokenFileFailure`` or `TLSFailure`, which say what is wrong, where files changed since they were checked.
    func exposure(listening address: ListenAddress) throws -> ServerExposure {
        let identity =
            if let tlsCertificate, let tlsKey {
                try TLSIdentity(certificatePath: tlsCertificate, keyPath: tlsKey) as TLSIdentity?
            } else { TLSIdentity?.none }
        return ServerExposure(
            access: try control(listening: address), identity: identity, origins: Set(corsOrigins),
            proxies: trustedProxies, isLocal: address.isLoopback)
    }

    private func control(listening address: ListenAddress) throws -> AccessControl {
        if let tokens { return AccessControl(tokens: try TokenFile.read(tokens)) }
        if let fault = accessFault(listening: address) { throw ConfigurationError(faults: [fault]) }
        return AccessControl(tokens: nil)
    }

    /// What is wrong where nothing says who may use a server that others can reach; `nil` otherwise. Who trusts a proxy
    /// says that others reach the server through it, wherever it listens.
    func accessFault(listening address: ListenAddress) -> ConfigurationFault? {
        guard tokens == nil, needsToken else { return nil }
        guard address.isLoopback else { return .openToAll(address) }
        return trustedProxies.isEmpty ? nil : .openThroughProxy
    }

    /// What is wrong with the files that are named, as far as they have to be read at the start.
    var fileFaults: [ConfigurationFault] {
        var faults: [ConfigurationFault] = []
        if let tokens {
            do { _ = try TokenFile.read(tokens) } catch { faults.append(.unusable("\(error)")) }
        }
        if let tlsCertificate, let tlsKey {
            do { _ = try TLSIdentity(certificatePath: tlsCertificate, keyPath: tlsKey) } catch {
                faults.append(.unusable("\(error)"))
            }
        }
        return faults
    }

    /// The files to read again on SIGHUP.
    func files(of exposure: ServerExposure) -> [Reloadable] {
        var files: [Reloadable] = []
        if let tokens {
            let file = Reloadable(what: "tokens", path: tokens) {
                Self.state(of: exposure.access, now: Clock.now())
            } reload: {
                exposure.access.replace(by: try TokenFile.read(tokens))
            }
            files.append(file)
        }
        if let identity = exposure.identity, let tlsCertificate {
            let file = Reloadable(what: "certificate and key", path: tlsCertificate) {
                Self.state(of: identity.validity, now: Clock.now())
            } reload: {
                try identity.reload()
            }
            files.append(file)
        }
        return files
    }

    private static func state(of access: AccessControl, now: Timestamp) -> Reloadable.State {
        let good = access.goodTokens(at: now) ?? 0
        return Reloadable.State(
            found: good == 1 ? "1 token" : "\(good) tokens",
            doubt: good == 0 ? "no token is good: every request that needs one is refused" : nil)
    }

    private static func state(of validity: TLSValidity, now: Timestamp) -> Reloadable.State {
        var doubt: String?
        if now > validity.until { doubt = "the certificate is not valid any more: clients refuse it" }
        if now < validity.from {
            doubt = "the certificate is not valid before \(validity.from.iso8601): clients refuse it"
        }
        return Reloadable.State(found: "valid until \(validity.until.iso8601)", doubt: doubt)
    }
}

extension ListenAddress {
    /// Whether only this machine can reach it. A name other than `localhost` may stand for anything.
    var isLoopback: Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let isIPv4 = parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
        return isIPv4 && parts[0] == "127" || ["::1", "localhost"].contains(host.lowercased())
    }
}
