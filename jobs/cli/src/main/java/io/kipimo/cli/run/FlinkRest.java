package io.kipimo.cli.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.jobs.options.SubmissionRefusedException;
import io.kipimo.jobs.submission.Surroundings;
import io.kipimo.sdk.internal.http.BoundedExchange;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** A client for the part of Flink's REST interface that submits and inspects jobs. */
public final class FlinkRest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration CONNECT = Duration.ofSeconds(10);

    /** Number of innermost causes that are shown. The outer ones only say that the job failed. */
    private static final int MOST_CAUSES = 4;

    /** Time-out of a request. The longest requests upload a jar or make a job's plan. */
    private static final Duration LONGEST = Duration.ofMinutes(2);

    private static final String BOUNDARY = "kipimo-job-jar-1f0c9a27";

    /** Text in Flink's answer if a job takes no checkpoints. */
    private static final String NO_CHECKPOINTS = "Checkpointing is not enabled";

    private final BoundedExchange http = new BoundedExchange(
            HttpClient.newBuilder().connectTimeout(CONNECT).build(), LONGEST, BoundedExchange.LARGEST_PAGE);
    private final URI root;

    private FlinkRest(URI root) {
        String text = root.toString();
        this.root = URI.create(text.endsWith("/") ? text : text + "/");
    }

    /** Returns a client that only inspects jobs. It does not check whether the server accepts jobs. */
    public static FlinkRest at(URI root) {
        return new FlinkRest(root);
    }

    /** Returns all jobs, each with {@code name} and {@code state}. */
    public JsonNode jobs() throws InterruptedException {
        return get("jobs/overview").path("jobs");
    }

    /** Returns the metrics of a running job's tasks whose names match, each summed over all subtasks. */
    public Map<String, Long> sums(String job, Pattern names) throws InterruptedException {
        Map<String, Long> sums = new TreeMap<>();
        for (JsonNode vertex : vertices(job)) {
            String metrics = "jobs/" + job + "/vertices/" + vertex.path("id").asText() + "/subtasks/metrics";
            for (JsonNode metric : get(metrics)) {
                String name = metric.path("id").asText();
                if (names.matcher(name).matches()) {
                    String asked = URLEncoder.encode(name, StandardCharsets.UTF_8);
                    for (JsonNode sum : get(metrics + "?agg=sum&get=" + asked)) {
                        sums.merge(name, sum.path("sum").asLong(), Long::sum);
                    }
                }
            }
        }
        return sums;
    }

    /** Returns the tasks of a job, each with {@code name}, {@code parallelism} and {@code maxParallelism}. */
    public JsonNode vertices(String job) throws InterruptedException {
        return get("jobs/" + job).path("vertices");
    }

    /** Returns the global parameters of a job, in which a Kipimo job states what it is. */
    public JsonNode parameters(String job) throws InterruptedException {
        return get("jobs/" + job + "/config").at("/execution-config/user-config");
    }

    /** Time between two checkpoints, milliseconds; empty: the job takes none. */
    public OptionalLong checkpointIntervalMillis(String job) throws InterruptedException {
        JsonNode config;
        try {
            config = get("jobs/" + job + "/checkpoints/config");
        } catch (InputException e) {
            if (e.getMessage().contains(NO_CHECKPOINTS)) {
                return OptionalLong.empty();
            }
            throw e;
        }
        long millis = config.path("interval").asLong();
        return millis == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(millis);
    }

    /** A metric of a job; empty if Flink does not know it, or does not know it yet. */
    public OptionalLong metric(String job, String name) throws InterruptedException {
        JsonNode value = get("jobs/" + job + "/metrics?get=" + name).at("/0/value");
        return value.asText().matches("-?\\d+") ? OptionalLong.of(value.asLong()) : OptionalLong.empty();
    }

    /** Version of Flink. */
    public String version() throws InterruptedException {
        return get("config").path("flink-version").asText();
    }

    /** @throws InputException if nothing answers at the address, or the server does not accept these jobs */
    static FlinkRest connect(URI root) throws InterruptedException {
        FlinkRest flink = new FlinkRest(root);
        JsonNode config = flink.get("config");
        Optional<String> reason =
                Surroundings.whyNotOn(config.path("flink-version").asText());
        if (reason.isPresent()) {
            throw new InputException("Flink at " + root + " " + reason.get());
        }
        InputException.throwIf(
                !config.path("features").path("web-submit").asBoolean(),
                ("Flink at %s accepts no jobs here (web.submit.enable is false, or it runs one "
                                + "application only); allowed: a session cluster that does")
                        .formatted(root));
        return flink;
    }

    /**
     * Uploads a jar and runs its main class.
     *
     * @param savepoint savepoint to restore; null: none
     * @param parallelism number of parallel subtasks; null: the cluster's default
     * @return the job's id
     * @throws InputException with the reason from Flink or the job
     */
    String run(Path jar, List<String> arguments, String savepoint, Integer parallelism) throws InterruptedException {
        String uploaded = upload(jar);
        try {
            ObjectNode body = JSON.createObjectNode();
            arguments.forEach(body.putArray("programArgsList")::add);
            if (savepoint != null) {
                body.put("savepointPath", savepoint);
            }
            if (parallelism != null) {
                body.put("parallelism", parallelism);
            }
            return send(request("jars/" + uploaded + "/run")
                            .header("Content-Type", "application/json")
                            .POST(BodyPublishers.ofString(body.toString())))
                    .path("jobid")
                    .asText();
        } finally {
            // The job keeps its own copy.
            send(request("jars/" + uploaded).DELETE());
        }
    }

    /** Returns {@code STARTING} until all subtasks of a job run or one has failed, and then the job's state. */
    String state(String job) throws InterruptedException {
        JsonNode node = get("jobs/" + job);
        String state = node.path("state").asText();
        if (List.of("INITIALIZING", "CREATED").contains(state)) {
            return "STARTING";
        }
        if (state.equals("RUNNING")) {
            for (JsonNode vertex : node.path("vertices")) {
                String status = vertex.path("status").asText();
                if (!status.equals("RUNNING") && !status.equals("FINISHED")) {
                    return "STARTING";
                }
            }
        }
        return state;
    }

    /** Explains why a job does not run, by the first lines of the causes. */
    String failure(String job) throws InterruptedException {
        JsonNode entry = get("jobs/" + job + "/exceptions")
                .path("exceptionHistory")
                .path("entries")
                .path(0);
        String causes = causes(entry.path("stacktrace").asText());
        return causes.isEmpty() ? lackOfSlots(job).orElse("it has not started yet") : causes;
    }

    /** Explains that a job without a failure waits for slots; empty if it does not wait. */
    private Optional<String> lackOfSlots(String job) throws InterruptedException {
        int needed = 0;
        boolean waits = false;
        for (JsonNode vertex : vertices(job)) {
            needed = Math.max(needed, vertex.path("parallelism").asInt());
            waits |= List.of("CREATED", "SCHEDULED")
                    .contains(vertex.path("status").asText());
        }
        // Those that it has already do not count as free.
        int total = get("overview").path("slots-total").asInt();
        return waits
                ? Optional.of(("it waits for slots: it needs %s%s; allowed: more TaskManagers, with which it starts "
                                + "by itself, or a smaller --parallelism")
                        .formatted(
                                needed,
                                total < needed
                                        ? ", and the cluster has " + total
                                        : ", and other jobs have too many of the cluster's " + total))
                : Optional.empty();
    }

    private String upload(Path jar) throws InterruptedException {
        BodyPublisher file;
        try {
            file = BodyPublishers.ofFile(jar);
        } catch (FileNotFoundException e) {
            throw new InputException("--jar is '" + jar + "'; allowed: a readable file");
        }
        BodyPublisher body = BodyPublishers.concat(
                BodyPublishers.ofString("--"
                        + BOUNDARY
                        + "\r\nContent-Disposition: form-data; name=\"jarfile\"; filename=\"kipimo-job.jar\""
                        + "\r\nContent-Type: application/java-archive\r\n\r\n"),
                file,
                BodyPublishers.ofString("\r\n--" + BOUNDARY + "--\r\n"));
        String path = send(request("jars/upload")
                        .header("Content-Type", "multipart/form-data; boundary=" + BOUNDARY)
                        .POST(body))
                .path("filename")
                .asText();
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private JsonNode get(String path) throws InterruptedException {
        return send(request(path));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(root.resolve(path));
    }

    private JsonNode send(HttpRequest.Builder builder) throws InterruptedException {
        HttpRequest request = builder.build();
        HttpResponse<String> response;
        try {
            response = http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new InputException(
                    "nothing answers at " + root + " (" + e + "); allowed: the REST address of a Flink JobManager");
        }
        JsonNode body;
        try {
            body = JSON.readTree(response.body());
        } catch (JsonProcessingException e) {
            throw new InputException(
                    "what answers at " + root + " is not Flink; allowed: the REST address of a Flink JobManager");
        }
        if (response.statusCode() / 100 != 2) {
            throw new InputException(problems(body));
        }
        return body;
    }

    /** Extracts the problems of the job's options if the job reports some; otherwise all causes in one line. */
    private static List<String> problems(JsonNode body) {
        StringBuilder all = new StringBuilder();
        body.path("errors").forEach(error -> all.append(error.asText()).append('\n'));
        String text = all.toString();
        String refusal = SubmissionRefusedException.class.getName() + ": ";
        int begin = text.lastIndexOf(refusal);
        if (begin >= 0) {
            return text.substring(begin + refusal.length())
                    .lines()
                    .takeWhile(line -> !line.startsWith("\tat ") && !line.startsWith("\t... "))
                    .toList();
        }
        return List.of(
                text.contains(UnsupportedClassVersionError.class.getName())
                        ? "Flink's JobManager runs on a Java before 17; allowed: 17 or newer"
                        : "Flink refuses: " + causes(text));
    }

    /** Returns the innermost messages of a stack trace, without the package names of exceptions. */
    static String causes(String trace) {
        List<String> messages = trace.lines()
                .filter(line -> !line.isBlank() && !line.startsWith("\t") && !line.startsWith("<"))
                .map(line -> line.replaceAll("(Caused by: )?([a-z][\\w$]*\\.)+(?=[A-Z])", "")
                        .strip())
                .distinct()
                .toList();
        int from = Math.max(0, messages.size() - MOST_CAUSES);
        return String.join("; ", messages.subList(from, messages.size()));
    }
}
