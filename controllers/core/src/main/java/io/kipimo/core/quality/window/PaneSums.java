package io.kipimo.core.quality.window;

import io.kipimo.schemas.quality.Measurement;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Sums up measurements before they go to the windows of their class, so that a few sums are sent instead of every
 * measurement. Mutable, for one thread.
 *
 * <p>Each sum covers {@value #GRAIN_MILLIS} ms. If the slide of a policy is no multiple of that, a measurement may
 * count up to that much early.
 */
public final class PaneSums {
    /** Class of orphans, whose real class is unknown. */
    public static final String UNKNOWN_CLASS = "unknown";

    private static final long GRAIN_MILLIS = 100;

    /** Limit of measurements that are held back. */
    private static final int MOST_MEASUREMENTS = 100_000;

    private record PanePlace(String service, String queryClass, String variant, long startMillis) {}

    private final Map<PanePlace, PaneTally> tallies = new HashMap<>();
    private int measurements;

    /** Whether the sums should be sent now. */
    public boolean isFull() {
        return measurements >= MOST_MEASUREMENTS;
    }

    public void add(Measurement measurement) {
        measurements++;
        long millis = measurement.measuredAtMillis();
        PanePlace place = new PanePlace(
                measurement.service(),
                measurement.queryClass().isEmpty() ? UNKNOWN_CLASS : measurement.queryClass(),
                measurement.variant(),
                millis - Math.floorMod(millis, GRAIN_MILLIS));
        PaneTally tally = tallies.get(place);
        if (tally == null) {
            tally = new PaneTally(place.startMillis());
            tallies.put(place, tally);
        }
        tally.add(measurement);
    }

    /** Removes all sums and passes them on. */
    public void drain(Consumer<ClassPane> out) {
        tallies.forEach((place, tally) -> out.accept(
                new ClassPane(place.service(), place.queryClass(), place.variant(), tally.toPane(), tally.costs())));
        tallies.clear();
        measurements = 0;
    }
}
