package io.kipimo.core.quality.window;

import io.kipimo.schemas.quality.Measurement;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Sums up measurements before they go to the windows of their class, so that a few sums are sent instead of every
 * measurement. Mutable, for one thread.
 *
 * <p>Each sum covers {@value #GRAIN_MILLIS} ms. If the slide of a policy is not a multiple of this time, a measurement
 * may count too early, by less than this time.
 */
public final class PaneSums {
    /** Class of orphans, whose real class is unknown. */
    public static final String UNKNOWN_CLASS = "unknown";

    private static final long GRAIN_MILLIS = 100;

    /** Limit of measurements that are held back. */
    private static final int MOST_MEASUREMENTS = 100_000;

    private record PanePlace(String service, String queryClass, String variant, long startMillis) {
        boolean isOf(Measurement measurement, String namedClass, long paneMillis) {
            return startMillis == paneMillis
                    && service.equals(measurement.service())
                    && queryClass.equals(namedClass)
                    && variant.equals(measurement.variant());
        }
    }

    private final Map<PanePlace, PaneTally> tallies = new HashMap<>();

    // Of the last measurement: most follow one of the same place. Null: there was none.
    private PanePlace lastPlace;
    private PaneTally lastTally;
    private int measurements;

    /** Whether the sums should be sent now. */
    public boolean isFull() {
        return measurements >= MOST_MEASUREMENTS;
    }

    public void add(Measurement measurement) {
        measurements++;
        long millis = measurement.measuredAtMillis();
        long paneMillis = millis - Math.floorMod(millis, GRAIN_MILLIS);
        String namedClass = measurement.queryClass().isEmpty() ? UNKNOWN_CLASS : measurement.queryClass();
        if (lastPlace == null || !lastPlace.isOf(measurement, namedClass, paneMillis)) {
            lastPlace = new PanePlace(measurement.service(), namedClass, measurement.variant(), paneMillis);
            lastTally = tallies.computeIfAbsent(lastPlace, place -> new PaneTally(place.startMillis()));
        }
        lastTally.add(measurement);
    }

    /** Removes all sums and passes them on. */
    public void drain(Consumer<ClassPane> out) {
        tallies.forEach((place, tally) -> out.accept(
                new ClassPane(place.service(), place.queryClass(), place.variant(), tally.toPane(), tally.costs())));
        tallies.clear();
        lastPlace = null;
        lastTally = null;
        measurements = 0;
    }
}
