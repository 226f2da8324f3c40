import CallModel
import Foundation
import NIOCore
import SQLiteStore

/// Why the server could not run, in a sentence that says what to do.
enum ServeError: Error, Hashable, Sendable {
    case portInUse(ListenAddress)
    case cannotListen(ListenAddress, reason: String)
    case database(CallStoreError)
}

extension ServeError {
    /// Names what a failure to listen means.
    init?(listening address: ListenAddress, _ error: any Error) {
        switch error {
        case let error as IOError where error.errnoCode == EADDRINUSE: self = .portInUse(address)
        case let error as IOError: self = .cannotListen(address, reason: Self.reason(error.errnoCode))
        case is SocketAddressError.UnknownHost: self = .cannotListen(address, reason: "there is no such host")
        default: return nil
        }
    }

    private static func reason(_ code: CInt) -> String {
        switch code {
        case EADDRNOTAVAIL: "this machine has no such address"
        case EACCES: "this account may not listen on that port"
        default: String(cString: strerror(code))
        }
    }
}

extension ServeError: CustomStringConvertible {
    var description: String {
        switch self {
        case .portInUse(let address):
            "cannot listen on \(address): another program does; stop it, or choose another address with --listen"
        case .cannotListen(let address, let reason):
            "cannot listen on \(address): \(reason); choose another address with --listen"
        case .database(.inUse(let path)):
            "\(path) is in use by another sidetone; stop that one, or name another file with --database"
        case .database(.cannotOpen(let path, let reason)) where reason.hasSuffix(CallStoreError.restoring):
            "cannot open \(path): \(reason) with \"sidetone restore\"; \"sidetone check\" may say more"
        case .database(.cannotOpen(let path, let reason)):
            "cannot open \(path): \(reason); name a file in a directory you can write to with --database"
        case .database(let error):
            "\(error); --database names the file"
        }
    }
}
