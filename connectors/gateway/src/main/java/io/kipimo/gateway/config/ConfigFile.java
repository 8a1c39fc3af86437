package io.kipimo.gateway.config;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kipimo.gateway.config.FanOutConfig.ShardChoice;
import io.kipimo.gateway.config.ItemsConfig.Order;
import io.kipimo.redis.RedisSettings;
import io.kipimo.schemas.document.DocumentSchema;
import io.kipimo.schemas.document.MappingShape;
import io.kipimo.schemas.document.YamlDocument;
import io.kipimo.schemas.quality.Variants;
import io.kipimo.sdk.ClassDefaults;
import io.kipimo.sdk.internal.net.Address;
import io.kipimo.sdk.internal.net.AddressRange;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Reads a gateway's configuration from YAML; docs/gateway.md describes the keys. */
public final class ConfigFile {
    private static final int MOST_LISTENERS = 100;
    private static final long HOUR_MILLIS = 3_600_000;
    private static final int MOST_NAME = 256;

    /** A name, with dots for levels, or a JSON pointer; no JSONPath. */
    private static final Pattern ITEM_FIELD =
            Pattern.compile("(?!\\$[.\\[])[^/.*\\[\\]\\p{Cntrl}]+(?:\\.[^/.*\\[\\]\\p{Cntrl}]+)*"
                    + "|(?:/(?:[^/~\\p{Cntrl}]|~[01])+)+");

    private static final String HTTPS = "https://";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final List<String> problems = new ArrayList<>();
    private final String host;
    private final String admin;

    private ConfigFile(String host, String admin) {
        this.host = host;
        this.admin = admin;
    }

    /**
     * Reads a configuration.
     *
     * @param yaml text of the file
     * @param admin overrides the file; null: as in the file
     * @param host name of this instance if the file sets none
     * @throws BadConfigException with all problems
     */
    public static GatewayConfig read(String yaml, String admin, String host) {
        return read(tree(yaml), admin, host);
    }

    /** JSON Schema of the file: keys, types and constants; reading checks more. */
    public static Map<String, Object> schema() {
        return DocumentSchema.of("Configuration of Kipimo's gateway", (sample, shape) -> new ConfigFile("host", null)
                .gateway(new Section("", JSON.valueToTree(sample), new ArrayList<>(), shape)));
    }

    /** The document of a file, refused if it is not one YAML document with distinct keys. */
    static JsonNode tree(String yaml) {
        try {
            return YamlDocument.read(yaml);
        } catch (JsonProcessingException e) {
            throw new BadConfigException(List.of(where(e)
                    + (e instanceof MismatchedInputException
                            ? "goes on after its end; allowed: one document"
                            : "the file is not YAML: "
                                    + e.getOriginalMessage()
                                            .replaceAll(", from `[^`]*`", "")
                                            .lines()
                                            .findFirst()
                                            .orElse(""))));
        }
    }

    /**
     * Configuration of a pass-through gateway without a file: one listener, no limit, no log.
     *
     * @param listen {@code HOST:PORT}
     * @param servers the same, at least one
     * @param admin the same; null: the default
     * @throws BadConfigException with all problems
     */
    public static GatewayConfig passThrough(String listen, List<String> servers, String admin, String host) {
        ObjectNode tree = JSON.createObjectNode().put("service", "pass-through");
        ObjectNode listener = tree.putArray("listeners").addObject();
        listener.put("name", "tier").put("listen", listen);
        listener.putObject("limit").put("enabled", false);
        servers.forEach(listener.putArray("servers")::add);
        return read(tree, admin, host);
    }

    private static GatewayConfig read(JsonNode tree, String admin, String host) {
        ConfigFile file = new ConfigFile(host, admin);
        GatewayConfig config = file.gateway(new Section("", tree, file.problems, new MappingShape()));
        if (!file.problems.isEmpty()) {
            throw new BadConfigException(file.problems);
        }
        return config;
    }

