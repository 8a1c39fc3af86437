package io.kipimo.jobs.options;

import io.kipimo.kafka.SourceSettings;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.base.DeliveryGuarantee;

/**
 * The options of one job. Reads and checks a configuration.
 *
 * @param <O> values of the options that only this job has
 */
public final class OptionSet<O> {
    /** Prefixes of keys that belong to Flink, or that other code checks. */
    private static final List<String> FOREIGN = List.of(
            "execution.",
            "state.",
            "pipeline.",
            "parallelism.",
            "restart-strategy.",
            "metrics.",
            "rest.",
            "taskmanager.",
            "jobmanager.",
            "high-availability.",
            "heartbeat.",
            "security.",
            "env.",
            "$internal.",
            "classloader.",
            "fs.",
            "table.",
            "blob.",
            "akka.",
            "pekko.",
            "python.",
            "client.",
            "kubernetes.",
            "cluster.",
            "web.",
            "io.",
            "process.",
            KafkaOptions.PROPERTIES_PREFIX);

    private final String job;
    private final Function<OptionReader, Optional<O>> own;
    private final List<BoundedOption<?>> options;

    /**
     * Values of the options that every job has.
     *
     * @param guarantee delivery guarantee of facts, such as measurements; decisions are always at-least-once
     * @param topicReplication replication factor of missing topics, which the job creates; 0: the broker's default
     */
    public record CommonOptions(
            KafkaSettings kafka,
            SourceSettings source,
            DeliveryGuarantee guarantee,
            KafkaOptions.BrokerAway brokerAway,
            short topicReplication) {

        /**
         * Reads the common options and reports problems to the reader.
         *
         * @param job name of the job, part of the consumer group
         */
        public static CommonOptions read(OptionSet.OptionReader reader, String job) {
            return new CommonOptions(
                    KafkaOptions.kafka(reader),
                    KafkaOptions.source(reader, job),
                    reader.get(KafkaOptions.GUARANTEE).flink(),
                    reader.get(KafkaOptions.BROKER_AWAY),
                    reader.get(KafkaOptions.REPLICATION).shortValue());
        }
    }

    /**
     * Values of all options of a job.
     *
     * @param own values of the options that only this job has
     */
    public record Valid<O>(CommonOptions common, O own) {}

    /**
     * @param job name of the job, part of the consumer group
     * @param own reads the options that only this job has, and reports problems; empty if there are problems
     * @param groups groups of options, besides those of every job
     */
    public OptionSet(String job, Function<OptionReader, Optional<O>> own, List<List<BoundedOption<?>>> groups) {
        this.job = job;
        this.own = own;
        this.options = Stream.concat(
                        KafkaOptions.all().stream(), groups.stream().flatMap(List::stream))
                .toList();
    }

    /** Name of the job. */
    public String job() {
        return job;
    }

    /** @throws InvalidOptionsException with every problem, if there is any */
    public Valid<O> read(Configuration config) throws InvalidOptionsException {
        OptionReader reader = reader(config);
        CommonOptions common = CommonOptions.read(reader, job);
        Optional<O> values = own.apply(reader);
        reader.finish();
        return new Valid<>(common, values.orElseThrow());
    }

    public List<BoundedOption<?>> options() {
        return options;
    }

    /** Creates a reader and reports unknown keys to it. */
    private OptionReader reader(Configuration config) {
        OptionReader reader = new OptionReader(config);
        Set<String> known = options.stream().map(BoundedOption::key).collect(Collectors.toSet());
        for (String key : new TreeSet<>(config.keySet())) {
            if (!known.contains(key) && FOREIGN.stream().noneMatch(key::startsWith)) {
                reader.problems.add(key
                        + " is not an option; allowed: "
                        + String.join(", ", new TreeSet<>(known))
                        + ", and Flink's own");
            }
        }
        return reader;
    }

    /** Collects problems while values are read. */
    public static final class OptionReader {
        private final Configuration config;
        private final List<String> problems = new ArrayList<>();

        private OptionReader(Configuration config) {
            this.config = config;
        }

        public <T> T get(BoundedOption<T> option) {
            return option.read(config, problems);
        }

        public Configuration config() {
            return config;
        }

        public void problem(String problem) {
            problems.add(problem);
        }

        /** Reports that a value does not fit other options. */
        void refuse(BoundedOption<Duration> option, Duration value, String allowed) {
            problem(option.key() + " is " + BoundedOption.printable(value) + "; allowed: " + allowed);
        }

        /**
         * Checks that a duration is a multiple of another one, reports a problem if it is not, and returns whether it
         * is.
         *
         * @param name name of the other duration, for the report
         */
        boolean requireMultiple(BoundedOption<Duration> option, Duration value, Duration of, String name) {
            boolean holds = value.toMillis() >= 1 && of.toMillis() >= 1 && value.toMillis() % of.toMillis() == 0;
            if (!holds) {
                refuse(option, value, "a multiple of " + name);
            }
            return holds;
        }

        /**
         * Checks that a duration is at least as long as that of another option, reports a problem if it is not, and
         * returns whether it is.
         */
        boolean requireAtLeast(
                BoundedOption<Duration> option, Duration value, BoundedOption<Duration> other, Duration least) {
            boolean holds = value.compareTo(least) >= 0;
            if (!holds) {
                refuse(option, value, "at least " + other.key());
            }
            return holds;
        }

        /**
         * Calls a constructor with values of the options. If it refuses them, its message becomes a problem, and the
         * result is empty.
         */
        <T> Optional<T> make(Supplier<T> constructor) {
            try {
                return Optional.of(constructor.get());
            } catch (IllegalArgumentException e) {
                problem(e.getMessage());
                return Optional.empty();
            }
        }

        /** @throws InvalidOptionsException if there are problems */
        private void finish() throws InvalidOptionsException {
            if (!problems.isEmpty()) {
                throw new InvalidOptionsException(problems);
            }
        }
    }
}
