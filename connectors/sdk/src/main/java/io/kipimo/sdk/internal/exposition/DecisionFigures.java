package io.kipimo.sdk.internal.exposition;

import io.kipimo.sdk.AdmissionClient;
import java.util.Collection;

/** What the page of an adapter tells of the decisions that reach it, whatever it adapts. */
public final class DecisionFigures {
    private DecisionFigures() {}

    /**
     * Adds the age of the newest decision of each class, and the decisions not taken by reason.
     *
     * @param prefix of the names, with its underscore
     */
    public static void add(
            Exposition page, String prefix, AdmissionClient admission, Collection<String> classes) {
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
                .forEach(
                        (reason, count) ->
                                page.counter(
                                        prefix + "decisions_refused_total",
                                        "Decisions not taken.",
                                        count,
                                        "reason",
                                        reason));
    }
}
