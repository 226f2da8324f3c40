#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Reporter {
    /// Where a reporter delivers to, as whom, and how much it keeps.
    public struct Configuration: Sendable {
        /// Where the collector is: `https://collector.example`, with a path where it lies behind one.
        public var collector: String
        /// Asked for each request, so that it may change; `nil` where the collector wants none.
        public var token: @Sendable () -> String?
        /// Which end of the call this is, where what is reported does not say (`side`, `role`, `observer`): `caller`.
        /// `nil`: the collector calls it `client`. Two ends of a call must differ in it.
        public var observer: String?
        /// The SDK, `kandy-anonymous-ios`; it stands in every event. `nil` for none.
        public var source: String?
        /// Where entries wait, a folder of its own: of two reporters with the same one the second keeps in memory.
        public var folder: String
        /// Most bytes in the folder, compressed; then the oldest entries go. 16 MiB hold some hours of a video call.
        public var mostBytesOnDisk = 16 << 20
        /// Most bytes in memory, where the disk has no room.
        public var mostBytesInMemory = 1 << 20
        /// How long to wait for more before entries are sent: each request wakes the radio of a phone.
        public var gathering = Duration.seconds(1)
        /// Told, in a sentence, what went wrong, and that it works again. Called from any thread.
        public var log: @Sendable (String) -> Void = { _ in }

        /// - Parameters:
        ///   - collector: where it is.
        ///   - token: with the scope `ingest`; see ``token-swift.property``.
        ///   - observer: which end of the call this is.
        ///   - folder: where entries wait; `nil` for `Sidetone` in the app's support folder.
        public init(
            collector: String, token: @escaping @Sendable @autoclosure () -> String? = nil, observer: String? = nil,
            folder: String? = nil
        ) {
            self.collector = collector
            self.token = token
            self.observer = observer
            self.folder = folder ?? Self.defaultFolder
        }

        /// Where the system keeps what belongs to an app and is not the user's.
        private static var defaultFolder: String {
            let base =
                FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
                ?? FileManager.default.temporaryDirectory
            return base.appending(path: "Sidetone", directoryHint: .isDirectory).path
        }

        /// Where entries are posted.
        var address: String {
            collector.hasSuffix("/") ? collector + "v1/events" : collector + "/v1/events"
        }

        var limits: Spool.Limits {
            Spool.Limits(mostBytes: max(0, mostBytesOnDisk), mostBytesInMemory: max(0, mostBytesInMemory))
        }
    }
}
