package io.kipimo.sdk.internal.exposition;

import io.kipimo.sdk.AdmissionClient;
import java.util.Collection;

/** Metrics on decisions, which all adapters publish. */
public final class DecisionFigures {
    private DecisionFigures() {}

    /**
     * Adds the age of the newest decision of each class, and the number of refused decisions by reason.
     *
     * @param prefix prefix of metric names, with its underscore
     */
    public static void add(Exposition page, String prefix, AdmissionClient admission, Collection<String> classes) {
        for (String name : classes) {
            page.gauge(
                    prefix + "decision_age_seconds",
                    "Since the newest decision was issued; before the first, since the start.",
                    admission.decisionAgeMillis(name) / 1e3,
                    "class",
                    name);
        }
        admission
                .refusals()
                .forEach((reason, count) -> page.counter(
                        prefix + "decisions_refused_total", "Decisions not taken.", count, "reason", reason));
    }
}
