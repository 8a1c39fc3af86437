package io.kipimo.cli.policy;

import io.kipimo.cli.terminal.TimeSpan;
import java.time.Instant;
import picocli.CommandLine.Option;

/** Duration, author and reason of an override: options of every command that sets one. */
final class OverrideOptions {
    /** Value instead of a duration: the override holds until it is cleared. */
    static final String UNTIL_CLEARED = "cleared";

    @Option(
            names = "--for",
            required = true,
            paramLabel = "DURATION",
            description = "Duration: 45s, 30m, 2h, 1d; 'cleared': until it is cleared.")
    private String duration;

    @Option(
            names = "--by",
            paramLabel = "NAME",
            defaultValue = "${sys:user.name}",
            description = "Author. Default: your login name.")
    private String by;

    @Option(
            names = "--reason",
            required = true,
            paramLabel = "TEXT",
            description = "Reason; shown with every decision.")
    private String reason;

    /**
     * Epoch milliseconds; 0: until it is cleared.
     *
     * @throws io.kipimo.cli.terminal.InputException if the duration is invalid
     */
    long untilMillis() {
        return duration.equals(UNTIL_CLEARED)
                ? 0
                : Instant.now()
                        .plus(TimeSpan.parse("--for", duration, " or " + UNTIL_CLEARED))
                        .toEpochMilli();
    }

    String by() {
        return by;
    }

    String reason() {
        return reason;
    }
}
