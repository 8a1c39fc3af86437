package io.kipimo.simulator.scenario;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import io.kipimo.schemas.document.DocumentSchema;
import io.kipimo.schemas.document.MappingShape;
import io.kipimo.schemas.document.YamlDocument;
import io.kipimo.simulator.control.ControlSpec;
import io.kipimo.simulator.control.ReplicationSpec;
import io.kipimo.simulator.service.ServiceSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Reads a scenario, or refuses it with all its problems. */
public final class ScenarioReader {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final double LONGEST_SECONDS = 366 * 86_400.0;

    private ScenarioReader() {}

    /**
     * Reads a scenario of a service.
     *
     * @param files reads files that the scenario names
     * @throws ScenarioException if the scenario is invalid
     */
    public static Scenario read(String text, Function<String, String> files) {
        return read(tree(text), files);
    }

    /**
     * The same, from its tree.
     *
     * @throws ScenarioException if the scenario is invalid
     */
    public static Scenario read(JsonNode tree, Function<String, String> files) {
        return valid(tree, fields -> read(fields, new ServiceReader(files)));
    }

    /**
     * Reads a scenario of caches.
     *
     * @throws ScenarioException if the scenario is invalid
     */
    public static CachingScenario readCaching(JsonNode tree) {
        return valid(tree, CachingReader::read);
    }

    /** Whether a scenario is one of caches, by its section {@value CachingReader#SECTION}. */
    public static boolean isOfCaches(JsonNode tree) {
        return tree.has(CachingReader.SECTION);
    }

    /**
     * The fields of a scenario, of either kind.
     *
     * @throws ScenarioException if it is no YAML document
     */
    public static JsonNode tree(String text) {
        try {
            return YamlDocument.read(text);
        } catch (JsonProcessingException e) {
            throw new ScenarioException(List.of(where(e)
                    + (e instanceof MismatchedInputException
                            ? "goes on after its end; allowed: one document"
                            : e.getOriginalMessage()
                                    .replaceAll(", from `[^`]*`", "")
                                    .replaceAll("\\s+", " "))));
        }
    }

    private static <T> T valid(JsonNode tree, Function<Fields, Optional<T>> reader) {
        List<String> problems = new ArrayList<>();
        Optional<T> scenario = reader.apply(new Fields("", tree, problems, new MappingShape()));
        if (!problems.isEmpty()) {
            throw new ScenarioException(problems);
        }
        return scenario.orElseThrow();
    }

    /** JSON Schema of scenarios of caches. */
    public static Map<String, Object> cachingSchema() {
        return DocumentSchema.of(
                "Scenario of caches of Kipimo's simulator",
                (sample, shape) ->
                        CachingReader.read(new Fields("", JSON.valueToTree(sample), new ArrayList<>(), shape)));
    }

    /** JSON Schema of scenarios: keys, types, ranges and constants; reading checks more. */
    public static Map<String, Object> schema() {
        // Control is read for a service that makes sense, which samples rarely have.
        ServiceSpec known = BuiltIn.scenario(BuiltIn.names().get(0)).service();
        return DocumentSchema.of("Scenario of Kipimo's simulator", (sample, shape) -> {
            JsonNode tree = JSON.valueToTree(sample);
            List<String> ignored = new ArrayList<>();
            read(new Fields("", tree, ignored, shape), new ServiceReader(file -> "1"));
            ControlReader.read(new Fields("", tree.path("control"), ignored, shape.mapping("control")), known);
        });
    }

    private static Optional<Scenario> read(Fields fields, ServiceReader services) {
        String name = fields.text("name");
        String description = fields.text("description", "");
        double seconds = fields.number("seconds", 1e-3, LONGEST_SECONDS);
        double warmUp = fields.number("warm_up_seconds", 0, 0, LONGEST_SECONDS);
        double slot = fields.number("slot_seconds", seconds / 100, 1e-3, LONGEST_SECONDS);
        long seed = fields.count("seed", 1, Long.MIN_VALUE, Long.MAX_VALUE);
        double threshold = fields.number("threshold", 0.9, 0, 1);
        Optional<ServiceSpec> service = services.read(fields.section("service"));
        Optional<Fields> controlFields = fields.optionalSection("control");
        Optional<ControlSpec> control = Optional.empty();
        if (controlFields.isPresent() && service.isPresent()) {
            control = ControlReader.read(controlFields.get(), service.get());
        }
        Optional<ReplicationSpec> replication =
                fields.optionalSection("replication").flatMap(ReplicationReader::read);
        fields.end();
        if (service.isEmpty()) {
            return Optional.empty();
        }
        Optional<ControlSpec> read = control;
        return fields.make(
                Optional.empty(),
                () -> Optional.of(ScenarioBuilder.builder()
                        .name(name)
                        .description(description)
                        .seconds(seconds)
                        .warmUpSeconds(warmUp)
                        .slotSeconds(slot)
                        .seed(seed)
                        .threshold(threshold)
                        .service(service.get())
                        .control(read)
                        .replication(replication)
                        .build()));
    }

    /** Too deep nesting has no position. */
    private static String where(JsonProcessingException e) {
        return e.getLocation() == null
                ? ""
                : "line "
                        + e.getLocation().getLineNr()
                        + ", column "
                        + e.getLocation().getColumnNr()
                        + ": ";
    }
}
