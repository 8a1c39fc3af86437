package io.kipimo.examples.enforcement;

import io.kipimo.harness.process.Programs;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** By whom a class of queries is shed. */
public enum EnforcementKind {
    /** The service itself, with the SDK in it. */
    SDK,
    GATEWAY,
    HAPROXY,
    ENVOY;

    /** The foreign program; empty: none is needed, or it is not on this machine. */
    Optional<Path> program() {
        return this == HAPROXY || this == ENVOY ? Programs.find(label()) : Optional.empty();
    }

    /** Whether it can be used on this machine. */
    public boolean isInstalled() {
        return this == SDK || this == GATEWAY || program().isPresent();
    }

    /** As on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
