package io.kipimo.core.quality.deadline;

import io.kipimo.core.quality.estimate.StratifiedEstimator;
import io.kipimo.core.quality.estimate.StratumSums;
import io.kipimo.schemas.deadline.ComponentEconomics;
import io.kipimo.schemas.deadline.ComponentEconomicsBuilder;
import io.kipimo.schemas.deadline.ComponentPoint;
import io.kipimo.schemas.deadline.DeadlineCurve;
import io.kipimo.schemas.deadline.DeadlineCurveBuilder;
import io.kipimo.schemas.deadline.DeadlinePoint;
import io.kipimo.schemas.quality.Estimate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * Quality as a function of the deadline, from the profiles and counts of a window.
 *
 * <p><b>Curve.</b> Profiles are a disproportionate sample, because fewer clean queries send their results. So the front
 * ends' counts of all answers weight the two strata, as in {@link StratifiedEstimator}: {@code mean(D) = (N_clean
 * mean_clean(D) + N_degraded mean_degraded(D)) / N}. The half-widths of the strata's intervals add in squares. At the
 * deadline in force and at longer ones, clean answers have quality 1 by construction, whether they are profiled or not.
 * The interval of a stratum without profiles is 0..1.
 *
 * <p>The points are those of the {@link DeadlineGrid} from a sixteenth of the deadline in force to the expiration
 * window. The deadline in force itself (the mean one if it changed) is a point, too, with the answers that users got.
 *
 * <p><b>Missing results</b> lower mean and low ends by the usual contribution of their components
 * ({@link io.kipimo.core.quality.join.ContributionHistory}), and do not lower high ends.
 *
 * <p><b>Economics.</b> They tell the quality if one component had another latency, while all others keep theirs.
 * <i>Faster</i>: it takes 25 % less time. <i>Replicated</i>: the faster of two independent, equally fast copies counts,
 * so a late result would be in time with the component's probability of being in time. <i>Dropped</i>: it is not
 * invoked, while mature answers keep its results. All are means, weighted by stratum, without intervals. Without
 * profiled clean queries, a component's points begin at the deadline in force. Clean queries are then assumed to lose
 * as much by a dropped component as the degraded queries that had it in time.
 */
public final class DeadlineCurves {
    /** Start of the curve as a share of the deadline in force. */
    private static final double SHORTEST = 1 / 16.0;

    private DeadlineCurves() {}

    /**
     * The curve of a window's panes; without points if no query was profiled or counted.
     *
     * @param expirationWindowMillis how long after its query's start a result counts, milliseconds
     */
    public static DeadlineCurve curve(
            String service,
            String queryClass,
            String metric,
            long startMillis,
            long endMillis,
            long expirationWindowMillis,
            Collection<DeadlinePane> panes) {
        DeadlinePane sum = new DeadlinePane();
        panes.forEach(pane -> sum.add(pane, metric));
        int profiles = sum.profiles();
        if (profiles == 0 || sum.answered == 0) {
            return DeadlineCurveBuilder.builder()
                    .service(service)
                    .queryClass(queryClass)
                    .metric(metric)
                    .startMillis(startMillis)
                    .endMillis(endMillis)
                    .profiles(profiles)
                    .degradedProfiles(sum.degradedLow.count)
                    .build();
        }
        CurveWindow window = new CurveWindow(sum, expirationWindowMillis);
        return DeadlineCurveBuilder.builder()
                .service(service)
                .queryClass(queryClass)
                .metric(metric)
                .startMillis(startMillis)
                .endMillis(endMillis)
                .deadlineMillis(window.deadlineMillis)
                .profiles(profiles)
                .degradedProfiles(sum.degradedLow.count)
                .points(window.points())
                .components(window.components())
                .build();
    }

    /** The sums of a window and the weights of its strata. */
    private static final class CurveWindow {
        private final DeadlinePane sum;
        private final double expirationMillis;
        private final double deadlineMillis;
        private final long cleanAnswers;
        private final long degradedAnswers;
        private final double cleanWeight;
        private final double degradedWeight;

        CurveWindow(DeadlinePane sum, long expirationWindowMillis) {
            this.sum = sum;
            this.expirationMillis = expirationWindowMillis;
            this.deadlineMillis = sum.sumOfDeadlines / sum.profiles();
            // At the edge of a window, counts may lag behind the samples.
            this.degradedAnswers = Math.max(sum.timedOut, sum.degradedLow.count);
            this.cleanAnswers = Math.max(sum.answered - degradedAnswers, sum.clean.count);
            double all = cleanAnswers + degradedAnswers;
            this.cleanWeight = cleanAnswers / all;
            this.degradedWeight = degradedAnswers / all;
        }

        List<DeadlinePoint> points() {
            StratumSums[] clean = sum.clean.byDeadline();
            StratumSums[] low = sum.degradedLow.byDeadline();
            StratumSums[] high = sum.degradedHigh.byDeadline();
            DeadlinePoint own = new DeadlinePoint(
                    deadlineMillis, estimate(new Estimate(1, 1, 1), degraded(sum.ownLow, sum.ownHigh)), cleanWeight);
            List<DeadlinePoint> points = new ArrayList<>();
            boolean ownIsIn = false;
            for (int i = first(); i <= last(); i++) {
                double at = Math.min(DeadlineGrid.millis(i), expirationMillis);
                if (!ownIsIn && at >= deadlineMillis) {
                    points.add(own);
                    ownIsIn = true;
                }
                if (at != deadlineMillis) {
                    points.add(new DeadlinePoint(
                            at, estimate(clean(clean[i], i), degraded(low[i], high[i])), complete(i)));
                }
            }
            if (!ownIsIn) {
                points.add(own);
            }
            return points;
        }

