package io.kipimo.console.model;

import io.kipimo.core.guard.DecisionReason;
import io.kipimo.core.quality.window.Verdict;
import java.util.Locale;

/** Formats figures as texts for people. */
final class DisplayText {
    private DisplayText() {}

    /** Name of a verdict in the API and in metrics. */
    static String status(Verdict verdict) {
        return verdict.name().toLowerCase(Locale.ROOT);
    }

    static String quality(double fraction) {
        return fixed(fraction, 3);
    }

    static String percent(double fraction) {
        return fixed(100 * fraction, fraction > 0 && fraction < 0.1 ? 1 : 0) + " %";
    }

    /**
     * Formats a figure of at least 0. It runs often, so it does without format strings, which would have to be parsed.
     */
    static String fixed(double value, int places) {
        long unit = Math.round(Math.pow(10, places));
        long units = Math.round(value * unit);
        String digits = Long.toString(unit + units % unit);
        return units / unit + (places == 0 ? "" : "." + digits.substring(1));
    }

    /** A duration in its largest unit: 8 s, 4 min, 3 h, 2 d. */
    static String span(long millis) {
        long seconds = Math.max(0, millis) / 1000;
        if (seconds < 120) {
            return seconds + " s";
        }
        if (seconds < 2 * 3600) {
            return seconds / 60 + " min";
        }
        return seconds < 48 * 3600 ? seconds / 3600 + " h" : seconds / 86_400 + " d";
    }

    /**
     * The meaning of a decision's reason. If a later version of Kipimo wrote a reason that this version does not know,
     * its name is shown.
     */
    static String reason(String name) {
        return DecisionReason.named(name).map(DecisionReason::sentence).orElseGet(() -> constant(name));
    }

    /** A constant's name as words. */
    static String constant(String name) {
        return name.toLowerCase(Locale.ROOT).replace('_', ' ') + ".";
    }

    /** A sentence for use inside another: lower-case, without full stop. */
    static String inside(String sentence) {
        return sentence.substring(0, 1).toLowerCase(Locale.ROOT)
                + sentence.substring(1).replaceFirst("\\.$", "");
    }
}
