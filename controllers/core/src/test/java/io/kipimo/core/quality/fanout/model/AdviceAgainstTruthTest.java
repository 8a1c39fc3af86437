package io.kipimo.core.quality.fanout.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.Effort;
import io.kipimo.schemas.deadline.FanOutFloor;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a learner tells of its choices, beside what they do on queries that it never saw. */
class AdviceAgainstTruthTest {
    private static final double[] EFFORTS = {0.3, 0.5, 0.7};
    private static final int SEEDS = Effort.of(4, 40);

    /** Learned queries after which the advice is judged. */
    private static final int LEARNED = 8_000;

    /** Queries that judge each floor; their error is small beside the told interval. */
    private static final int JUDGED = 10_000;

    @Test
    void atFixedEffortsTheTruthIsWithinTheToldInterval() {
        int within = 0;
        int told = 0;
        double bias = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            TopicWorld world = new TopicWorld(seed).spread(0.25);
            ContributionLearner learner = TopicWorld.learner();
            world.teach(learner, LEARNED);
            List<FanOutFloor> floors = learner.curve().learned();
            ContributionModel model = learner.model(1, 0);
            double[][] truth = new double[floors.size()][];
            for (int i = 0; i < truth.length; i++) {
                truth[i] = world.judged(model, floors.get(i).floor(), JUDGED);
            }
            for (double effort : EFFORTS) {
                double measured = at(effort, truth.length, i -> truth[i][1], i -> truth[i][0]);
                double low = at(effort, floors, f -> f.quality().low());
                double high = at(effort, floors, f -> f.quality().high());
                within += low <= measured && measured <= high ? 1 : 0;
                bias += at(effort, floors, f -> f.quality().mean()) - measured;
                told++;
            }
        }

        assertThat((double) within / told).as("within the 95 %% interval").isGreaterThan(0.93 - Effort.slack(0.05));
        assertThat(bias / told).isCloseTo(0, within(0.005 + Effort.slack(0.005)));
    }

    private interface Figure {
        double of(int index);
    }

    private interface FloorFigure {
        double of(FanOutFloor floor);
    }

    private static double at(double effort, List<FanOutFloor> floors, FloorFigure figure) {
        return at(effort, floors.size(), i -> floors.get(i).effort(), i -> figure.of(floors.get(i)));
    }

    /** A figure at an effort, between the floors that were tried; these fall with the index. */
    private static double at(double effort, int count, Figure effortOf, Figure figure) {
        for (int i = 1; i < count; i++) {
            double less = effortOf.of(i);
            if (less <= effort) {
                double more = effortOf.of(i - 1);
                double part = more == less ? 0 : (effort - less) / (more - less);
                return figure.of(i) + part * (figure.of(i - 1) - figure.of(i));
            }
        }
        throw new AssertionError("no floor has an effort of " + effort + " or less");
    }
}
