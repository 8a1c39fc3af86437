package io.kipimo.jobs;

import io.kipimo.jobs.options.InvalidOptionsException;
import io.kipimo.jobs.options.JobOptions;
import io.kipimo.jobs.options.KafkaOptions.BrokerAway;
import io.kipimo.jobs.options.OptionSet;
import io.kipimo.sdk.kafka.BrokerUnavailableException;
import io.kipimo.sdk.kafka.TopicAdmin;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * The entry of every job: {@code [--options FILE] [-Dkey=value]…}; the file is in the Java
 * properties format. Exits with 2 and one line a problem on standard error when the options or the
 * broker are wrong.
 */
public final class JobMain {
    private static final long RETRY_MILLIS = 5_000;

    private JobMain() {}

    /** Makes typed options of a configuration. */
    public interface OptionsReader<O> {
        O read(Configuration config) throws InvalidOptionsException;
    }

    /** Adds a job to an environment. */
    public interface JobDefinition<O> {
        void define(StreamExecutionEnvironment env, O options);
    }

    /** Wrong use of the command line. */
    private static final class UsageException extends Exception {
        private static final long serialVersionUID = 1L;

        UsageException(String message) {
            super(message);
        }
    }

    /** Runs a job to its end, or submits it where Flink runs detached. */
    public static <O extends CommonOptions> void run(
            String[] args,
            String name,
            OptionSet set,
            OptionsReader<O> reader,
            JobDefinition<O> job) {
        if (List.of(args).contains("--help")) {
            printHelp(name, set, System.out);
            return;
        }
        try {
            Configuration config = configuration(args);
            O options = reader.read(config);
            awaitTopics(options.common());
            StreamExecutionEnvironment env =
                    StreamExecutionEnvironment.getExecutionEnvironment(
                            JobEnvironment.withDefaults(config));
            job.define(env, options);
            env.execute("kipimo-" + name);
        } catch (UsageException | InvalidOptionsException | BrokerUnavailableException e) {
            fail(e.getMessage(), 2);
        } catch (Exception e) {
            throw new IllegalStateException("job " + name + " failed: " + e.getMessage(), e);
        }
    }

    /** What options records have in common. */
    public interface CommonOptions {
        JobOptions common();
    }

    private static Configuration configuration(String[] args) throws UsageException {
        Map<String, String> values = new TreeMap<>();
        for (int i = 0; i < args.length; i++) {
            String arg = args[i];
            if (arg.equals("--options") && i + 1 < args.length) {
                values.putAll(read(Path.of(args[++i])));
            } else if (arg.startsWith("-D") && arg.indexOf('=') > 2) {
                values.put(arg.substring(2, arg.indexOf('=')), arg.substring(arg.indexOf('=') + 1));
            } else {
                throw new UsageException(
                        "argument '"
                                + arg
                                + "' is not known; allowed: --options FILE, -Dkey=value, --help");
            }
        }
        return Configuration.fromMap(values);
    }

    private static Map<String, String> read(Path file) throws UsageException {
        Properties properties = new Properties();
        try (InputStream in = Files.newInputStream(file)) {
            properties.load(in);
        } catch (IOException | IllegalArgumentException e) {
            throw new UsageException("options file " + file + " cannot be read: " + e.getMessage());
        }
        Map<String, String> values = new TreeMap<>();
        properties.stringPropertyNames().forEach(k -> values.put(k, properties.getProperty(k)));
        return values;
    }

    /** Returns when a broker answers and all topics are there; creates those that are missing. */
    static void awaitTopics(JobOptions options)
            throws BrokerUnavailableException, InterruptedException {
        while (true) {
            try {
                TopicAdmin.createMissing(options.kafka(), 0, options.topicReplication());
                return;
            } catch (BrokerUnavailableException e) {
                if (options.brokerAway() == BrokerAway.EXIT) {
                    throw e;
                }
                System.err.println(e.getMessage() + "; trying again in 5 s");
                Thread.sleep(RETRY_MILLIS);
            }
        }
    }

    private static void printHelp(String name, OptionSet set, PrintStream out) {
        List<String> lines = new ArrayList<>();
        lines.add("kipimo " + name + " job: [--options FILE] [-Dkey=value]...");
        lines.add("");
        set.options()
                .forEach(
                        o ->
                                lines.add(
                                        "  -D"
                                                + o.key()
                                                + "="
                                                + (o.option().hasDefaultValue()
                                                        ? o.option().defaultValue()
                                                        : "")
                                                + "\n      "
                                                + o.description()
                                                + " Allowed: "
                                                + o.allowed()));
        lines.forEach(out::println);
    }

    private static void fail(String message, int status) {
        System.err.println(message);
        System.exit(status);
    }
}