    private GatewayConfig gateway(Section root) {
        String service = name(root, "service", root.needed("service", "the service's name"));
        String server = name(root, "server", root.text("server", host));
        String variant = name(root, "variant", root.text("variant", Variants.NONE));
        Optional<KafkaSettings> kafka = kafka(root);
        int threads = root.whole("threads", Runtime.getRuntime().availableProcessors(), 1, 256);
        Address adminAddress = admin(root);
        long drain = root.time("drain", 30_000, 0, HOUR_MILLIS);
        long buffers = root.bytes("buffers", Runtime.getRuntime().maxMemory() / 4, 0, 1L << 40);
        Map<String, ClassDefaults> classes = classes(root);
        Section sampling = root.section("sampling");
        double rate = sampling.fraction("rate", 0.01);
        double profiling = sampling.fraction("profiling-share", 0.1);
        sampling.end();
        RecordConfig record = record(root.section("record"));
        TrustConfig trust = trust(root.section("trust"));
        Map<String, Engine> engines = engines(root.section("engines"));
        List<ListenerConfig> listeners = new ArrayList<>();
        List<Section> sections = root.someSections("listeners");
        if (sections.isEmpty() || sections.size() > MOST_LISTENERS) {
            root.problem("listeners", "are " + sections.size() + "; allowed: 1.." + MOST_LISTENERS);
        }
        Set<String> names = new HashSet<>();
        for (Section section : sections) {
            ListenerConfig listener = listener(section, classes, engines);
            if (!names.add(listener.name())) {
                section.problem("name", "'" + listener.name() + "' occurs twice");
            }
            if (listener.role() == Role.FRONT
                    && record.replay()
                    && listener.items().isEmpty()) {
                // Two answers without items are equal, whatever was missing.
                section.problem("items", "is not set; allowed: set, as record.replay is true");
            }
            listeners.add(listener);
        }
        for (int i = 0; i < listeners.size(); i++) {
            Section section = sections.get(i);
            listeners.get(i).fanOut().ifPresent(fanOut -> checkFanOut(section, fanOut, listeners));
        }
        root.end();
        return GatewayConfigBuilder.builder()
                .service(service)
                .server(server)
                .variant(variant)
                .kafka(kafka)
                .threads(threads)
                .admin(adminAddress)
                .drainMillis(drain)
                .bufferBytes(buffers)
                .classes(classes)
                .samplingRate(rate)
                .profilingShare(profiling)
                .record(record)
                .trust(trust)
                .listeners(listeners)
                .build();
    }

    private Address admin(Section root) {
        Address inFile = root.address("admin").orElse(new Address("127.0.0.1", 9901));
        if (admin == null) {
            return inFile;
        }
        return Address.parse(admin).orElseGet(() -> {
            problems.add("--admin is '" + admin + "'; allowed: HOST:PORT");
            return inFile;
        });
    }

    static String name(Section section, String key, String value) {
        if (value.length() > MOST_NAME
                || value.indexOf('/') >= 0
                || value.chars().anyMatch(Character::isISOControl)) {
            section.problem(
                    key,
                    "is '"
                            + value.replaceAll("\\p{Cntrl}", "?")
                            + "'; allowed: 1.."
                            + MOST_NAME
                            + " characters, no '/', no control characters");
        }
        return value;
    }

    private static Optional<KafkaSettings> kafka(Section root) {
        if (!root.has("kafka")) {
            return Optional.empty();
        }
        Section kafka = root.section("kafka");
        String servers = kafka.needed("bootstrap-servers", "HOST:PORT[,HOST:PORT…]");
        String prefix = kafka.text("topic-prefix", "kipimo.");
        Section section = kafka.section("properties");
        Map<String, String> properties = new TreeMap<>();
        section.names().forEach(key -> properties.put(key, section.text(key, "")));
        kafka.end();
        try {
            return Optional.of(new KafkaSettings(servers, prefix, properties));
        } catch (IllegalArgumentException e) {
            root.problem("kafka", "cannot be used: " + e.getMessage());
            return Optional.empty();
        }
    }

