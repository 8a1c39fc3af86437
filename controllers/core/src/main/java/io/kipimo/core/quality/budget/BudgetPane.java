package io.kipimo.core.quality.budget;

import io.kipimo.core.quality.attribution.Losses;
import io.kipimo.core.quality.estimate.StratumCounts;
import io.kipimo.core.quality.estimate.StratumSums;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Score;
import java.util.HashMap;
import java.util.Map;

/** One minute or one hour of one class. Mutable, owned by its budget; a Flink POJO. */
public final class BudgetPane {
    /** A name in the data must not fill the state: what is beyond is not named. */
    private static final int MOST_COMPONENTS = 500;

    public long startMillis;
    public long answered;
    public long timedOut;
    public int cleanSamples;
    public StratumSums degradedLow = StratumSums.NONE;
    public StratumSums degradedHigh = StratumSums.NONE;

    /** Sum over the samples of the quality lost, by component; of minutes only. */
    public Map<String, Double> lost = new HashMap<>();

    public BudgetPane() {}

    BudgetPane(long startMillis) {
        this.startMillis = startMillis;
    }

    StratumCounts counts() {
        return new StratumCounts(answered, timedOut, cleanSamples, degradedLow, degradedHigh);
    }

    void add(Observation observation) {
        answered += observation.answered();
        timedOut += observation.timedOut();
    }

    void add(Measurement measurement, Score score) {
        if (measurement.degraded()) {
            degradedLow = degradedLow.add(score.low());
            degradedHigh = degradedHigh.add(score.high());
        } else {
            cleanSamples++;
        }
    }

    void addLosses(Measurement measurement, Score score) {
        Losses.of(measurement, score)
                .forEach(
                        (component, mine) -> {
                            if (lost.size() < MOST_COMPONENTS || lost.containsKey(component)) {
                                lost.merge(component, mine, Double::sum);
                            }
                        });
    }

    void add(BudgetPane other) {
        answered += other.answered;
        timedOut += other.timedOut;
        cleanSamples += other.cleanSamples;
        degradedLow = degradedLow.plus(other.degradedLow);
        degradedHigh = degradedHigh.plus(other.degradedHigh);
        other.lost.forEach((component, sum) -> lost.merge(component, sum, Double::sum));
    }
}
