package io.kipimo.jobs.options;

import java.time.Duration;

/** How queries are joined, as far as their service's policy does not say it. */
public final class JoinOptions {
    public static final BoundedOption<Duration> BACK_STOP =
            Options.duration(
                    "join.back-stop",
                    Duration.ofMinutes(5),
                    Duration.ofSeconds(1),
                    Duration.ofDays(1),
                    "When nothing comes any more, observations neither: how long after the windows of the open"
                            + " queries these are measured with what there is.");

    private JoinOptions() {}
}
