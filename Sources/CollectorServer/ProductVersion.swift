/// The version of Sidetone, as programs and answers state it.
public enum ProductVersion {
    /// [Semantic version](https://semver.org) of this build.
    public static let current = "0.1.0"
}
