import Foundation
import Logging
import PacketCapture

extension Sensor {
    /// Opens the source, which may need privileges, and then gives them up.
    ///
    /// To be called on the main thread and before anything else is opened, so that no thread keeps the privileges and
    /// what the program makes belongs to the account it runs as; see ``Main``.
    /// - Throws: `CaptureError` when the source cannot be opened, `PrivilegeError` when the account cannot be taken.
    static func start(_ settings: SensorSettings, logger: Logger) throws -> Sensor {
        let sensor = try open(settings)
        if let user = settings.user {
            try Privileges.drop(toUser: user)
            logger.info("privileges given up", metadata: ["user": "\(user)"])
        } else if geteuid() == 0, settings.isLive {
            logger.warning("capturing as root; name an account without privileges to go on as once the capture is open")
        }
        return sensor
    }
}
