package io.kipimo.cli.rating;

import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.TimeSpan;
import io.kipimo.schemas.rating.AgreementTerms;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses and formats agreements on latency, quality and errors: {@code p95<=50ms,quality>=0.9,errors<=1%,for=60s}. */
final class AgreementText {
    private static final String FORM = "pNN<=TIME[,quality>=0..1][,errors<=N%][,unpredictable<=N%][,for=TIME], as in"
            + " p95<=50ms,quality>=0.9,errors<=1%,for=60s";
    private static final Pattern LATENCY =
            Pattern.compile("p(\\d{1,2}(?:\\.\\d+)?|100)<=?(\\d{1,9}(?:\\.\\d+)?)(us|ms|s)");
    private static final Pattern QUALITY = Pattern.compile("quality>=?(\\d(?:\\.\\d+)?)");
    private static final Pattern SHARE = Pattern.compile("(errors|unpredictable)<=?(\\d{1,3}(?:\\.\\d+)?)%");
    private static final Pattern DURATION = Pattern.compile("for=(.+)");
    private static final Map<String, Integer> MICROS = Map.of("us", 1, "ms", 1_000, "s", 1_000_000);

    /** Default of the greatest share of errors, 0..1. Requests with an error also count as not answered in time. */
    private static final double MOST_ERRORS = 0.01;

    private AgreementText() {}

    /**
     * @param otherwiseMillis time for which the agreement must hold if the text does not state it
     * @throws InputException if the text is not an agreement
     */
    static AgreementTerms parse(String text, long otherwiseMillis) {
        double within = -1;
        long bound = 0;
        double quality = 0;
        double errors = MOST_ERRORS;
        double unpredictable = 0;
        Optional<Long> millis = Optional.empty();
        Set<String> parts = new HashSet<>();
        for (String part : text.replaceAll("\\s", "").split(",", -1)) {
            Matcher latency = LATENCY.matcher(part);
            Matcher least = QUALITY.matcher(part);
            Matcher share = SHARE.matcher(part);
            Matcher duration = DURATION.matcher(part);
            if (latency.matches()) {
                within = share(latency.group(1), text);
                bound = new BigDecimal(latency.group(2))
                        .multiply(BigDecimal.valueOf(MICROS.get(latency.group(3))))
                        .longValue();
            } else if (least.matches()) {
                quality = Double.parseDouble(least.group(1));
            } else if (share.matches() && share.group(1).equals("errors")) {
                errors = share(share.group(2), text);
            } else if (share.matches()) {
                unpredictable = share(share.group(2), text);
            } else if (duration.matches()) {
                millis = Optional.of(TimeSpan.parse("for", duration.group(1)).toMillis());
            } else {
                throw refused(text);
            }
            // An agreement has exactly one latency bound.
            InputException.throwIf(
                    !parts.add(latency.matches() ? "p" : part.replaceFirst("[<>=].*", "")),
                    "--sla is '" + text + "', which has " + part + " after another; allowed: " + FORM);
        }
        if (within <= 0 || bound < 1 || quality > 1) {
            throw refused(text);
        }
        return new AgreementTerms(within, bound, unpredictable, quality, errors, millis.orElse(otherwiseMillis));
    }

    private static double share(String percent, String text) {
        double share = new BigDecimal(percent).movePointLeft(2).doubleValue();
        if (share > 1) {
            throw refused(text);
        }
        return share;
    }

    private static InputException refused(String text) {
        return new InputException("--sla is '" + text + "'; allowed: " + FORM);
    }

    /** Formats an agreement as text that {@link #parse} can read. */
    static String format(AgreementTerms terms) {
        StringBuilder text = new StringBuilder();
        text.append('p').append(percent(terms.leastWithin()));
        text.append("<=")
                .append(RatingReport.decimal(terms.boundMicros() / 1e3))
                .append("ms");
        if (terms.leastQuality() > 0) {
            text.append(",quality>=").append(RatingReport.decimal(terms.leastQuality()));
        }
        text.append(",errors<=").append(percent(terms.mostErrors())).append('%');
        if (terms.mostUnpredictable() > 0) {
            text.append(",unpredictable<=").append(percent(terms.mostUnpredictable()));
            text.append('%');
        }
        return text.append(",for=")
                .append((terms.durationMillis() + 999) / 1_000)
                .append('s')
                .toString();
    }

    private static String percent(double share) {
        return RatingReport.decimal(share * 100).toPlainString();
    }
}