    static Map<String, ClassDefaults> classes(Section root) {
        Map<String, ClassDefaults> classes = new LinkedHashMap<>();
        Section all = root.section("classes");
        for (String name : all.names()) {
            Section one = all.section(name);
            double floor = one.fraction("floor", 1);
            double ceiling = one.fraction("ceiling", 1);
            double safe = one.fraction("safe", ceiling);
            one.end();
            name(all, name, name);
            try {
                classes.put(name, new ClassDefaults(safe, floor, ceiling));
            } catch (IllegalArgumentException e) {
                all.problem(name, "cannot be used: " + e.getMessage());
            }
        }
        if (classes.isEmpty()) {
            classes.put("default", ClassDefaults.ALL);
        }
        return classes;
    }

    private static RecordConfig record(Section section) {
        RecordConfig d = RecordConfig.DEFAULT;
        RecordConfig record = RecordConfigBuilder.builder()
                .redis(redis(section))
                .timeoutMillis(section.time("timeout", d.timeoutMillis(), 1, HOUR_MILLIS))
                .expirationMillis(section.time("expiration", d.expirationMillis(), 1, HOUR_MILLIS))
                .memoBytes(section.bytes("memory", d.memoBytes(), 1 << 10, 1L << 40))
                .bodyBytes((int) section.bytes("largest-body", d.bodyBytes(), 1, 64 << 20))
                .replay(section.flag("replay", d.replay()))
                .replayQueries(section.whole("replay-queue", d.replayQueries(), 1, 1_000_000))
                .replayBytes(section.bytes("replay-memory", d.replayBytes(), 1 << 10, 1L << 40))
                .withoutHeaders(section.texts("replay-without-headers", d.withoutHeaders()))
                .build();
        if (record.timeoutMillis() > record.expirationMillis()) {
            section.problem("timeout", "is above record.expiration; allowed: at most that");
        }
        if (record.replay() && record.redis().isEmpty()) {
            section.problem("replay", "needs record.redis; allowed: at least one HOST:PORT, or no replay");
        }
        section.end();
        return record;
    }

    private static TrustConfig trust(Section section) {
        TrustConfig d = TrustConfig.DEFAULT;
        TrustConfig trust = new TrustConfig(
                section.text("secret-file", d.secretFile()),
                section.texts("credential-headers", d.credentialHeaders()));
        section.end();
        return trust;
    }

    /** Nodes of the memo cache, which share user and password. */
    private static List<RedisSettings> redis(Section section) {
        String user = section.text("redis-user", "");
        String passwordFile = section.text("redis-password-file", "");
        boolean tls = section.flag("redis-tls", false);
        List<RedisSettings> nodes = new ArrayList<>();
        for (Address node : section.addresses("redis")) {
            try {
                nodes.add(new RedisSettings(node.host(), node.port(), user, passwordFile, "", tls));
            } catch (IllegalArgumentException e) {
                section.problem("redis", "cannot be used: " + e.getMessage());
            }
        }
        return nodes;
    }

