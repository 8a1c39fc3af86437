package io.kipimo.sdk;

import io.kipimo.schemas.decision.Decision;
import java.time.InstantSource;
import java.util.Optional;

/** Tells which queries are admitted. */
public final class AdmissionClient {
    private final KipimoConfig config;

    AdmissionClient(KipimoConfig config, InstantSource clock) {
        this.config = config;
    }

    /** Whether this query is admitted. */
    public boolean admits(String queryClass, String queryId) {
        return fraction(queryClass) >= 1;
    }

    /** Fraction. */
    public double fraction(String queryClass) {
        return KipimoConfig.declared(config.classes(), queryClass).safeFraction();
    }

    /** In force. */
    public Optional<Decision> inForce(String queryClass) {
        return Optional.empty();
    }
}
