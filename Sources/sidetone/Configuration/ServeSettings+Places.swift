import Foundation
import NIOCore
import NIOPosix
import PacketCapture
import SQLiteStore

/// What a start needs beside its settings and the files that they name.
extension ServeSettings {
    /// What a start would fail of: the place of the database and the address to listen at. Nothing is changed. That a server
    /// runs already is no fault.
    var placeFaults: [ConfigurationFault] {
        var faults: [ConfigurationFault] = []
        do { try SQLiteCallStore.checkPlace(database) } catch { faults.append(.unusable("\(Database.failure(error))")) }
        if let failure = listen.failure { faults.append(.unusable("\(failure)")) }
        return faults
    }

    /// What its capture would fail of, which is opened first: the interface, the filter, and the account to go on as.
    var captureFaults: [ConfigurationFault] {
        var faults: [ConfigurationFault] = []
        guard let capture else { return faults }
        if case .interface(let name, let options) = capture.source {
            do {
                try LiveCapture.check(interface: name, filter: options.filter)
            } catch {
                faults.append(.unusable("\(error)"))
            }
        }
        if let user = capture.user {
            do { try Privileges.check(user: user) } catch { faults.append(.unusable("\(error)")) }
        }
        return faults
    }

    /// Becomes, for good, the account to go on as once a capture is open: what a start opens after that, this account opens.
    /// Does nothing where there is none, and where this account is not root, which alone can become another.
    func takeAccount() throws(PrivilegeError) {
        guard let user = capture?.user, geteuid() == 0 else { return }
        try Privileges.drop(toUser: user)
    }

    /// What nobody meant of the files that can be used: such as a certificate that is not valid any more.
    /// - Throws: when a file cannot be used.
    func doubts() throws -> [String] {
        let exposure = try exposure.exposure(listening: listen)
        return self.exposure.files(of: exposure).compactMap { file in
            file.state().doubt.map { "\(file.path): \($0)" }
        }
    }
}

extension ListenAddress {
    /// Why nothing can listen there; `nil` when something can, or another program does, which may be the server that runs.
    fileprivate var failure: ServeError? {
        do {
            let channel = try ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: host, port: port).wait()
            try channel.close().wait()
            return nil
        } catch {
            switch ServeError(listening: self, error) {
            case .portInUse?: return nil
            case let failure?: return failure
            case nil: return .cannotListen(self, reason: "\(error)")
            }
        }
    }
}