    private ListenerConfig listener(Section section, Map<String, ClassDefaults> classes, Map<String, Engine> engines) {
        String name = name(section, "name", section.needed("name", "a name of its own"));
        Role role = section.choice("role", Role.class, Role.TIER);
        Address listen = section.neededAddress("listen").orElseGet(() -> {
            if (!section.has("listen")) {
                section.problem("listen", "is not set; allowed: HOST:PORT");
            }
            return new Address("127.0.0.1", 0);
        });
        List<Address> servers = servers(section);
        String first = classes.keySet().iterator().next();
        String queryClass = section.text("class", first);
        if (!classes.containsKey(queryClass)) {
            section.problem("class", "is '" + queryClass + "'; allowed: " + classes.keySet());
        }
        Optional<Engine> engine = engine(section, role, engines);
        List<PathRule> only = only(section, engine);
        if (section.has("idempotent") && !only.isEmpty()) {
            section.problem("idempotent", "is there; allowed: without engine and only");
        }
        Set<String> idempotent = new HashSet<>();
        for (String method : section.texts("idempotent", List.of("GET", "HEAD"))) {
            idempotent.add(method.toUpperCase(Locale.ROOT));
        }
        ListenerConfig listener = ListenerConfigBuilder.builder()
                .name(name)
                .role(role)
                .listen(listen)
                .servers(servers)
                .tls(tls(section))
                .serverTls(serverTls(section))
                .tier(name(section, "tier", section.text("tier", name)))
                .cores(section.whole("cores", 0, 0, 65_536))
                .traceHeader(section.text("trace-header", ""))
                .classHeader(section.text("class-header", "kipimo-class"))
                .variantHeader(variantHeader(section, role))
                .defaultClass(queryClass)
                .admits(section.flag("admission", role != Role.COMPONENT))
                .memoize(section.flag("memoize", true))
                .memoWithout(Set.copyOf(section.texts("memo-without-parameters", List.of())))
                .optional(optional(section, role))
                .engine(engine)
                .only(only)
                .idempotent(idempotent)
                .arbitration(arbitration(section.section("arbitration")))
                .limit(limit(section.section("limit"), role))
                .timeouts(timeouts(section.section("timeouts")))
                .clients(clients(section.section("clients")))
                .topK(section.whole("top-k", 0, 0, 10_000))
                .deadlineMillis((int) section.time("deadline", 0, 0, HOUR_MILLIS))
                .items(items(section, engine))
                .replay(replay(section, engine))
                // Where queries come in, anybody may be outside.
                .trustedCallers(
                        section.addressRanges("trusted-callers", role == Role.FRONT ? List.of() : AddressRange.ALL))
                .fanOut(fanOut(section, role, engine))
                .notAsked(notAsked(section, role))
                .build();
        if (listener.arbitration().compareMillis() > 0 && listener.items().isEmpty()) {
            section.problem(
                    "arbitration.compare-after", "is set; allowed: with items, since answers are compared by them");
        }
        if (listener.engine().isPresent()
                && listener.items().filter(i -> !i.hasSigns()).isPresent()
                && listener.replay().filter(r -> r.ofClean() == 0).isPresent()) {
            // Every answer would be whole, whatever the engine left out.
            section.problem(
                    "items.cut-when", "is not set; allowed: set, or replay.when: always, or replay.of-clean above 0");
        }
        section.end();
        return listener;
    }

    private static boolean isHttps(Section listener) {
        return listener.texts("servers", List.of()).stream().anyMatch(server -> server.startsWith(HTTPS));
    }

    private static List<Address> servers(Section listener) {
        List<Address> servers = new ArrayList<>();
        boolean https = isHttps(listener);
        for (String server : listener.someTexts("servers")) {
            Optional<Address> address =
                    Address.parse(server.replaceFirst("^https?://", "")).filter(a -> a.port() > 0);
            if (address.isEmpty() || server.startsWith(HTTPS) != https) {
                listener.problem(
                        "servers",
                        "is '"
                                + server.replaceAll("\\p{Cntrl}", "?")
                                + "'; allowed: HOST:PORT, or https://HOST:PORT of all servers");
            }
            address.ifPresent(servers::add);
        }
        if (servers.isEmpty()) {
            listener.problem("servers", "are none; allowed: at least one HOST:PORT");
        }
        return servers;
    }

    private static Optional<TlsConfig> tls(Section listener) {
        if (!listener.has("tls")) {
            return Optional.empty();
        }
        Section section = listener.section("tls");
        List<CertificateFiles> certificates = new ArrayList<>();
        for (Section pair : section.someSections("certificates")) {
            certificates.add(
                    new CertificateFiles(pair.needed("certificate", "a PEM file"), pair.needed("key", "a PEM file")));
            pair.end();
        }
        if (certificates.isEmpty()) {
            section.problem("certificates", "are none; allowed: at least one");
        }
        TlsConfig tls = new TlsConfig(certificates, section.text("client-authorities", ""));
        section.end();
        return Optional.of(tls);
    }

    private static Optional<ServerTlsConfig> serverTls(Section listener) {
        boolean https = isHttps(listener);
        if (listener.has("server-tls") && !https) {
            listener.problem("server-tls", "is there; allowed: with servers https://HOST:PORT");
        }
        Section section = listener.section("server-tls");
        boolean hasKey = section.has("key");
        Optional<CertificateFiles> certificate = section.has("certificate") || hasKey
                ? Optional.of(new CertificateFiles(
                        section.needed("certificate", "a PEM file, as key is set"),
                        section.needed("key", "a PEM file, as certificate is set")))
                : Optional.empty();
        ServerTlsConfig tls = new ServerTlsConfig(
                section.text("authorities", ""), certificate, section.text("name", ""), section.flag("verify", true));
        section.end();
        return https ? Optional.of(tls) : Optional.empty();
    }

