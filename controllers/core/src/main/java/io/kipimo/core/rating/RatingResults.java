package io.kipimo.core.rating;

import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingBuilder;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingState;
import io.kipimo.schemas.rating.RatingTrial;
import io.kipimo.schemas.rating.TrialPurpose;
import java.util.Arrays;
import java.util.List;

/** Builds ratings for publication. */
public final class RatingResults {
    private RatingResults() {}

    /** A finished rating. */
    public static Rating over(
            RatingRequest request, List<RatingTrial> trials, CourseStep.CourseEnd done, long nowMillis) {
        return rating(
                request, done.state(), trials, done.load(), done.throughput(), done.noise(), done.remark(), nowMillis);
    }

    /** A running rating, with the best load so far. */
    public static Rating running(RatingRequest request, List<RatingTrial> trials, String remark, long nowMillis) {
        long best = RatingProtocol.best(trials);
        double throughput = RatingProtocol.throughput(trials, best);
        return rating(request, RatingState.RUNNING, trials, best, throughput, 0, remark, nowMillis);
    }

    private static Rating rating(
            RatingRequest request,
            RatingState state,
            List<RatingTrial> trials,
            long load,
            double throughput,
            double noise,
            String remark,
            long nowMillis) {
        return RatingBuilder.builder()
                .request(request)
                .state(state)
                .trials(List.copyOf(trials))
                .load(load)
                .throughput(throughput)
                .noise(noise)
                .elapsedMillis(Math.max(0, nowMillis - request.requestedAtMillis()))
                .predictedMillis(predictedMillis(request, trials))
                .remark(remark)
                .updatedAtMillis(nowMillis)
                .build();
    }

    /**
     * Lambda, the duration of a rating as the model of sec. 6.1 predicts it for the experiments that were run,
     * milliseconds.
     */
    static long predictedMillis(RatingRequest request, List<RatingTrial> trials) {
        long load = trials.isEmpty() ? 0 : trials.get(0).prepareMillis();
        long[] restores = trials.stream()
                .skip(1)
                .mapToLong(RatingTrial::prepareMillis)
                .filter(millis -> millis > 0)
                .toArray();
        double restore = Arrays.stream(restores).average().orElse(0);
        int confirmations = (int)
                trials.stream().filter(t -> t.purpose() == TrialPurpose.CONFIRM).count();
        RatingCosts costs = new RatingCosts(
                load,
                restore,
                restores.length,
                trials.size() - confirmations,
                request.experiments().warmUpMillis(),
                request.experiments().millis(),
                request.agreement().durationMillis());
        double total = costs.total();
        // Not in the model: the recovery after each failed experiment except the last.
        long overloads = trials.stream()
                .limit(Math.max(0, trials.size() - 1))
                .filter(RatingProtocol::overloads)
                .count();
        total += overloads * (double) RatingProtocol.recoveryMillis(request);
        if (confirmations == 0) {
            // The search's experiments were long enough, so no confirmation ran.
            total -= costs.warmUp() + costs.confirmation();
        }
        return Math.round(total + Math.max(0, confirmations - 1) * (costs.warmUp() + costs.confirmation()));
    }
}
