package io.kipimo.cli.rating;

import io.kipimo.core.rating.CourseStep;
import io.kipimo.core.rating.RatingProtocol;
import io.kipimo.loadgen.rating.RatingListener;
import io.kipimo.schemas.rating.ExperimentCounts;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingTrial;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/** Prints the progress of a rating on standard error: the start and end of each experiment. */
final class RatingProgress implements RatingListener {
    private final RatingRequest request;
    private final PrintWriter err;
    private int announced;

    RatingProgress(RatingRequest request, PrintWriter err) {
        this.request = request;
        this.err = err;
    }

    @Override
    public void underWay(
            CourseStep.CourseRun run, ExperimentCounts soFar, long remainingMillis, List<RatingTrial> before) {
        if (announced == run.number()) {
            return;
        }
        announced = run.number();
        OptionalInt left = RatingProtocol.remaining(request, before);
        String more = left.isEmpty()
                ? ""
                : String.format(
                        Locale.ROOT,
                        "; about %d more, %.0f s",
                        left.getAsInt(),
                        left.getAsInt()
                                * (request.experiments().warmUpMillis()
                                        + request.experiments().millis())
                                / 1e3);
        err.printf(
                Locale.ROOT,
                "experiment %d (%s): %s, %.0f s%s%n",
                run.number(),
                run.purpose().name().toLowerCase(Locale.ROOT),
                RatingView.imposed(request, run.load()),
                remainingMillis / 1e3,
                more);
        err.flush();
    }

    @Override
    public void ended(RatingTrial trial) {
        Rating none = Rating.requested(request);
        err.println("  " + new RatingView(none).line(trial));
        err.flush();
    }
}
