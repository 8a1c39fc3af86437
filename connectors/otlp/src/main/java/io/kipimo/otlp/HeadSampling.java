package io.kipimo.otlp;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How tracers sampled a trace, from {@code ot=th:…} in {@code tracestate} (OpenTelemetry, "TraceState: probability
 * sampling"). The threshold T has 1 to 14 hexadecimal digits, padded with zeros at the right. The probability is 1 - T
 * / 2^56. The tracer compares T with the rightmost 56 bits of the trace id, as Kipimo does, unless the trace has its
 * own random value, {@code rv}.
 *
 * @param probability above 0, at most 1
 * @param byTraceId true if sampling depends on the trace id in the same way as Kipimo's; then the tracer has kept every
 *     trace that Kipimo samples at a lower rate
 */
record HeadSampling(double probability, boolean byTraceId) {
    private static final Pattern ENTRY = Pattern.compile("(?:^|,)[ \t]*ot=([^,]*)");
    private static final Pattern THRESHOLD = Pattern.compile("(?:^|;)th:([0-9a-f]{1,14})(?=;|[ \t]*$)");
    private static final Pattern OWN_RANDOM = Pattern.compile("(?:^|;)rv:");
    private static final int DIGITS = 14;
    private static final double RANGE = 0x1p56;

    /** Reads the sampling from a trace state; empty if the trace state does not tell it. */
    static Optional<HeadSampling> of(String traceState) {
        Matcher entry = ENTRY.matcher(traceState);
        if (!entry.find()) {
            return Optional.empty();
        }
        Matcher threshold = THRESHOLD.matcher(entry.group(1));
        if (!threshold.find()) {
            return Optional.empty();
        }
        String digits = threshold.group(1);
        long value = Long.parseLong(digits + "0".repeat(DIGITS - digits.length()), 16);
        return Optional.of(new HeadSampling(
                (RANGE - value) / RANGE, !OWN_RANDOM.matcher(entry.group(1)).find()));
    }
}
