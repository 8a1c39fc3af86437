package io.kipimo.labs.demos.enforcement;

import io.kipimo.embedded.process.Programs;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** Kinds of enforcement points. */
public enum EnforcementKind {
    /** The service itself, with the SDK. */
    SDK,
    GATEWAY,
    HAPROXY,
    ENVOY;

    /** Path of the third-party program; empty if the kind needs none or it is not installed. */
    Optional<Path> program() {
        return this == HAPROXY || this == ENVOY ? Programs.find(label()) : Optional.empty();
    }

    /** Returns whether this machine has the programs that the kind needs. */
    public boolean isInstalled() {
        return this == SDK || this == GATEWAY || program().isPresent();
    }

    /** Name on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
