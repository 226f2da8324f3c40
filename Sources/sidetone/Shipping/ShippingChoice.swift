/// Whether what is stored is shipped, and where to, as the settings say.
struct ShippingChoice: Hashable, Sendable {
    /// The address of the database that calls are shipped to; nil for none.
    private let store: String?
    /// Of the user in that address.
    private let password: String?
    /// What may wait to be shipped.
    let spool: SpoolSettings

    init(_ settings: ResolvedSettings) {
        store = settings[Settings.store]
        password = settings[Settings.storePassword]
        spool = SpoolSettings(settings)
    }

    /// Where calls are shipped to; nil for nowhere.
    /// - Throws: `ValidationError` for what is no address.
    var address: StoreAddress? {
        get throws { try store.map { try StoreAddress($0, password: password) } }
    }
}