        private int first() {
            return DeadlineGrid.indexOf(deadlineMillis * SHORTEST);
        }

        private int last() {
            return DeadlineGrid.indexOf(expirationMillis);
        }

        private boolean isInForce(int index) {
            return DeadlineGrid.millis(index) >= sum.longestDeadlineMillis;
        }

        private Estimate clean(StratumSums sums, int index) {
            return isInForce(index) ? new Estimate(1, 1, 1) : StratifiedEstimator.stratumMean(sums, cleanAnswers);
        }

        private Estimate degraded(StratumSums low, StratumSums high) {
            Estimate byLow = StratifiedEstimator.stratumMean(low, degradedAnswers);
            if (low.equals(high)) {
                return byLow;
            }
            Estimate byHigh = StratifiedEstimator.stratumMean(high, degradedAnswers);
            return new Estimate(byLow.low(), byLow.mean(), Math.max(byLow.high(), byHigh.high()));
        }

        private Estimate estimate(Estimate clean, Estimate degraded) {
            double mean = cleanWeight * clean.mean() + degradedWeight * degraded.mean();
            double below = Math.hypot(
                    cleanWeight * (clean.mean() - clean.low()), degradedWeight * (degraded.mean() - degraded.low()));
            double above = Math.hypot(
                    cleanWeight * (clean.high() - clean.mean()), degradedWeight * (degraded.high() - degraded.mean()));
            double within = unit(mean);
            return new Estimate(Math.max(0, within - below), within, Math.min(1, within + above));
        }

        private double complete(int index) {
            double clean = isInForce(index) ? 1 : share(Rises.upTo(sum.cleanCompletions, index), sum.clean.count);
            double degraded = share(Rises.upTo(sum.degradedCompletions, index), sum.degradedLow.count);
            return unit(cleanWeight * clean + degradedWeight * degraded);
        }

        List<ComponentEconomics> components() {
            TreeSet<String> names = new TreeSet<>(sum.cleanComponents.keySet());
            names.addAll(sum.degradedComponents.keySet());
            ComponentTally none = new ComponentTally();
            List<ComponentEconomics> all = new ArrayList<>(names.size());
            for (String name : names) {
                all.add(economics(
                        name,
                        sum.cleanComponents.getOrDefault(name, none),
                        sum.degradedComponents.getOrDefault(name, none)));
            }
            return all;
        }

        private ComponentEconomics economics(String name, ComponentTally clean, ComponentTally degraded) {
            double quality = quality(0, 0);
            double dropped = share(degraded.ifDropped, sum.degradedLow.count);
            double cleanDropped = sum.clean.count == 0
                    ? share(degraded.ifDropped, degraded.invoked - degraded.late)
                    : share(clean.ifDropped, sum.clean.count);
            double inTime = 1
                    - share(
                            degradedWeight * share(degraded.late, sum.degradedLow.count),
                            invokedShare(clean, degraded));
            return ComponentEconomicsBuilder.builder()
                    .component(name)
                    .invoked(clean.invoked + degraded.invoked)
                    .late(degraded.late)
                    .lostQuality(
                            Math.max(-1, Math.min(1, degradedWeight * share(degraded.lost, sum.degradedLow.count))))
                    .lostQualityPerLateMinute(share(degraded.lostByKnown, degraded.lateMinutes))
                    .qualityIfFaster(quality(0, share(degraded.ifFaster, sum.degradedLow.count)))
                    .qualityIfReplicated(
                            sum.degradedLow.count == 0
                                    ? quality
                                    : quality(0, inTime * share(degraded.ifNeverLate, sum.degradedLow.count)))
                    .qualityIfDropped(quality(cleanDropped, dropped))
                    .points(points(clean, degraded))
                    .build();
        }

        /** Share of the queries that invoke a component. */
        private double invokedShare(ComponentTally clean, ComponentTally degraded) {
            double ofDegraded = share(degraded.invoked, sum.degradedLow.count);
            double ofClean = sum.clean.count == 0 ? ofDegraded : share(clean.invoked, sum.clean.count);
            return cleanWeight * ofClean + degradedWeight * ofDegraded;
        }

        private List<ComponentPoint> points(ComponentTally clean, ComponentTally degraded) {
            List<ComponentPoint> points = new ArrayList<>();
            double invoked = invokedShare(clean, degraded);
            for (int i = first(); i <= last(); i++) {
                if (sum.clean.count == 0 && cleanAnswers > 0 && !isInForce(i)) {
                    continue;
                }
                double cleanWithin = sum.clean.count == 0
                        ? share(degraded.invoked, sum.degradedLow.count)
                        : share(clean.within(i), sum.clean.count);
                double within =
                        cleanWeight * cleanWithin + degradedWeight * share(degraded.within(i), sum.degradedLow.count);
                points.add(new ComponentPoint(
                        Math.min(DeadlineGrid.millis(i), expirationMillis),
                        unit(share(within, invoked)),
                        quality(
                                share(clean.ifDeadline(i), sum.clean.count),
                                share(degraded.ifDeadline(i), sum.degradedLow.count))));
            }
            return points;
        }

        /** Mean quality of the answers that users got, plus a difference in each stratum. */
        private double quality(double cleanDifference, double degradedDifference) {
            double degraded =
                    StratifiedEstimator.stratumMean(sum.ownLow, degradedAnswers).mean();
            return unit(cleanWeight * unit(1 + cleanDifference) + degradedWeight * unit(degraded + degradedDifference));
        }

        private static double share(double part, double whole) {
            return whole == 0 ? 0 : part / whole;
        }

        private static double unit(double value) {
            return Math.max(0, Math.min(1, value));
        }
    }
}
