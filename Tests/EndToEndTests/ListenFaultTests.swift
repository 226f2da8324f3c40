import Foundation
import NIOCore
import Testing

@testable import sidetone

/// What is said of an address at which nothing can listen.
@Suite struct ListenFaultTests {
    @Test(arguments: [
        (EADDRINUSE, "another program does; stop it, or choose another address with --listen"),
        (EADDRNOTAVAIL, "this machine has no such address; choose another address with --listen"),
        (EACCES, "this account may not listen on that port; choose another address with --listen"),
        (ENOBUFS, "No buffer space available; choose another address with --listen"),
    ])
    func `an error of the system is told in words`(code: CInt, words: String) {
        let address = ListenAddress(host: "10.0.0.1", port: 80)
        let error = ServeError(listening: address, IOError(errnoCode: code, reason: "bind"))
        #expect(error?.description == "cannot listen on 10.0.0.1:80: \(words)")
    }
}
