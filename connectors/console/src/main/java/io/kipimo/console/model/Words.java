package io.kipimo.console.model;

import io.kipimo.core.guard.Reason;
import java.util.Locale;

/** Figures as they are spoken. */
final class Words {
    private Words() {}

    static String quality(double fraction) {
        return String.format(Locale.ROOT, "%.3f", fraction);
    }

    static String percent(double fraction) {
        return String.format(
                Locale.ROOT,
                fraction > 0 && fraction < 0.1 ? "%.1f %%" : "%.0f %%",
                100 * fraction);
    }

    /** A length of time in its largest unit: 8 s, 4 min, 3 h, 2 d. */
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

    /** What a decision's reason means; a later version's is told by its name. */
    static String reason(String name) {
        return Reason.named(name)
                .map(Reason::sentence)
                .orElseGet(() -> name.toLowerCase(Locale.ROOT).replace('_', ' ') + ".");
    }

    /** A sentence inside of another: small, without its full stop. */
    static String inside(String sentence) {
        return sentence.substring(0, 1).toLowerCase(Locale.ROOT)
                + sentence.substring(1).replaceFirst("\\.$", "");
    }
}
