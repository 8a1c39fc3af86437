package io.kipimo.core.quality.window;

import io.kipimo.schemas.quality.Measurement;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Sums up measurements before they go to the windows of their class, where all of a class meet: a
 * few sums travel instead of every measurement. Mutable, for one thread.
 *
 * <p>Sums are of stretches of {@value #GRAIN_MILLIS} ms, which slides are whole multiples of; of
 * any other slide, a measurement may count that much early.
 */
public final class PaneSums {
    /** Class under which orphans are reported, whose class nobody knows. */
    public static final String UNKNOWN_CLASS = "unknown";

    private static final long GRAIN_MILLIS = 100;

    /** More measurements are not held back. */
    private static final int MOST_MEASUREMENTS = 100_000;

    private record Place(String service, String queryClass, long startMillis) {}

    private final Map<Place, PaneTally> tallies = new HashMap<>();
    private int measurements;

    /** Whether so many are in that they had better go on. */
    public boolean isFull() {
        return measurements >= MOST_MEASUREMENTS;
    }

    public void add(Measurement measurement) {
        measurements++;
        long millis = measurement.measuredAtMillis();
        Place place =
                new Place(
                        measurement.service(),
                        measurement.queryClass().isEmpty()
                                ? UNKNOWN_CLASS
                                : measurement.queryClass(),
                        millis - Math.floorMod(millis, GRAIN_MILLIS));
        PaneTally tally = tallies.get(place);
        if (tally == null) {
            tally = new PaneTally(place.startMillis());
            tallies.put(place, tally);
        }
        tally.add(measurement);
    }

    /** Hands over all sums; none are left. */
    public void drain(Consumer<ClassPane> out) {
        tallies.forEach(
                (place, tally) ->
                        out.accept(
                                new ClassPane(
                                        place.service(), place.queryClass(), tally.toPane())));
        tallies.clear();
        measurements = 0;
    }
}
