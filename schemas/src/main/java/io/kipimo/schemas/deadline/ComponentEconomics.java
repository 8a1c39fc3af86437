package io.kipimo.schemas.deadline;

import java.util.List;

/**
 * What one component's lateness costs, and what could be done about it. Qualities are means a query
 * of the class, 0..1, to be compared with the curve's at the deadline in force.
 *
 * @param invoked queries of the window that invoked it, sampled
 * @param late those of them that it missed
 * @param lostQuality mean quality lost a query by its lateness (attribution)
 * @param lostQualityPerLateMinute quality lost a minute of lateness; 0 if it was never late
 * @param qualityIfFaster if it took 25 % less time
 * @param qualityIfReplicated if the faster of two independent copies counted
 * @param qualityIfDropped if it were not asked, while mature answers keep what it gives
 * @param points what other deadlines for it alone would change, ascending
 */
public record ComponentEconomics(
        String component,
        int invoked,
        int late,
        double lostQuality,
        double lostQualityPerLateMinute,
        double qualityIfFaster,
        double qualityIfReplicated,
        double qualityIfDropped,
        List<ComponentPoint> points) {}
