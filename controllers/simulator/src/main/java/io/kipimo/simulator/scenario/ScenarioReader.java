package io.kipimo.simulator.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import io.kipimo.core.replication.FeasibilityLimits;
import io.kipimo.core.replication.ReplicationSettings;
import io.kipimo.core.replication.ReplicationSettingsBuilder;
import io.kipimo.core.replication.TargetMetric;
import io.kipimo.schemas.document.DocumentSchema;
import io.kipimo.schemas.document.Section;
import io.kipimo.schemas.field.FieldBounds;
import io.kipimo.schemas.field.RecordFields;
import io.kipimo.schemas.policy.ReplicationPolicy;
import io.kipimo.simulator.control.ReplicationSpec;
import io.kipimo.simulator.service.ServiceSpec;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Reads a scenario, or refuses it and reports all its problems. */
public final class ScenarioReader {
    private static final Section.KeyStyle KEYS = Section.KeyStyle.UNDERSCORES;
    private static final double LONGEST_SECONDS = 366 * 86_400.0;

    private ScenarioReader() {}

    /**
     * Reads a scenario of a service.
     *
     * @param files reads files that the scenario names
     * @throws io.kipimo.schemas.document.InvalidDocumentException if the scenario is invalid
     */
    public static Scenario read(String text, Function<String, String> files) {
        return read(Section.tree(text), files);
    }

    /**
     * Reads a scenario of a service from its tree.
     *
     * @throws io.kipimo.schemas.document.InvalidDocumentException if the scenario is invalid
     */
    public static Scenario read(JsonNode tree, Function<String, String> files) {
        return Section.read(tree, KEYS, fields -> read(fields, new ServiceReader(files)))
                .orElseThrow();
    }

    /**
     * Reads a scenario of caches.
     *
     * @throws io.kipimo.schemas.document.InvalidDocumentException if the scenario is invalid
     */
    public static CachingScenario readCaching(JsonNode tree) {
        return Section.read(tree, KEYS, CachingReader::read).orElseThrow();
    }

    /** Whether a scenario is one of caches, by its section {@value CachingReader#SECTION}. */
    public static boolean isOfCaches(JsonNode tree) {
        return tree.has(CachingReader.SECTION);
    }

    /** JSON Schema of scenarios of caches. */
    public static Map<String, Object> cachingSchema() {
        return DocumentSchema.of("Scenario of caches of Kipimo's simulator", KEYS, CachingReader::read);
    }

    /** JSON Schema of scenarios: keys, types, ranges and constants. The reader checks more than the schema does. */
    public static Map<String, Object> schema() {
        // Control is read for a service that makes sense, which samples rarely have.
        ServiceSpec known = BuiltIn.scenario(BuiltIn.names().get(0)).service();
        return DocumentSchema.of("Scenario of Kipimo's simulator", KEYS, fields -> {
            Optional<Scenario> unused = read(fields, new ServiceReader(file -> "1"));
            return fields.section("control", control -> ControlReader.read(control, known));
        });
    }

    private static Optional<Scenario> read(Section fields, ServiceReader services) {
        double seconds = fields.number("seconds", 1e-3, LONGEST_SECONDS);
        ScenarioBuilder scenario = ScenarioBuilder.builder()
                .name(fields.needed("name", "a text"))
                .description(fields.text("description", ""))
                .seconds(seconds)
                .warmUpSeconds(fields.number("warm_up_seconds", 0, 0, LONGEST_SECONDS))
                .slotSeconds(fields.number("slot_seconds", seconds / 100, 1e-3, LONGEST_SECONDS))
                .seed(fields.count("seed", 1, Long.MIN_VALUE, Long.MAX_VALUE))
                .threshold(fields.number("threshold", 0.9, 0, 1))
                .replication(
                        fields.optional("replication", ReplicationReader::read).flatMap(Function.identity()));
        Optional<ServiceSpec> service = fields.section("service", services::read);
        if (service.isEmpty()) {
            // Control is told by its service.
            boolean unused = fields.has("control");
            return Optional.empty();
        }
        scenario.service(service.get())
                .control(fields.optional("control", control -> ControlReader.read(control, service.get()))
                        .flatMap(Function.identity()));
        return fields.make(scenario::build);
    }

    /** Reads the section {@code replication}. */
    static final class ReplicationReader {
        private ReplicationReader() {}

        static Optional<ReplicationSpec> read(Section fields) {
            ReplicationSettings d = ReplicationSettings.DEFAULT;
            FeasibilityLimits l = d.limits();
            double utilisation = fraction(fields, "maximum_utilisation", l.maximumUtilisation());
            FeasibilityLimits limits = new FeasibilityLimits(
                    fraction(fields, "maximum_collision", l.maximumCollision()),
                    utilisation,
                    fraction(fields, "extra_load_share", l.extraLoadShare()));
            double window = fields.number("window_seconds", 10, 1e-3, 3600);
            double delay = fields.number("delay_millis", 200, 0, 1e6) / 1000;
            ReplicationSettingsBuilder settings = ReplicationSettingsBuilder.builder(d)
                    .target(fields.choice("target", TargetMetric.class, d.target()))
                    .objectiveMicros(Math.round(fields.number("objective_millis", 0, 0, 1e9) * 1000))
                    .limits(limits)
                    .holdUtilisation(fraction(fields, "hold_utilisation", Math.max(utilisation, d.holdUtilisation())))
                    .leaseMillis(leaseMillis(d, window))
                    .modelFirst(fields.flag("model_first", d.modelFirst()));
            return fields.make(() -> new ReplicationSpec(settings.build(), window, delay));
        }

        private static double fraction(Section fields, String name, double fallback) {
            FieldBounds bounds =
                    RecordFields.of(ReplicationPolicy.class).named(name).bounds();
            return fields.number(name, fallback, bounds.least(), bounds.most());
        }

        /**
         * Returns the lease of decisions. There are no heartbeats, so a decision must last until that of the next
         * window.
         */
        private static long leaseMillis(ReplicationSettings defaults, double windowSeconds) {
            return Math.min(3_600_000, Math.max(defaults.leaseMillis(), Math.round(windowSeconds * 2_000)));
        }
    }
}
