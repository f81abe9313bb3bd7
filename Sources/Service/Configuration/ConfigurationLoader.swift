import FoundationEssentials
import Glibc

/// Puts the effective configuration together: defaults, then the file, then `EMBEDD_*` variables, then flags.
struct ConfigurationLoader {
    /// What has been read so far.
    private(set) var configuration = Configuration()
    /// Where each value that is not a default came from, by key.
    private(set) var sources: [String: String] = [:]

    private static let settings = Dictionary(uniqueKeysWithValues: Setting.all.map { ($0.key, $0) })

    /// Reads a JSON5 file; every key in it must exist.
    mutating func read(file path: String) throws(ConfigurationError) {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch {
            let system = (error as? CocoaError)?.underlying as? POSIXError
            throw .unreadable(
                path: path, reason: system.map { String(cString: strerror($0.code.rawValue)) } ?? "\(error)")
        }
        try read(json5: data, path: path)
    }

    /// Reads JSON5 text; `path` only names it in errors.
    mutating func read(json5 data: Data, path: String) throws(ConfigurationError) {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let root: ConfigurationValue
        do {
            root = try decoder.decode(ConfigurationValue.self, from: data)
        } catch {
            throw .malformed(
                path: path, reason: ConfigurationScanner.firstFault(in: data)?.description ?? Self.reason(of: error))
        }
        if let fault = ConfigurationScanner.firstFault(in: data), fault.isRepetition {
            throw .repeatedKey(path: path, reason: fault.description)
        }
        guard case .section(let sections) = root else {
            throw .malformed(path: path, reason: "the file must hold one object of sections")
        }
        for (section, value) in sections.sorted(by: { $0.key < $1.key }) {
            guard case .section(let values) = value else {
                throw Self.unknown(section, source: path)
            }
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                try assign(value, to: "\(section).\(name)", source: path)
            }
        }
    }

    /// Reads the `EMBEDD_SECTION_KEY` variables.
    ///
    /// A variable of a section that doesn't exist is passed over: Kubernetes gives every container variables such as
    /// `EMBEDD_SERVICE_HOST` when a service is called embedd.
    mutating func read(environment: [String: String]) throws(ConfigurationError) {
        let settings = Dictionary(uniqueKeysWithValues: Setting.all.map { ($0.environmentVariable, $0) })
        let sections = Set(Setting.all.map { "EMBEDD_\($0.section.uppercased())_" })
        for (name, text) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix("EMBEDD_") {
            if let setting = settings[name] {
                try assign(.text(text), to: setting.key, source: name)
            } else if sections.contains(where: name.hasPrefix) {
                let key = name.dropFirst("EMBEDD_".count).lowercased()
                throw Self.unknown(key.replacing("_", with: ".", maxReplacements: 1), source: name)
            }
        }
    }

    /// Reads `--section.key value` and `--section.key=value`.
    mutating func read(flags: [Flag]) throws(ConfigurationError) {
        for flag in flags {
            try assign(.text(flag.value), to: flag.name, source: "--" + flag.name)
        }
    }

    /// Once everything is read: whether the values make sense together.
    func checkAsAWhole() throws(ConfigurationError) {
        let pool = configuration.pool
        guard pool.monitor || (pool.abortAfter == .zero && !pool.livez) else {
            throw .contradiction(
                "pool.monitor is false, so nobody would see what pool.abort_after and pool.livez wait for: leave them out"
            )
        }
    }

    private mutating func assign(
        _ value: ConfigurationValue, to key: String, source: String
    ) throws(ConfigurationError) {
        guard let setting = Self.settings[key] else { throw Self.unknown(key, source: source) }
        guard setting.assign(value, &configuration) else {
            throw .badValue(key: key, value: value.json5, source: source, allowed: setting.allowed)
        }
        sources[key] = source
    }

    /// The configuration as a JSON5 file that has the same effect, each value with where it came from.
    var effectiveJSON5: String {
        var lines = ["{"]
        var section: String?
        for setting in Setting.all {
            if setting.section != section {
                if section != nil { lines.append("  },") }
                lines.append("  \(setting.section): {")
                section = setting.section
            }
            let source = sources[setting.key].map { "  // \($0)" } ?? ""
            lines.append("    \(setting.name): \(setting.value(configuration).json5),\(source)")
        }
        lines += ["  },", "}", ""]
        return lines.joined(separator: "\n")
    }

    private static func unknown(_ key: String, source: String) -> ConfigurationError {
        let name = key.drop { $0 != "." }.dropFirst()
        let alike = Setting.all.filter { setting in
            setting.section == key || (!name.isEmpty && setting.name == name)
                || editDistance(setting.key, key) <= 2
        }
        return .unknownKey(key, source: source, suggestions: alike.prefix(4).map(\.key))
    }

    private static func reason(of error: any Error) -> String {
        switch error {
        case DecodingError.dataCorrupted(let context), DecodingError.typeMismatch(_, let context),
            DecodingError.valueNotFound(_, let context), DecodingError.keyNotFound(_, let context):
            let key = context.codingPath.map(\.stringValue).joined(separator: ".")
            return key.isEmpty ? context.debugDescription : "\(key) has a value that can't be read"
        default: return "\(error)"
        }
    }

    /// Levenshtein's distance: how many letters must be put in, taken out or exchanged.
    private static func editDistance(_ first: String, _ second: String) -> Int {
        var row = Array(0...second.count)
        for (i, a) in first.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, b) in second.enumerated() {
                let substitution = diagonal + (a == b ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(substitution, diagonal + 1, row[j] + 1)
            }
        }
        return row[second.count]
    }
}
