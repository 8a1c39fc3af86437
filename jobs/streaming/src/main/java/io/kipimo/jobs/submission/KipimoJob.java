package io.kipimo.jobs.submission;

import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.admission.AdmissionJob;
import io.kipimo.jobs.invalidation.InvalidationJob;
import io.kipimo.jobs.options.InvalidOptionsException;
import io.kipimo.jobs.options.OptionSet;
import io.kipimo.jobs.options.OptionSet.CommonOptions;
import io.kipimo.jobs.quality.QualityJob;
import io.kipimo.jobs.rating.RatingJob;
import io.kipimo.jobs.replication.ReplicationJob;
import io.kipimo.jobs.tails.TailsJob;
import io.kipimo.jobs.ttl.TtlJob;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** All jobs of Kipimo. */
public enum KipimoJob {
    QUALITY(new JobParts<>(QualityJob.OPTIONS, QualityJob::define)),
    ADMISSION(new JobParts<>(AdmissionJob.OPTIONS, AdmissionJob::define)),
    TAILS(new JobParts<>(TailsJob.OPTIONS, TailsJob::define)),
    REPLICATION(new JobParts<>(ReplicationJob.OPTIONS, ReplicationJob::define)),
    RATING(new JobParts<>(RatingJob.OPTIONS, RatingJob::define)),
    TTL(new JobParts<>(TtlJob.OPTIONS, TtlJob::define)),
    INVALIDATION(new JobParts<>(InvalidationJob.OPTIONS, InvalidationJob::define));

    // The enum holds method references only.
    @SuppressWarnings("ImmutableEnumChecker")
    private final JobParts<?> parts;

    KipimoJob(JobParts<?> parts) {
        this.parts = parts;
    }

    private interface GraphDefinition<O> {
        void define(StreamExecutionEnvironment env, OptionSet.Valid<O> options);
    }

    private record JobParts<O>(OptionSet<O> set, GraphDefinition<O> definition) {
        Checked check(Configuration config) throws InvalidOptionsException {
            OptionSet.Valid<O> options = set.read(config);
            return new Checked(options.common(), env -> definition.define(env, options));
        }
    }

    /** A job with valid options. */
    public record Checked(CommonOptions common, Topology topology) {}

    /** Adds a job to an environment, for which it asks the brokers. */
    public interface Topology {
        void addTo(StreamExecutionEnvironment env);
    }

    /** Name of the job in commands, in lower case. */
    public String jobName() {
        return parts.set().job();
    }

    /** Default name of the job in Flink's web page. */
    public String flinkName() {
        return "kipimo-" + jobName();
    }

    /** Finds the job that has this name in Flink by default. */
    public static Optional<KipimoJob> ofFlink(String name) {
        return Arrays.stream(values())
                .filter(job -> job.flinkName().equals(name))
                .findFirst();
    }

    /**
     * Default of the greatest delay at the output of sources. It is shorter in the invalidation job, because pages and
     * purges wait for its notifications.
     */
    public Duration bufferTimeout() {
        return this == INVALIDATION ? Duration.ofMillis(1) : JobEnvironment.BUFFER_TIMEOUT;
    }

    public OptionSet<?> options() {
        return parts.set();
    }

    /**
     * Checks the options without reading files or asking brokers.
     *
     * @throws InvalidOptionsException with every problem, if there is any
     */
    public Checked check(Configuration config) throws InvalidOptionsException {
        return parts.check(config);
    }

    /** Finds the job of a name in upper or lower case. */
    public static Optional<KipimoJob> named(String name) {
        return Arrays.stream(values())
                .filter(job -> job.jobName().equals(name.toLowerCase(Locale.ROOT)))
                .findFirst();
    }

    /** The names of all jobs, for messages. */
    public static String names() {
        return Arrays.stream(values()).map(KipimoJob::jobName).collect(Collectors.joining(", "));
    }
}
