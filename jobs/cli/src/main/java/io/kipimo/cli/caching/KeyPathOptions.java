package io.kipimo.cli.caching;

import io.kipimo.caching.purge.KeyPaths;
import picocli.CommandLine.Option;

/** Where records and queries are at caches and origins. */
final class KeyPathOptions {
    @Option(
            names = "--record-path",
            defaultValue = "/{table}/{key}",
            paramLabel = "PATH",
            description = "Path of a record, with {service}, {table} and {key}; a key that begins with "
                    + "a slash is a path itself. Default: ${DEFAULT-VALUE}")
    private String recordPath;

    @Option(
            names = "--query-path",
            defaultValue = "/{table}/{key}",
            paramLabel = "PATH",
            description = "Path of a query's result, likewise. Default: ${DEFAULT-VALUE}")
    private String queryPath;

    /** @throws IllegalArgumentException if one is no path, or has no key */
    KeyPaths paths() {
        return new KeyPaths(recordPath, queryPath);
    }
}