    private static Optional<FanOutConfig> fanOut(Section listener, Role role, Optional<Engine> engine) {
        if (!listener.has("fan-out")) {
            return Optional.empty();
        }
        if (role != Role.FRONT || engine.isPresent()) {
            listener.problem("fan-out", "is there; allowed: in listeners of role front, no engine");
        }
        Section section = listener.section("fan-out");
        Section features = section.section("features");
        List<String> parameters = features.texts("parameters", List.of());
        List<String> fields = pointers(features, "fields", List.of());
        features.end();
        Optional<ShardChoice> rewrite = section.has("rewrite")
                ? Optional.ofNullable(section.choice("rewrite", ShardChoice.class, null))
                : Optional.empty();
        Map<String, String> components = new LinkedHashMap<>();
        section.values("components").ifPresent(all -> all.forEach((name, part) -> components.put(name, part.asText())));
        components.forEach((name, part) -> {
            if (part.isBlank() || part.indexOf(',') >= 0) {
                section.problem("components." + name, "is '" + part + "'; allowed: one shard");
            }
        });
        if (rewrite.isEmpty() && !components.isEmpty()) {
            section.problem("components", "are there; allowed: with rewrite");
        }
        section.end();
        return Optional.of(new FanOutConfig(parameters, fields, rewrite, components));
    }

    private static Optional<EmptyResponse> notAsked(Section listener, Role role) {
        if (!listener.has("not-asked")) {
            return Optional.empty();
        }
        if (role != Role.COMPONENT) {
            listener.problem("not-asked", "is there; allowed: in listeners of role component");
        }
        Section section = listener.section("not-asked");
        EmptyResponse response = new EmptyResponse(
                section.whole("status", 200, 200, 299),
                section.text("type", "application/json"),
                section.has("body") ? section.text("body", "") : "");
        section.end();
        return Optional.of(response);
    }

    /** A query can be asked of fewer components only if something answers for the others. */
    private static void checkFanOut(Section front, FanOutConfig fanOut, List<ListenerConfig> all) {
        Set<String> names = new TreeSet<>();
        Set<String> unanswered = new TreeSet<>();
        for (ListenerConfig listener : all) {
            if (listener.isAskedByAll()) {
                names.add(listener.name());
                if (listener.notAsked().isEmpty()) {
                    unanswered.add(listener.name());
                }
            }
        }
        if (fanOut.rewrite().isPresent() && !fanOut.components().keySet().equals(names)) {
            front.problem(
                    "fan-out.components",
                    "are "
                            + new TreeSet<>(fanOut.components().keySet())
                            + "; allowed: the listeners of role component that are not optional, "
                            + names);
        } else if (fanOut.rewrite().isEmpty() && (names.isEmpty() || !unanswered.isEmpty())) {
            front.problem(
                    "fan-out",
                    "is there; allowed: with rewrite, or if each component has not-asked; without: " + unanswered);
        }
    }

    private static boolean optional(Section section, Role role) {
        boolean optional = section.flag("optional", false);
        if (optional && role != Role.COMPONENT) {
            section.problem("optional", "is 'true'; allowed: in listeners of role component");
        }
        return optional;
    }

    private static String variantHeader(Section section, Role role) {
        String header = section.text("variant-header", "");
        if (!header.isEmpty() && role != Role.FRONT) {
            section.problem("variant-header", "is '" + header + "'; allowed: in listeners of role front");
        }
        return header;
    }

