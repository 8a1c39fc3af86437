package io.kipimo.jobs.submission;

import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.flink.InstalledFlink;
import io.kipimo.jobs.options.InvalidOptionsException;
import io.kipimo.jobs.options.KafkaOptions.BrokerAway;
import io.kipimo.jobs.options.OptionSet.CommonOptions;
import io.kipimo.jobs.options.SubmissionRefusedException;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.BrokerUnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * A job to start, with its options, from arguments {@code JOB [--config FILE]… [-Dkey=value]…}. Files are Java
 * properties; a later value overrides an earlier one.
 *
 * @param values checked options by key
 */
public record Submission(KipimoJob job, Map<String, String> values) {
    /** Global job parameter that names the job. */
    public static final String SHOWN_JOB = "kipimo.job";

    /** Form of a job's command line. */
    static final String USAGE = "JOB [--config FILE]... [-Dkey=value]... [--help]";

    private static final String CONFIG = "--config";
    private static final long RETRY_MILLIS = 5_000;

    /**
     * Reads the arguments and checks everything that can be checked without a broker.
     *
     * @throws SubmissionRefusedException with every problem: which key or argument, which value, what is allowed
     */
    public static Submission of(List<String> arguments) {
        List<String> problems = new ArrayList<>();
        KipimoJob job = null;
        Map<String, String> values = new TreeMap<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (i == 0 && !argument.startsWith("-")) {
                job = KipimoJob.named(argument).orElse(null);
                if (job == null) {
                    problems.add("job is '" + argument + "'; allowed: " + KipimoJob.names());
                }
            } else if (argument.equals(CONFIG) && i + 1 < arguments.size()) {
                values.putAll(read(arguments.get(++i), problems));
            } else if (argument.startsWith("-D") && argument.indexOf('=') > 2) {
                int equals = argument.indexOf('=');
                values.put(argument.substring(2, equals), argument.substring(equals + 1));
            } else {
                problems.add("argument '" + argument + "' is unknown; allowed: " + USAGE);
            }
        }
        if (arguments.isEmpty() || arguments.get(0).startsWith("-")) {
            problems.add("the job is missing; allowed as first argument: " + KipimoJob.names());
        }
        Submission submission = new Submission(job, values);
        if (job != null) {
            try {
                submission.check();
            } catch (InvalidOptionsException e) {
                problems.addAll(e.problems());
            }
        }
        if (!problems.isEmpty()) {
            throw new SubmissionRefusedException(problems);
        }
        return submission;
    }

    /** Returns arguments that give an equal submission on a machine without the files. */
    public List<String> arguments() {
        List<String> arguments = new ArrayList<>();
        arguments.add(job.jobName());
        values.forEach((key, value) -> arguments.add("-D" + key + "=" + value));
        return arguments;
    }

    /**
     * Runs the job to its end, or submits it to the cluster.
     *
     * @throws SubmissionRefusedException if the options do not fit the existing topics or partitions
     * @throws BrokerUnavailableException if no broker answers and the job may not wait for one
     * @throws Exception if the job fails
     */
    public void execute() throws Exception {
        KipimoJob.Checked checked = check();
        JobEnvironment.slowRpcTicks();
        StreamExecutionEnvironment env = environment();
        Surroundings.checkBackend(env.getConfiguration());
        awaitTopics(checked.common());
        Surroundings.checkPartitions(env.getConfiguration(), checked.common().kafka());
        checked.topology().addTo(env);
        env.execute(env.getConfiguration().getOptional(PipelineOptions.NAME).orElse(job.flinkName()));
    }

    /**
     * Creates the environment in which the job runs. The job's own options override the cluster's, and the cluster's
     * override Kipimo's defaults. The cluster's options are those of the process in which {@code flink run}, the REST
     * interface or application mode starts the job.
     */
    public StreamExecutionEnvironment environment() {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(configuration());
        Configuration config = JobEnvironment.withDefaults(env.getConfiguration(), job.bufferTimeout());
        // Flink's REST interface shows it, whatever the job is called.
        Map<String, String> shown = new TreeMap<>(
                config.getOptional(PipelineOptions.GLOBAL_JOB_PARAMETERS).orElse(Map.of()));
        shown.put(SHOWN_JOB, job.jobName());
        config.set(PipelineOptions.GLOBAL_JOB_PARAMETERS, shown);
        env.configure(config);
        return env;
    }

    /**
     * Checks the job's options with the users' own classes on the class path. Flink itself adds these classes only for
     * tasks.
     */
    private KipimoJob.Checked check() throws InvalidOptionsException {
        Configuration configuration = configuration();
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        List<URL> urls;
        try {
            urls = InstalledFlink.userClassPaths(configuration);
        } catch (MalformedURLException e) {
            throw new InvalidOptionsException(
                    List.of("%s is '%s'; allowed: URLs such as file:///opt/own.jar, separated by ;"
                            .formatted(
                                    PipelineOptions.CLASSPATHS.key(), values.get(PipelineOptions.CLASSPATHS.key()))));
        }
        // Open for as long as the job's objects may use the classes: until the process ends.
        thread.setContextClassLoader(new URLClassLoader(urls.toArray(URL[]::new), before));
        try {
            return job.check(configuration);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private Configuration configuration() {
        return Configuration.fromMap(values);
    }

    private static Map<String, String> read(String file, List<String> problems) {
        Properties properties = new Properties();
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            properties.load(in);
        } catch (IOException | IllegalArgumentException e) {
            problems.add("%s is '%s', which cannot be read (%s); allowed: a file of Java properties"
                    .formatted(CONFIG, file, e));
        }
        Map<String, String> values = new TreeMap<>();
        properties.stringPropertyNames().forEach(k -> values.put(k, properties.getProperty(k)));
        return values;
    }

    /** Waits for a broker, then creates missing topics. */
    private static void awaitTopics(CommonOptions options) throws InterruptedException {
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
}
