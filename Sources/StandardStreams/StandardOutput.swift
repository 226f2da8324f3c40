import ArgumentParser
import Foundation

/// The standard output, where results and announcements go.
package enum StandardOutput {
    /// Writes a result, until everything is out.
    /// - Parameter text: what to write, with the ends of its lines.
    /// - Throws: ``OutputFailure``; `ExitCode.success` where its reader has seen enough and went away: the program ends quietly.
    package static func write(_ text: String) throws {
        signal(SIGPIPE, SIG_IGN)
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        } catch {
            let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
            let code = cause?.domain == NSPOSIXErrorDomain ? cause.map { Int32($0.code) } : nil
            guard code != EPIPE else { throw ExitCode.success }
            throw OutputFailure(reason: code.map { String(cString: strerror($0)) } ?? error.localizedDescription)
        }
    }

    /// Says something beside the work, which goes on where nobody can be told.
    /// - Parameter text: what to write, with the ends of its lines.
    package static func tell(_ text: String) {
        try? write(text)
    }
}

/// A result cannot be written.
package struct OutputFailure: Error, Hashable, CustomStringConvertible {
    /// What the system says.
    let reason: String

    package var description: String { "cannot write to the standard output: \(reason)" }
}
