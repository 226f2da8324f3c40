#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Why privileges could not be given up.
public enum PrivilegeError: Error, Hashable, Sendable {
    /// There is no such user.
    case noSuchUser(String)
    /// The user is root: nothing would be given up.
    case stillRoot(String)
    /// The system refused a step; its reason. Only root can become another user.
    case refused(user: String, step: String, reason: String)
    /// All steps succeeded, and yet root could be had again.
    case notLost(user: String)
}

extension PrivilegeError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noSuchUser(let user):
            "there is no user \(user) to run as; useradd --system \(user) makes one"
        case .stillRoot(let user):
            "\(user) is root, expected a user without privileges"
        case .refused(let user, let step, let reason):
            "cannot become user \(user): \(step): \(reason); only root can become another user"
        case .notLost(let user):
            "became user \(user), but could become root again; stopping for safety"
        }
    }
}

/// The rights of the process.
///
/// One of the few files with `unsafe`: the user database is a C structure with pointers into a buffer, read and copied
/// in one place.
public enum Privileges {
    /// Becomes another user for good: groups, group and user, in this order, each checked.
    ///
    /// To be called after interfaces, ports and files that need privileges were opened.
    /// - Parameter name: An account without privileges.
    /// - Throws: ``PrivilegeError``. The caller should stop then: the process may be half way.
    public static func drop(toUser name: String) throws(PrivilegeError) {
        let account = try account(withoutPrivileges: name)
        // A member of no other group: what the account may read by its groups is nothing a sensor needs.
        var group = account.group
        guard unsafe setgroups(1, &group) == 0 else { throw refusal(name, "setgroups") }
        guard setgid(account.group) == 0 else { throw refusal(name, "setgid") }
        guard setuid(account.user) == 0 else { throw refusal(name, "setuid") }
        let isChanged = getuid() == account.user && geteuid() == account.user && getgid() == account.group
        guard isChanged, setuid(0) != 0 else { throw .notLost(user: name) }
    }

    /// Looks whether there is an account without privileges of this name.
    /// - Throws: ``PrivilegeError``.
    public static func check(user name: String) throws(PrivilegeError) {
        _ = try account(withoutPrivileges: name)
    }

    private static func account(
        withoutPrivileges name: String
    ) throws(PrivilegeError) -> (user: uid_t, group: gid_t) {
        guard let account = account(named: name) else { throw .noSuchUser(name) }
        guard account.user != 0 else { throw .stillRoot(name) }
        return account
    }

    private static func refusal(_ name: String, _ step: String) -> PrivilegeError {
        .refused(user: name, step: step, reason: unsafe String(cString: strerror(errno)))
    }

    private static func account(named name: String) -> (user: uid_t, group: gid_t)? {
        var entry = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        guard unsafe getpwnam_r(name, &entry, &buffer, buffer.count, &found) == 0, unsafe found != nil else {
            return nil
        }
        return unsafe (entry.pw_uid, entry.pw_gid)
    }
}
