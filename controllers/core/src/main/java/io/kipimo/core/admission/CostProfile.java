package io.kipimo.core.admission;

import io.kipimo.schemas.quality.CostDecile;
import java.util.List;

/**
 * Work of a class's queries by predicted cost.
 *
 * @param asOfMillis end of the averaging window, event time
 * @param deciles ascending
 */
record CostProfile(long asOfMillis, List<CostDecile> deciles) {}
