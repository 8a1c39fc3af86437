package io.kipimo.cli.policy;

import io.kipimo.cli.terminal.TimeSpan;
import java.time.Instant;
import picocli.CommandLine.Option;

/** How long a person's word holds, whose it is and why: options of every override. */
final class OverrideOptions {
    /** In place of a duration: for ever. */
    static final String UNTIL_CLEARED = "cleared";

    @Option(
            names = "--for",
            required = true,
            paramLabel = "DURATION",
            description = "How long: 45s, 30m, 2h, 1d; 'cleared' is until it is cleared.")
    private String duration;

    @Option(
            names = "--by",
            paramLabel = "NAME",
            defaultValue = "${sys:user.name}",
            description = "Who says so. Default: your login name.")
    private String by;

    @Option(
            names = "--reason",
            required = true,
            paramLabel = "TEXT",
            description = "Why; shown with every decision.")
    private String reason;

    /**
     * Epoch milliseconds; 0: until it is cleared.
     *
     * @throws io.kipimo.cli.terminal.InputException if the duration is none
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