    private static ArbitrationConfig arbitration(Section section) {
        ArbitrationConfig d = ArbitrationConfig.DEFAULT;
        ArbitrationConfig config = new ArbitrationConfig(
                section.choice("policy", CopyPolicy.class, d.policy()),
                section.whole("tokens", d.tokens(), 1, 1_000_000),
                section.whole("most-copies", d.mostCopies(), 1, 1_000),
                section.time("hedge-after", d.hedgeMillis(), 0, HOUR_MILLIS),
                section.fraction("hedge-share", d.hedgeShare()),
                section.flag("cancel-losers", d.cancelLosers()),
                section.time("compare-after", d.compareMillis(), 0, HOUR_MILLIS),
                section.whole("retries", d.retries(), 0, 3));
        section.end();
        if (config.cancelLosers() && config.compareMillis() > 0) {
            section.problem(
                    "compare-after",
                    "is "
                            + config.compareMillis()
                            + "ms; allowed with cancel-losers: 0ms, since a cancelled copy brings"
                            + " no answer");
        }
        return config;
    }

    /** By default, components have no limit: the limit of the front end that calls them protects them, too. */
    private static LimitConfig limit(Section section, Role role) {
        LimitConfig d = LimitConfig.DEFAULT;
        LimitConfig config = new LimitConfig(
                section.flag("enabled", role != Role.COMPONENT),
                section.whole("initial", d.initial(), 1, 1_000_000),
                section.whole("least", d.least(), 1, 1_000_000),
                section.whole("most", d.most(), 1, 1_000_000));
        if (config.least() > config.initial() || config.initial() > config.most()) {
            section.problem(
                    "initial",
                    "is "
                            + config.initial()
                            + "; allowed: from least, "
                            + config.least()
                            + ", to most, "
                            + config.most());
        }
        section.end();
        return config;
    }

    private static TimeoutConfig timeouts(Section section) {
        TimeoutConfig d = TimeoutConfig.DEFAULT;
        TimeoutConfig config = new TimeoutConfig(
                (int) section.time("connect", d.connectMillis(), 1, 60_000),
                section.time("response", d.responseMillis(), 1, HOUR_MILLIS),
                section.time("idle", d.idleMillis(), 1_000, HOUR_MILLIS));
        section.end();
        return config;
    }

    private static ClientConfig clients(Section section) {
        ClientConfig d = ClientConfig.DEFAULT;
        ClientConfig config = new ClientConfig(
                section.time("head", d.headMillis(), 10, HOUR_MILLIS),
                section.time("body", d.bodyMillis(), 10, HOUR_MILLIS),
                section.bytes("least-rate", d.leastBytesPerSecond(), 1, 1 << 30),
                (int) section.bytes("largest-head", d.headBytes(), 1 << 10, 1 << 20),
                (int) section.bytes("largest-line", d.lineBytes(), 1 << 10, 1 << 20),
                section.whole("connections", d.connections(), 1, 1_000_000));
        section.end();
        return config;
    }

    /** The shipped presets and those of the file. */
    private static Map<String, Engine> engines(Section section) {
        Map<String, Engine> engines = new TreeMap<>(Engine.all());
        for (String name : section.names()) {
            Engine engine = preset(name, section.section(name));
            if (engines.putIfAbsent(name(section, name, name), engine) != null) {
                section.problem(name, "is there; allowed: another name than of a shipped preset");
            }
        }
        return engines;
    }

    /**
     * Reads a preset.
     *
     * @param problems what is wrong with it is added here
     */
    static Engine preset(String name, String yaml, List<String> problems) {
        return preset(name, new Section("", tree(yaml), problems, new MappingShape()));
    }

    private static Engine preset(String name, Section section) {
        Optional<Engine> base = Optional.of(Engine.BASE);
        Engine engine = new Engine(
                name,
                section.choice("shards", Engine.Shards.class, Engine.Shards.UNNAMED),
                section.has("only") ? only(section, base) : List.of(),
                items(section, base).orElseThrow(),
                replay(section, base).orElseThrow());
        section.end();
        return engine;
    }

    private static Optional<Engine> engine(Section listener, Role role, Map<String, Engine> engines) {
        if (!listener.has("engine")) {
            return Optional.empty();
        }
        if (role != Role.FRONT) {
            listener.problem("engine", "is there; allowed: in listeners of role front");
        }
        String name = listener.text("engine", "");
        Optional<Engine> engine = Optional.ofNullable(engines.get(name));
        if (engine.isEmpty()) {
            refuse(listener, "engine", name, String.join(", ", engines.keySet()));
        }
        return engine;
    }

