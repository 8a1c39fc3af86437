package io.kipimo.jobs.options;

import io.kipimo.core.tails.TailSpans;
import io.kipimo.operators.tails.TailsSettings;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.util.TimeUtils;

/** Options of the windows of tail latencies, and of their latency objectives. */
public final class TailWindowOptions {
    private static final Options GROUP = new Options();

    private static final int MOST_OBJECTIVES = 16;

    public static final BoundedOption<Duration> WINDOW = GROUP.duration(
            "tails.window",
            Duration.ofSeconds(10),
            Duration.ofSeconds(1),
            Duration.ofSeconds(TailSpans.MOST_SECONDS),
            "Tumbling window; whole seconds.");
    public static final BoundedOption<Duration> SLIDING_WINDOW = GROUP.duration(
            "tails.sliding-window",
            Duration.ofMinutes(10),
            Duration.ofSeconds(1),
            Duration.ofDays(1),
            "Sliding window; at most " + TailSpans.MOST_STEPS + " times tails.sliding-every, and a multiple of it.");
    public static final BoundedOption<Duration> SLIDING_EVERY = GROUP.duration(
            "tails.sliding-every",
            Duration.ofMinutes(1),
            Duration.ofSeconds(1),
            Duration.ofHours(1),
            "How often a sliding window ends; a multiple of tails.window.");
    public static final BoundedOption<String> OBJECTIVES = GROUP.text(
            "tails.objectives",
            "10ms,25ms,50ms,100ms,250ms,500ms,1s",
            "\\s*|[^,]+(,[^,]+){0," + (MOST_OBJECTIVES - 1) + "}",
            "at most " + MOST_OBJECTIVES + " durations, 1 ms..1 h, with commas between",
            "Latencies for which the share of requests at or below them is published.");

    private TailWindowOptions() {}

    public static List<BoundedOption<?>> all() {
        return GROUP.all();
    }

    /** Reads the options and reports problems to the reader; empty if there are problems. */
    public static Optional<TailsSettings> read(OptionSet.OptionReader reader) {
        Duration window = reader.get(WINDOW);
        Duration sliding = reader.get(SLIDING_WINDOW);
        Duration every = reader.get(SLIDING_EVERY);
        String objectives = reader.get(OBJECTIVES);
        boolean fits = !List.of(
                        reader.requireMultiple(WINDOW, window, Duration.ofSeconds(1), "a second"),
                        reader.requireMultiple(SLIDING_EVERY, every, window, WINDOW.key()),
                        reader.requireMultiple(SLIDING_WINDOW, sliding, every, SLIDING_EVERY.key()),
                        objectives.isBlank()
                                || Arrays.stream(objectives.split(",")).allMatch(text -> isObjective(reader, text)))
                .contains(false);
        return fits
                ? reader.make(() -> new TailsSettings(
                        window.toMillis(), every.toMillis(), sliding.toMillis(), objectivesMicros(objectives)))
                : Optional.empty();
    }

    private static boolean isObjective(OptionSet.OptionReader reader, String text) {
        try {
            Duration duration = TimeUtils.parseDuration(text.strip());
            if (duration.toMillis() >= 1 && duration.compareTo(Duration.ofHours(1)) <= 0) {
                return true;
            }
        } catch (IllegalArgumentException e) {
            // Reported below, together with values out of range.
        }
        reader.problem(OBJECTIVES.key() + " has '" + text.strip() + "'; allowed: " + OBJECTIVES.allowed());
        return false;
    }

    private static List<Long> objectivesMicros(String objectives) {
        return objectives.isBlank()
                ? List.of()
                : Stream.of(objectives.split(","))
                        .map(text -> TimeUtils.parseDuration(text.strip()).toNanos() / 1000)
                        .toList();
    }
}
