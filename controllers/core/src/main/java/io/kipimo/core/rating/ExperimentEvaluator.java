package io.kipimo.core.rating;

import io.kipimo.schemas.rating.AgreementTerms;
import io.kipimo.schemas.rating.ExperimentCounts;
import io.kipimo.schemas.rating.ExperimentCountsBuilder;
import io.kipimo.schemas.rating.LoadModel;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingTrial;
import io.kipimo.schemas.rating.RatingTrialBuilder;
import io.kipimo.schemas.rating.TrialPurpose;
import io.kipimo.schemas.rating.TrialVerdict;

/** Evaluates the experiments of a rating against its agreement. */
public final class ExperimentEvaluator {
    /** Least number of successive requests that are assumed to be correlated. */
    private static final double LEAST_DEPENDENCE = 10;

    private static final String LEFT_LATE = "requests left the generator so late that this alone broke the agreement";

    private ExperimentEvaluator() {}

    /**
     * Measurements of one experiment, over all generators.
     *
     * @param bottleneck why a generator was the bottleneck; empty: no generator was
     * @param early whether the experiment ended before its time
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

    /** Turns measurements into the record of the experiment, with its verdict. */
    public static RatingTrial judge(RatingRequest request, CourseStep.CourseRun run, Measured measured) {
        TrialVerdict verdict = verdict(request, measured);
        boolean isVoid = verdict == TrialVerdict.BOTTLENECK;
        return RatingTrialBuilder.builder()
                .number(run.number())
                .load(run.load())
                .purpose(run.purpose())
                .startedAtMillis(measured.startedAtMillis())
                .measuredMillis(measured.measuredMillis())
                .prepareMillis(measured.prepareMillis())
                .verdict(verdict)
                .throughput(throughput(request, run, measured, verdict))
                .counts(measured.counts())
                .meanMicros(measured.meanMicros())
                .p50Micros(measured.p50Micros())
                .p95Micros(measured.p95Micros())
                .p99Micros(measured.p99Micros())
                .remark(
                        isVoid
                                ? measured.bottleneck().isEmpty() ? LEFT_LATE : measured.bottleneck()
                                : measured.early() ? "decided early" : "")
                .build();
    }

    /**
     * Latencies count from the intended start of a request. An open load that passes is therefore valid even if a
     * generator was late. A failure is no evidence against the target if the generator was the bottleneck, or if the
     * experiment would pass with latencies counted from the actual sending.
     */
    private static TrialVerdict verdict(RatingRequest request, Measured measured) {
        AgreementTerms agreement = request.agreement();
        ExperimentCounts counts = measured.counts();
        Verdict verdict = verdict(counts, agreement);
        if (verdict == Verdict.PASSED && request.experiments().model() == LoadModel.OPEN) {
            return TrialVerdict.PASSED;
        }
        ExperimentCounts fromSending = ExperimentCountsBuilder.builder(counts)
                .within(counts.withinFromSending())
                .build();
        boolean excused = verdict(fromSending, agreement) != verdict;
        if (excused || !measured.bottleneck().isEmpty()) {
            return TrialVerdict.BOTTLENECK;
        }
        return verdict == Verdict.PASSED ? TrialVerdict.PASSED : TrialVerdict.FAILED;
    }

    /** Record of an experiment that lost a generator. */
    public static RatingTrial lost(CourseStep.CourseRun run, long startedAtMillis, String remark) {
        return RatingTrialBuilder.builder()
                .number(run.number())
                .load(run.load())
                .purpose(run.purpose())
                .startedAtMillis(startedAtMillis)
                .verdict(TrialVerdict.LOST)
                .counts(ExperimentCounts.NONE)
                .remark(remark)
                .build();
    }

    /** Throughput in requests a second. For an open load that passes it is the imposed rate (sec. 1.1, footnote 3). */
    private static double throughput(
            RatingRequest request, CourseStep.CourseRun run, Measured measured, TrialVerdict verdict) {
        if (request.experiments().model() == LoadModel.OPEN && verdict == TrialVerdict.PASSED) {
            return RatingProtocol.amount(request.experiments(), run.load());
        }
        return measured.measuredMillis() == 0 ? 0 : measured.counts().answered() * 1e3 / measured.measuredMillis();
    }

    /**
     * Whether an experiment may end now. A confirmation ends early only if it fails, because its purpose is to show
     * that the agreement is kept for the whole time.
     */
    public static boolean isDecided(RatingRequest request, CourseStep.CourseRun run, ExperimentCounts soFar) {
        double error = request.experiments().earlyStopError();
        if (error == 0) {
            return false;
        }
        double amount = RatingProtocol.amount(request.experiments(), run.load());
        boolean open = request.experiments().model() == LoadModel.OPEN;
        // About as many requests share a queue as arrive within the latency bound.
        double dependence =
                Math.max(LEAST_DEPENDENCE, open ? amount * request.agreement().boundMicros() / 1e6 : amount);
        long expected = open ? (long) (amount * run.millis() / 1e3) : 0;
        EarlyStop.Outlook outlook =
                new EarlyStop(Math.max(1e-12, error), dependence).of(request.agreement(), soFar, expected);
        return outlook == EarlyStop.Outlook.SURELY_FAILS
                || (outlook == EarlyStop.Outlook.SURELY_PASSES && run.purpose() != TrialPurpose.CONFIRM);
    }

    /** Verdict on a finished experiment. An experiment without requests fails. */
    public static Verdict verdict(ExperimentCounts counts, AgreementTerms agreement) {
        boolean kept = counts.requests() > 0
                && counts.within() >= agreement.leastWithin() * counts.requests()
                && counts.errors() <= agreement.mostErrors() * counts.requests()
                && counts.unpredictable() <= agreement.mostUnpredictable() * counts.reads()
                && (agreement.leastQuality() == 0
                        || (counts.scored() > 0 && counts.qualitySum() >= agreement.leastQuality() * counts.scored()));
        return kept ? Verdict.PASSED : Verdict.FAILED;
    }
}