    private static List<PathRule> only(Section listener, Optional<Engine> engine) {
        if (!listener.has("only")) {
            List<PathRule> preset = engine.map(Engine::only).orElse(List.of());
            if (engine.isPresent() && preset.isEmpty()) {
                listener.problem("only", "is not set; allowed: " + PathRule.ALLOWED);
            }
            return preset;
        }
        List<PathRule> rules = new ArrayList<>();
        List<String> texts = listener.texts("only", List.of());
        if (texts.isEmpty()) {
            listener.problem("only", "has no path; allowed: at least one");
        }
        for (String text : texts) {
            PathRule.parse(text).ifPresentOrElse(rules::add, () -> refuse(listener, "only", text, PathRule.ALLOWED));
        }
        return rules;
    }

    private static Optional<ReplayConfig> replay(Section listener, Optional<Engine> engine) {
        if (engine.isEmpty()) {
            if (listener.has("replay")) {
                listener.problem("replay", "is there; allowed: with engine");
            }
            return Optional.empty();
        }
        ReplayConfig d = engine.get().replay();
        Section section = listener.section("replay");
        Map<String, String> parameters = new LinkedHashMap<>();
        section.values("set-parameters")
                .ifPresentOrElse(
                        set -> set.forEach((name, value) -> parameters.put(name, value.asText())),
                        () -> parameters.putAll(d.setParameters()));
        List<String> withoutFields = section.texts("without-fields", d.withoutFields());
        Map<String, JsonNode> setFields = section.values("set-fields").orElse(d.setFields());
        withoutFields.forEach(field -> checkField(section, "without-fields", field));
        setFields.keySet().forEach(field -> checkField(section, "set-fields", field));
        ReplayConfig.When when = section.choice("when", ReplayConfig.When.class, d.when());
        if (section.has("of-clean") && when != ReplayConfig.When.CUT) {
            section.problem("of-clean", "is there; allowed: with when: cut");
        }
        ReplayConfig replay = new ReplayConfig(
                when,
                section.fraction("of-clean", when == ReplayConfig.When.ALWAYS ? 1 : 0),
                section.fraction("budget", d.budget()),
                section.whole("concurrency", d.concurrency(), 1, 100),
                section.time("timeout", d.timeoutMillis(), 1, HOUR_MILLIS),
                section.texts("without-parameters", d.withoutParameters()),
                parameters,
                withoutFields,
                setFields);
        section.end();
        return Optional.of(replay);
    }

    private static void checkField(Section section, String key, String pointer) {
        try {
            if (pointer.length() > 1 && JsonPointer.compile(pointer) != null) {
                return;
            }
        } catch (IllegalArgumentException e) {
            // Told below.
        }
        refuse(section, key, pointer, "a JSON pointer to a field, /timeout");
    }

