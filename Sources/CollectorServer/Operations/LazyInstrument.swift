import Synchronization

/// An instrument that is made when it is used for the first time, so that only what happens is shown.
///
/// A class, for an array cannot hold atomics.
final class LazyInstrument<Instrument: AnyObject & Sendable>: Sendable {
    private let made = AtomicLazyReference<Instrument>()
    private let make: @Sendable () -> Instrument

    init(_ make: @escaping @Sendable () -> Instrument) {
        self.make = make
    }

    /// Without a lock: who makes a second one at the same moment gets the first.
    var value: Instrument { made.load() ?? made.storeIfNil(make()) }
}
