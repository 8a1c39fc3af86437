package io.kipimo.core.rating.course;

import io.kipimo.core.rating.EarlyStop;
import io.kipimo.core.rating.ExperimentTally;
import io.kipimo.core.rating.ServiceLevelAgreement;
import io.kipimo.core.rating.Verdict;
import io.kipimo.schemas.rating.AgreementTerms;
import io.kipimo.schemas.rating.ExperimentCounts;
import io.kipimo.schemas.rating.LoadModel;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingTrial;
import io.kipimo.schemas.rating.TrialPurpose;
import io.kipimo.schemas.rating.TrialVerdict;

/** What an experiment of a rating comes to. */
public final class ExperimentEvaluator {
    /** Fewer successive requests than these share no fate. */
    private static final double LEAST_DEPENDENCE = 10;

    private static final String LEFT_LATE =
            "requests left the generator so late that the agreement was broken by that";

    private ExperimentEvaluator() {}

    /**
     * What was measured of one experiment, over all generators.
     *
     * @param bottleneck why a generator was the bottleneck; empty: none was
     * @param early whether it was ended before its time
     */
    public record Measured(
            long startedAtMillis,
            long measuredMillis,
            long prepareMillis,
            ExperimentCounts counts,
            double meanMicros,
            long p50Micros,
            long p95Micros,
            long p99Micros,
            String bottleneck,
            boolean early) {}

    /** The experiment as it is kept. */
    public static RatingTrial judge(RatingRequest request, CourseStep.Run run, Measured measured) {
        TrialVerdict verdict = verdict(request, measured);
        boolean isVoid = verdict == TrialVerdict.BOTTLENECK;
        return new RatingTrial(
                run.number(),
                run.load(),
                run.purpose(),
                measured.startedAtMillis(),
                measured.measuredMillis(),
                measured.prepareMillis(),
                verdict,
                throughput(request, run, measured, verdict),
                measured.counts(),
                measured.meanMicros(),
                measured.p50Micros(),
                measured.p95Micros(),
                measured.p99Micros(),
                isVoid
                        ? measured.bottleneck().isEmpty() ? LEFT_LATE : measured.bottleneck()
                        : measured.early() ? "decided early" : "");
    }

    /**
     * Latencies count from the intended start, so that what passes passes however late a generator
     * was. What fails tells nothing of the target if the generator was the bottleneck, or if it
     * would pass when latencies counted from when the requests really left.
     */
    private static TrialVerdict verdict(RatingRequest request, Measured measured) {
        ServiceLevelAgreement agreement = agreement(request);
        ExperimentTally tally = tally(measured.counts());
        boolean open = request.experiments().model() == LoadModel.OPEN;
        if (open && agreement.verdict(tally) == Verdict.PASSED) {
            return TrialVerdict.PASSED;
        }
        ExperimentTally fromSending =
                new ExperimentTally(
                        tally.requests(),
                        measured.counts().withinFromSending(),
                        tally.errors(),
                        tally.reads(),
                        tally.unpredictable(),
                        tally.scored(),
                        tally.qualitySum());
        boolean excused = agreement.verdict(fromSending) != agreement.verdict(tally);
        if (excused || !measured.bottleneck().isEmpty()) {
            return TrialVerdict.BOTTLENECK;
        }
        return agreement.verdict(tally) == Verdict.PASSED
                ? TrialVerdict.PASSED
                : TrialVerdict.FAILED;
    }

    /** An experiment that lost a generator. */
    public static RatingTrial lost(CourseStep.Run run, long startedAtMillis, String remark) {
        return new RatingTrial(
                run.number(),
                run.load(),
                run.purpose(),
                startedAtMillis,
                0,
                0,
                TrialVerdict.LOST,
                0,
                ExperimentCounts.NONE,
                0,
                0,
                0,
                0,
                remark);
    }

    /** With an open load that passes the rating is the rate imposed (sec. 1.1, footnote 3). */
    private static double throughput(
            RatingRequest request, CourseStep.Run run, Measured measured, TrialVerdict verdict) {
        if (request.experiments().model() == LoadModel.OPEN && verdict == TrialVerdict.PASSED) {
            return RatingProtocol.amount(request.experiments(), run.load());
        }
        return measured.measuredMillis() == 0
                ? 0
                : measured.counts().answered() * 1e3 / measured.measuredMillis();
    }

    /**
     * Whether an experiment may end now. One that confirms ends early only when it fails, since to
     * keep the agreement for its whole time is what it is for.
     */
    public static boolean isDecided(
            RatingRequest request, CourseStep.Run run, ExperimentCounts soFar) {
        double error = request.experiments().earlyStopError();
        if (error == 0) {
            return false;
        }
        double amount = RatingProtocol.amount(request.experiments(), run.load());
        boolean open = request.experiments().model() == LoadModel.OPEN;
        // About as many requests meet in one queue as come within the bound.
        double dependence =
                Math.max(
                        LEAST_DEPENDENCE,
                        open ? amount * request.agreement().boundMicros() / 1e6 : amount);
        long expected = open ? (long) (amount * run.millis() / 1e3) : 0;
        EarlyStop.Outlook outlook =
                new EarlyStop(Math.max(1e-12, error), dependence)
                        .of(agreement(request), tally(soFar), expected);
        return outlook == EarlyStop.Outlook.SURELY_FAILS
                || (outlook == EarlyStop.Outlook.SURELY_PASSES
                        && run.purpose() != TrialPurpose.CONFIRM);
    }

    static ServiceLevelAgreement agreement(RatingRequest request) {
        AgreementTerms terms = request.agreement();
        return new ServiceLevelAgreement(
                terms.leastWithin(),
                terms.boundMicros(),
                terms.mostUnpredictable(),
                terms.leastQuality(),
                terms.mostErrors(),
                terms.durationMillis());
    }

    /** The counts that an agreement is judged by. */
    public static ExperimentTally tally(ExperimentCounts counts) {
        return new ExperimentTally(
                counts.requests(),
                counts.within(),
                counts.errors(),
                counts.reads(),
                counts.unpredictable(),
                counts.scored(),
                counts.qualitySum());
    }
}