    private static Optional<ItemsConfig> items(Section listener, Optional<Engine> engine) {
        if (!listener.has("items")) {
            if (engine.equals(Optional.of(Engine.BASE))) {
                listener.problem("items", "is not set; allowed: set, as engine is json");
            }
            return engine.map(Engine::items);
        }
        Section section = listener.section("items");
        ItemsConfig d =
                engine.map(Engine::items).orElse(new ItemsConfig(ItemsConfig.JSON, "", "id", "score", List.of()));
        String array = section.text("array", null);
        String id = section.text("id", null);
        String score = section.text("score", d.score());
        ItemsConfig items = ItemsConfigBuilder.builder()
                .reader(section.text("reader", d.reader()))
                .arrays(
                        array != null
                                ? List.of(array)
                                : section.has("arrays") ? pointers(section, "arrays", List.of()) : d.arrays())
                .ids(id == null ? ids(section, d.ids()) : List.of(id))
                .notInIds(section.text("not-in-ids", d.notInIds()))
                .score(score)
                .cutWhen(signs(section, "cut-when", d.cutWhen()))
                .failedWhen(signs(section, "failed-when", d.failedWhen()))
                .noneWhen(signs(section, "none-when", d.noneWhen()))
                .needs(pointers(section, "needs", d.needs()))
                .order(section.choice("order", Order.class, d.order()))
                .emptyWith(section.text("empty-with", d.emptyWith()))
                .notWith(section.text("not-with", d.notWith()))
                .totals(pointers(section, "totals", d.totals()))
                .bodies(section.texts("bodies", d.bodies()))
                .requests(section.has("requests") ? requests(section) : d.requests())
                .build();
        if (array != null && !array.startsWith("/")) {
            section.problem("array", "is '" + array + "'; allowed: a JSON pointer, /hits");
        }
        if (items.reader().equals(ItemsConfig.JSON)) {
            items.ids().forEach(one -> checkItemField(section, id == null ? "ids" : "id", one));
            checkItemField(section, "score", score);
            checkNotInIds(section, items.notInIds());
        } else {
            if (items.reader().equals(ItemsConfig.JAVABIN) && id != null && id.startsWith("/")) {
                section.problem("id", "is '" + id + "'; allowed: the name of a field");
            }
            for (String key : List.of("cut-when", "needs", "order")) {
                if (section.has(key)) {
                    section.problem(key, "is there; allowed: with reader json");
                }
            }
            if (engine.isPresent()) {
                section.problem("reader", "is '" + items.reader() + "'; allowed: json, with an engine");
            }
        }
        if (engine.isEmpty()) {
            for (String key : List.of("failed-when", "none-when", "totals", "bodies", "requests")) {
                if (section.has(key)) {
                    section.problem(key, "is there; allowed: with engine");
                }
            }
        }
        section.end();
        return Optional.of(items);
    }

    /** A name that no item can have would make every response unreadable. */
    private static void checkItemField(Section section, String key, String name) {
        if (!ITEM_FIELD.matcher(name).matches()) {
            refuse(section, key, name, "a field of an item, id or document.id, or a JSON pointer, /document/id");
        }
    }

    private static List<String> ids(Section items, List<String> orElse) {
        List<String> ids = items.texts("ids", orElse);
        if (ids.isEmpty()) {
            items.problem("ids", "is empty; allowed: fields of an item");
        }
        return ids;
    }

    private static void checkNotInIds(Section section, String expression) {
        try {
            var unused = Pattern.compile(expression);
        } catch (PatternSyntaxException e) {
            refuse(section, "not-in-ids", expression, "a regular expression of Java");
        }
    }

    private static List<RequestRule> requests(Section items) {
        List<RequestRule> rules = new ArrayList<>();
        for (Section section : items.sections("requests")) {
            List<RequestSign> when = new ArrayList<>();
            for (String text : section.texts("when", List.of())) {
                RequestSign.parse(text)
                        .ifPresentOrElse(when::add, () -> refuse(section, "when", text, RequestSign.ALLOWED));
            }
            rules.add(new RequestRule(
                    when,
                    pointers(section, "needs", List.of()),
                    section.choice("shows", RequestRule.Shows.class, RequestRule.Shows.ALL)));
            section.end();
        }
        return rules;
    }

    private static void refuse(Section section, String key, String text, String allowed) {
        section.problem(key, "is '" + text.replaceAll("\\p{Cntrl}", "?") + "'; allowed: " + allowed);
    }

    private static List<String> pointers(Section section, String key, List<String> orElse) {
        List<String> pointers = section.texts(key, orElse);
        for (String pointer : pointers) {
            checkField(section, key, pointer);
        }
        return pointers;
    }

    /** Too much nesting has no place. */
    private static String where(JsonProcessingException e) {
        return e.getLocation() == null
                ? ""
                : "line "
                        + e.getLocation().getLineNr()
                        + ", column "
                        + e.getLocation().getColumnNr()
                        + ": ";
    }

    private static List<CutSign> signs(Section items, String key, List<CutSign> orElse) {
        if (!items.has(key)) {
            return orElse;
        }
        List<CutSign> signs = new ArrayList<>();
        for (String text : items.texts(key, List.of())) {
            CutSign.parse(text).ifPresentOrElse(signs::add, () -> refuse(items, key, text, CutSign.ALLOWED));
        }
        return signs;
    }
}
