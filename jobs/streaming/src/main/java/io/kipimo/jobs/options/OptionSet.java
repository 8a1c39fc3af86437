package io.kipimo.jobs.options;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.flink.configuration.Configuration;

/** All options of one job; reads and checks a configuration. */
public final class OptionSet {
    /** Prefixes of keys that belong to Flink or are checked elsewhere. */
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

    private final List<BoundedOption<?>> options;

    public OptionSet(List<List<BoundedOption<?>>> groups) {
        this.options = groups.stream().flatMap(List::stream).collect(Collectors.toUnmodifiableList());
    }

    public List<BoundedOption<?>> options() {
        return options;
    }

    /** A reader that has already reported unknown keys. */
    public Reader reader(Configuration config) {
        Reader reader = new Reader(config);
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
    public static final class Reader {
        private final Configuration config;
        private final List<String> problems = new ArrayList<>();

        private Reader(Configuration config) {
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

        /** @throws InvalidOptionsException if anything was wrong */
        public void finish() throws InvalidOptionsException {
            if (!problems.isEmpty()) {
                throw new InvalidOptionsException(problems);
            }
        }
    }
}
