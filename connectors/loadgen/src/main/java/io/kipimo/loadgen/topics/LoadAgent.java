package io.kipimo.loadgen.topics;

import io.kipimo.core.tails.LatencySketch;
import io.kipimo.loadgen.generator.LoadMeasurement;
import io.kipimo.loadgen.generator.LoadRun;
import io.kipimo.loadgen.generator.RunSettings;
import io.kipimo.loadgen.rating.LocalRating;
import io.kipimo.loadgen.workload.Restoration;
import io.kipimo.loadgen.workload.Share;
import io.kipimo.loadgen.workload.Target;
import io.kipimo.loadgen.workload.Workload;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.rating.Experiment;
import io.kipimo.schemas.rating.ExperimentCounts;
import io.kipimo.schemas.rating.ExperimentReport;
import io.kipimo.schemas.rating.ExperimentReportBuilder;
import io.kipimo.schemas.rating.ReportStage;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.HistogramIterationValue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A load generator that follows the topic of experiments. When it is started it gets targets by name, and it loads only
 * these. It reports its progress every second and at every change.
 *
 * <p>It runs an experiment once: if it gets the command again, it repeats the result.
 */
public final class LoadAgent implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LoadAgent.class);

    private static final Duration POLL = Duration.ofMillis(50);
    private static final long HEARTBEAT_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Number of results that are kept to be repeated. */
    private static final int KEPT = 200;

    private final String name;
    private final Map<String, Target> targets;
    private final TopicLine<Experiment, ExperimentReport> line;
    private final ExecutorService preparing = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "loadgen-prepare");
        thread.setDaemon(true);
        return thread;
    });
    private final Map<String, ExperimentReport> finished = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ExperimentReport> eldest) {
            return size() > KEPT;
        }
    };
    private final Thread thread;
    private volatile boolean closed;
    private ExperimentPart part;
    private long reportedNanos;

    /** This generator's part of an experiment. */
    private final class ExperimentPart {
        private final Experiment experiment;
        private final Share share;
        private final CompletableFuture<PreparedLoad> prepared;
        private LoadRun run;
        private ReportStage reported;

        ExperimentPart(Experiment experiment) {
            this.experiment = experiment;
            this.share = new Share(
                    experiment.generators().indexOf(name),
                    experiment.generators().size());
            this.prepared = CompletableFuture.supplyAsync(this::prepare, preparing);
        }

        private PreparedLoad prepare() {
            Target target = targets.get(experiment.target());
            if (share.index() > 0) {
                return new PreparedLoad(target.open(share), 0);
            }
            if (experiment.previous().requests() > 0) {
                target.after(experiment.previous());
            }
            long before = System.nanoTime();
            Restoration restoration = target.prepare();
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before);
            return new PreparedLoad(target.open(share), restoration == Restoration.NONE ? 0 : Math.max(1, millis));
        }

        void start() {
            if (run == null && prepared.isDone() && !prepared.isCompletedExceptionally()) {
                run = LoadRun.start(
                        prepared.join().workload(),
                        new RunSettings(
                                LocalRating.load(experiment.model(), experiment.amount(), experiment.thinkMillis()),
                                share,
                                experiment.warmUpMillis(),
                                experiment.millis(),
                                experiment.boundMicros(),
                                experiment.seed()));
            }
        }

        ExperimentReport report() {
            if (!prepared.isDone()) {
                return replyTo(experiment, ReportStage.HERE, "");
            }
            long prepareMillis;
            try {
                prepareMillis = prepared.join().millis();
            } catch (CompletionException e) {
                return replyTo(experiment, ReportStage.REFUSED, shortened(e.getCause()));
            }
            if (run == null) {
                return full(ReportStage.READY, ExperimentCounts.NONE, 0, prepareMillis, null);
            }
            if (!run.result().isDone()) {
                return full(ReportStage.UNDER_WAY, run.counts(), run.measuredMillis(), prepareMillis, null);
            }
            try {
                LoadMeasurement measured = run.result().join();
                return full(ReportStage.DONE, measured.counts(), measured.measuredMillis(), prepareMillis, measured);
            } catch (CompletionException e) {
                return replyTo(experiment, ReportStage.REFUSED, shortened(e.getCause()));
            }
        }

        private ExperimentReport full(
                ReportStage stage,
                ExperimentCounts counts,
                long measuredMillis,
                long prepareMillis,
                LoadMeasurement measured) {
            return ExperimentReportBuilder.builder(replyTo(experiment, stage, ""))
                    .counts(counts)
                    .measuredMillis(measuredMillis)
                    .prepareMillis(prepareMillis)
                    .latencies(measured == null ? new byte[0] : sketch(measured))
                    .lagMicros(measured == null ? 0 : measured.lagMicros())
                    .ownCpu(measured == null ? 0 : measured.ownCpu())
                    .remark(measured == null ? "" : measured.bottleneck())
                    .build();
        }

        void close() {
            if (run != null) {
                run.close();
            }
            var unused = prepared.thenAccept(p -> p.workload().close());
        }
    }

    private record PreparedLoad(Workload workload, long millis) {}

    private LoadAgent(KafkaSettings kafka, String name, Map<String, Target> targets) {
        this.name = name;
        this.targets = Map.copyOf(targets);
        this.line = new TopicLine<>(
                kafka, Topic.EXPERIMENTS, Codecs.EXPERIMENT, Topic.EXPERIMENT_RESULTS, Codecs.EXPERIMENT_REPORT);
        this.thread = new Thread(this::run, "loadgen-agent");
    }

    /**
     * Starts an agent, which follows commands from now on.
     *
     * @param name unique among generators
     * @param targets by the names that experiments use; the caller closes them
     * @throws org.apache.kafka.common.KafkaException if the log is unavailable
     */
    public static LoadAgent start(KafkaSettings kafka, String name, Map<String, Target> targets) {
        LoadAgent agent = new LoadAgent(kafka, name, targets);
        agent.thread.start();
        return agent;
    }

    /** Waits until the agent is closed, see {@link #close}. */
    public void join() throws InterruptedException {
        thread.join();
    }

    private void run() {
        try {
            while (!closed) {
                line.poll(POLL).forEach(this::onCommand);
                announce();
            }
        } finally {
            drop();
            line.close();
        }
    }

    private void onCommand(Experiment command) {
        LOG.debug("received {}", command);
        switch (command.step()) {
            case ROLL_CALL -> {
                if (targets.containsKey(command.target()) && isFree(command)) {
                    line.write(command.ratingId(), replyTo(command, ReportStage.HERE, ""));
                }
            }
            case PREPARE -> prepare(command);
            case RUN -> {
                if (isOf(command)) {
                    part.start();
                } else {
                    repeatReport(command);
                }
            }
            case STOP -> {
                if (isOf(command) && part.run != null) {
                    part.run.stop();
                }
            }
            case CANCEL -> {
                if (isOf(command)) {
                    drop();
                }
            }
        }
    }

    private boolean isOf(Experiment command) {
        return part != null
                && part.experiment.ratingId().equals(command.ratingId())
                && part.experiment.number() == command.number()
                && part.experiment.seed() == command.seed();
    }

    /**
     * Returns whether the agent is free for an experiment. It serves one rating at a time; the rating's next experiment
     * replaces the previous one.
     */
    private boolean isFree(Experiment command) {
        return part == null
                || part.experiment.ratingId().equals(command.ratingId())
                || (part.run != null && part.run.result().isDone());
    }

    private void prepare(Experiment command) {
        if (!command.generators().contains(name)) {
            return;
        }
        if (finished.containsKey(id(command))) {
            repeatReport(command);
        } else if (!isOf(command)) {
            drop();
            if (targets.containsKey(command.target())) {
                part = new ExperimentPart(command);
            } else {
                line.write(
                        command.ratingId(),
                        replyTo(command, ReportStage.REFUSED, "does not know the target " + command.target()));
            }
        }
    }

    private void repeatReport(Experiment command) {
        ExperimentReport report = finished.get(id(command));
        if (report != null) {
            line.write(report.ratingId(), report);
        }
    }

    private void announce() {
        if (part == null) {
            return;
        }
        ExperimentReport report = part.report();
        long now = System.nanoTime();
        if (report.stage() == part.reported && now - reportedNanos < HEARTBEAT_NANOS) {
            return;
        }
        part.reported = report.stage();
        reportedNanos = now;
        line.write(report.ratingId(), report);
        if (report.stage() == ReportStage.DONE) {
            finished.put(id(part.experiment), report);
            drop();
        } else if (report.stage() == ReportStage.REFUSED) {
            LOG.warn("{}: {}", id(part.experiment), report.remark());
            drop();
        }
    }

    private void drop() {
        if (part != null) {
            part.close();
            part = null;
        }
    }

    private static String id(Experiment experiment) {
        return experiment.ratingId() + '/' + experiment.number() + '/' + experiment.seed();
    }

    private ExperimentReport replyTo(Experiment experiment, ReportStage stage, String remark) {
        return ExperimentReportBuilder.builder()
                .ratingId(experiment.ratingId())
                .number(experiment.number())
                .generator(name)
                .stage(stage)
                .atMillis(System.currentTimeMillis())
                .counts(ExperimentCounts.NONE)
                .latencies(new byte[0])
                .remark(remark)
                .seed(experiment.seed())
                .build();
    }

    private static String shortened(Throwable cause) {
        String text = String.valueOf(cause).replaceAll("\\p{Cntrl}+", " ");
        return text.length() <= 200 ? text : text.substring(0, 200);
    }

    private static byte[] sketch(LoadMeasurement measured) {
        LatencySketch sketch = new LatencySketch();
        for (HistogramIterationValue bucket : measured.latencies().recordedValues()) {
            for (long i = bucket.getCountAddedInThisIterationStep(); i > 0; i--) {
                sketch.record(bucket.getValueIteratedTo());
            }
        }
        return sketch.toBytes();
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join(5_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        preparing.shutdownNow();
    }
}
