package io.kipimo.core.rating;

import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingBuilder;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingState;
import io.kipimo.schemas.rating.RatingTrial;
import java.util.List;

/** Builds ratings for publication. */
public final class RatingResults {
    private RatingResults() {}

    /** A finished rating. */
    public static Rating over(RatingRequest request, List<RatingTrial> trials, CourseStep.Done done, long nowMillis) {
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
                .predictedMillis(DurationPrediction.millis(request, trials))
                .remark(remark)
                .updatedAtMillis(nowMillis)
                .build();
    }
}
