package io.kipimo.core.quality.fanout.model;

import io.kipimo.schemas.fanout.FanOutPublication;
import io.kipimo.schemas.fanout.FanOutState;
import io.kipimo.schemas.policy.FanOutPolicy;
import io.kipimo.schemas.policy.Policy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Explains in sentences why front ends choose components, only tell what they would choose, or ask all. */
public final class FanOutAccount {
    private FanOutAccount() {}

    /**
     * The explanation, one sentence a line: what was learned, what the policy requires, which state follows, and what
     * front ends do now.
     *
     * @param policy in force; empty: not known
     * @param nowMillis epoch milliseconds
     */
    public static List<String> of(FanOutPublication publication, Optional<Policy> policy, long nowMillis) {
        List<String> lines = new ArrayList<>();
        lines.add("Learned: from %s queries, up to %s%s"
                .formatted(
                        publication.queries(),
                        Instant.ofEpochMilli(publication.learnedAtMillis()),
                        publication.quality() == 0
                                ? "; what choices would save is not known."
                                : String.format(
                                        Locale.ROOT,
                                        "; at floor %.2f the choices save %.1f %% of the work and"
                                                + " keep %.3f of the answer.",
                                        publication.floor(),
                                        100 * publication.saving(),
                                        publication.quality())));
        policy.ifPresent(p -> lines.add(needed(publication, p)));
        lines.add("State: " + publication.state() + ", " + publication.reason() + ".");
        lines.add("Front ends: " + used(publication, nowMillis));
        return List.copyOf(lines);
    }

    private static String needed(FanOutPublication publication, Policy policy) {
        Optional<FanOutPolicy> fanOut = policy.fanOut().filter(f -> f.classes().contains(publication.queryClass()));
        if (policy.killSwitch()) {
            return "Policy: the kill switch is on, so all components are asked.";
        }
        return fanOut.map(f -> String.format(
                        Locale.ROOT,
                        "Policy: needs %d learned queries, predictions that promise at most %.2f above what choices "
                                + "keep (%.2f to turn on), and a saving of %.1f %% (%.1f %% to turn on) at floor "
                                + "%.2f%s.",
                        FanOutPublisher.LEAST_QUERIES,
                        FanOutPublisher.MOST_ERROR,
                        FanOutPublisher.MOST_ERROR_TO_TURN_ON,
                        100 * f.minimumSaving(),
                        100 * f.minimumSaving() * FanOutPublisher.TURN_ON,
                        f.floor(),
                        f.shadow() ? "; shadow: choices are only told" : ""))
                .orElse("Policy: it does not let this class ask fewer components.");
    }

    private static String used(FanOutPublication publication, long nowMillis) {
        if (nowMillis >= publication.validUntilMillis()) {
            return "ask all components, because the lease ended at %s: the model has learned nothing since."
                    .formatted(Instant.ofEpochMilli(publication.validUntilMillis()));
        }
        String until = " until " + Instant.ofEpochMilli(publication.validUntilMillis());
        String explored =
                String.format(Locale.ROOT, "; %.1f %% of the queries are explored", 100 * publication.exploration());
        if (publication.state() == FanOutState.OFF) {
            return "ask all components.";
        }
        int components =
                publication.model().map(table -> table.components().size()).orElse(0);
        return (publication.state() == FanOutState.ON
                        ? "choose among "
                        : "ask all, and tell what they would choose among ")
                + components
                + " components"
                + until
                + explored
                + ".";
    }
}
