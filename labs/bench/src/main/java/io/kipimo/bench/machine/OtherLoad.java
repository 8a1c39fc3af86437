package io.kipimo.bench.machine;

import io.kipimo.simulator.report.Phrase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Share of this machine's processor time that other processes take during a benchmark: the time of all cores, less the
 * time of this process and its children.
 */
final class OtherLoad {
    /** Share of the machine's processor time for others, above which event rates mean little. */
    private static final double TOO_MUCH = 0.05;

    private static final Path STATISTICS = Path.of("/proc/stat");
    private static final long TICKS_PER_SECOND = 100;

    // Columns of the statistics' first line; column 0 is its name.
    private static final int IDLE = 4;
    private static final int WAITING = 5;
    private static final int LAST = 8;

    private final long nanos = System.nanoTime();
    private final long busyNanos = busyNanos();
    private final long ownNanos = ownNanos();

    private OtherLoad() {}

    public static OtherLoad start() {
        return new OtherLoad();
    }

    /** Share of all cores that other processes took since the start, 0..1; 0 without a Linux /proc. */
    public double share() {
        double others = (busyNanos() - busyNanos) - (double) (ownNanos() - ownNanos);
        double elapsed = System.nanoTime() - nanos;
        return busyNanos == 0
                ? 0
                : Math.max(0, others / elapsed / Runtime.getRuntime().availableProcessors());
    }

    /** A note if the machine was too busy to believe event rates. */
    public Optional<String> warning() {
        double share = share();
        return share < TOO_MUCH
                ? Optional.empty()
                : Optional.of(Phrase.of(
                        "TOO BUSY TO BELIEVE: other processes took %.0f %% of the machine; compare processor time only",
                        100 * share));
    }

    private static long busyNanos() {
        if (!Files.isReadable(STATISTICS)) {
            return 0;
        }
        try (Stream<String> lines = Files.lines(STATISTICS, StandardCharsets.US_ASCII)) {
            String[] columns = lines.findFirst().orElse("").split("\\s+");
            long ticks = 0;
            for (int i = 1; i <= LAST && i < columns.length; i++) {
                ticks += i == IDLE || i == WAITING ? 0 : Long.parseLong(columns[i]);
            }
            return ticks * (1_000_000_000 / TICKS_PER_SECOND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long ownNanos() {
        ProcessHandle self = ProcessHandle.current();
        return Stream.concat(Stream.of(self), self.descendants())
                .map(process -> process.info().totalCpuDuration().orElse(Duration.ZERO))
                .mapToLong(Duration::toNanos)
                .sum();
    }
}
