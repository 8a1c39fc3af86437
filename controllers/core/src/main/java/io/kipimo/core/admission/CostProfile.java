package io.kipimo.core.admission;

import io.kipimo.schemas.quality.CostDecile;
import java.util.List;

/**
 * What queries of a class cost, by predicted cost.
 *
 * @param asOfMillis end of the averaging window, event time
 * @param deciles ascending
 */
record CostProfile(long asOfMillis, List<CostDecile> deciles) {}
