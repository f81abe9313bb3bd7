import CLinux

/// What the command line asks for.
public struct CommandLineArguments: Sendable {
    /// What to do.
    public enum Command: String, Sendable, CaseIterable {
        /// Run the service until a signal.
        case serve
        /// Print the effective configuration, or what is wrong with it.
        case check
        /// Ask a running service whether it is ready; for a container's health check.
        case health
        /// Break a pool of this process, and tell what the pool monitor sees of it.
        case chaos
        /// Print the version.
        case version
        /// Print how it is used.
        case help
    }

    /// The words behind the program's name, also where there is no `/proc`.
    public static var ofProcess: [String] {
        (1...).lazy.map { clinux_argument($0) }.prefix { $0 != nil }.compactMap { $0.map { String(cString: $0) } }
    }

    /// What to do; `serve` if the first word is a flag or missing.
    public let command: Command
    /// The words behind `chaos`, for ``ChaosCommand``; empty for every other command, which takes flags only.
    public let chaosWords: [String]
    /// The effective configuration.
    public let configuration: Configuration
    /// The effective configuration as JSON5, with where each value came from.
    public let effectiveConfiguration: String

    /// Reads the words behind the program's name, the file that `--config` names, and the environment.
    ///
    /// - Throws: `ConfigurationError`, whose description is one line for the person who started it.
    public init(_ words: [String], environment: [String: String]) throws(ConfigurationError) {
        var words = words
        if ["--help", "-h", "--version"].contains(words.first) {
            words[0] = words[0] == "--version" ? "version" : "help"
        }
        if let word = words.first, !word.hasPrefix("--") {
            guard let command = Command(rawValue: word) else {
                let commands = Command.allCases.map(\.rawValue).joined(separator: ", ")
                throw .badArgument(word, reason: "not a command; there are \(commands)")
            }
            self.command = command
            words.removeFirst()
        } else {
            command = .serve
        }
        // Breaking a pool takes no setting, so its words mean something else.
        chaosWords = command == .chaos ? words : []
        let flags = try Flag.parse(command == .chaos ? [] : words)
        var loader = ConfigurationLoader()
        // Whoever asks for help has something wrong, and what he asked for needs no setting.
        let needsSettings = [.serve, .check, .health].contains(command)
        for flag in flags where flag.name == "config" {
            try loader.read(file: flag.value)
        }
        if needsSettings { try loader.read(environment: environment) }
        try loader.read(flags: flags.filter { $0.name != "config" })
        if needsSettings { try loader.checkAsAWhole() }
        configuration = loader.configuration
        effectiveConfiguration = loader.effectiveJSON5
    }
}
