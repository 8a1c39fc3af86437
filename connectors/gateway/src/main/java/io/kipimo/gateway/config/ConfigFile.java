package io.kipimo.gateway.config;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kipimo.gateway.config.FanOutConfig.ShardChoice;
import io.kipimo.redis.RedisSettings;
import io.kipimo.schemas.document.DocumentSchema;
import io.kipimo.schemas.document.Section;
import io.kipimo.schemas.field.RecordField;
import io.kipimo.schemas.field.RecordFields;
import io.kipimo.schemas.quality.Variants;
import io.kipimo.sdk.ClassDefaults;
import io.kipimo.sdk.internal.control.ServiceSection;
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
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Reads a gateway's configuration from YAML; docs/gateway.md describes the keys. */
public final class ConfigFile {
    static final Section.KeyStyle KEYS = Section.KeyStyle.HYPHENS;

    private static final int MOST_LISTENERS = 100;
    private static final long HOUR_MILLIS = 3_600_000;

    /** A field of an item: a name, with dots between levels, or a JSON pointer. JSONPath is refused. */
    private static final Pattern ITEM_FIELD =
            Pattern.compile("(?!\\$[.\\[])[^/.*\\[\\]\\p{Cntrl}]+(?:\\.[^/.*\\[\\]\\p{Cntrl}]+)*"
                    + "|(?:/(?:[^/~\\p{Cntrl}]|~[01])+)+");

    private static final String HTTPS = "https://";
    private static final String ADDRESS = "HOST:PORT";
    private static final String SAMPLE_ADDRESS = "localhost:1";

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
     * @throws io.kipimo.schemas.document.InvalidDocumentException with all problems
     */
    public static GatewayConfig read(String yaml, String admin, String host) {
        return read(Section.tree(yaml), admin, host);
    }

    /** JSON Schema of the file: keys, types and constants. Reading the file checks more. */
    public static Map<String, Object> schema() {
        return DocumentSchema.of("Configuration of Kipimo's gateway", KEYS, new ConfigFile("host", null)::gateway);
    }

    /**
     * Configuration of a pass-through gateway without a file: one listener, no limit, no log.
     *
     * @param listen {@code HOST:PORT} to listen on
     * @param servers {@code HOST:PORT} of each server; at least one
     * @param admin {@code HOST:PORT} of health and metrics; null: the default
     * @throws io.kipimo.schemas.document.InvalidDocumentException with all problems
     */
    public static GatewayConfig passThrough(String listen, List<String> servers, String admin, String host) {
        ObjectNode tree = new ObjectMapper().createObjectNode().put("service", "pass-through");
        ObjectNode listener = tree.putArray("listeners").addObject();
        listener.put("name", "tier").put("listen", listen);
        listener.putObject("limit").put("enabled", false);
        servers.forEach(listener.putArray("servers")::add);
        return read(tree, admin, host);
    }

    private static GatewayConfig read(JsonNode tree, String admin, String host) {
        return Section.read(tree, KEYS, new ConfigFile(host, admin)::gateway);
    }

    /** A listener, and where it is in the file. */
    private record Placed(Section section, ListenerConfig listener) {}

    private GatewayConfig gateway(Section root) {
        Map<String, ClassDefaults> classes = ServiceSection.classes(root);
        RecordConfig record = root.section("record", ConfigFile::record);
        Map<String, Engine> engines = root.section("engines", ConfigFile::engines);
        List<Placed> placed =
                root.someSections("listeners", section -> new Placed(section, listener(section, classes, engines)));
        List<ListenerConfig> listeners = placed.stream().map(Placed::listener).toList();
        if (listeners.size() > MOST_LISTENERS) {
            root.problem("listeners", "are " + listeners.size() + "; allowed: 1.." + MOST_LISTENERS);
        }
        Set<String> names = new HashSet<>();
        for (Placed one : placed) {
            ListenerConfig listener = one.listener();
            if (!names.add(listener.name())) {
                one.section().problem("name", "'" + listener.name() + "' occurs twice");
            }
            if (listener.role() == Role.FRONT
                    && record.replay()
                    && listener.items().isEmpty()) {
                // Two answers without items are equal, whatever was missing.
                one.section().problem("items", "is not set; allowed: set, as record.replay is true");
            }
            listener.fanOut().ifPresent(fanOut -> checkFanOut(one.section(), fanOut, listeners));
        }
        GatewayConfigBuilder config = GatewayConfigBuilder.builder()
                .service(ServiceSection.name(root, "service", root.needed("service", "the service's name")))
                .server(ServiceSection.name(root, "server", root.text("server", host)))
                .variant(ServiceSection.name(root, "variant", root.text("variant", Variants.NONE)))
                .kafka(root.optional("kafka", ConfigFile::kafka).flatMap(Function.identity()))
                .threads(root.whole("threads", Runtime.getRuntime().availableProcessors(), 1, 256))
                .admin(admin(root))
                .drainMillis(root.time("drain", 30_000, 0, HOUR_MILLIS))
                .bufferBytes(root.bytes("buffers", Runtime.getRuntime().maxMemory() / 4, 0, 1L << 40))
                .classes(classes)
                .record(record)
                .trust(root.section("trust", section -> section.record(GatewayConfig.CallerTrust.DEFAULT)))
                .listeners(listeners);
        return root.section("sampling", sampling -> config.samplingRate(sampling.number("rate", 0.01, 0, 1))
                .profilingShare(sampling.number("profiling-share", 0.1, 0, 1))
                .build());
    }

    private Address admin(Section root) {
        Address inFile =
                root.parsed("admin", Address::parse, ADDRESS, SAMPLE_ADDRESS).orElse(new Address("127.0.0.1", 9901));
        if (admin == null) {
            return inFile;
        }
        return Address.parse(admin).orElseGet(() -> {
            root.refuse("--admin", admin, ADDRESS);
            return inFile;
        });
    }

    private static Optional<KafkaSettings> kafka(Section kafka) {
        String servers = kafka.needed("bootstrap-servers", "HOST:PORT[,HOST:PORT…]");
        String prefix = kafka.text("topic-prefix", "kipimo.");
        Map<String, String> properties = new TreeMap<>();
        kafka.section("properties", section -> {
            section.names().forEach(key -> properties.put(key, section.text(key, "")));
            return properties;
        });
        return kafka.make(() -> new KafkaSettings(servers, prefix, properties));
    }

    private static RecordConfig record(Section section) {
        RecordConfig record = RecordConfigBuilder.builder(section.record(RecordConfig.DEFAULT))
                .redis(redis(section))
                .build();
        if (record.timeoutMillis() > record.expirationMillis()) {
            section.problem("timeout", "is above record.expiration; allowed: at most that");
        }
        if (record.replay() && record.redis().isEmpty()) {
            section.problem("replay", "needs record.redis; allowed: at least one HOST:PORT, or no replay");
        }
        return record;
    }

    /** Nodes of the memo cache, which share user and password. */
    private static List<RedisSettings> redis(Section section) {
        String user = section.text("redis-user", "");
        String passwordFile = section.text("redis-password-file", "");
        boolean tls = section.flag("redis-tls", false);
        return section.parsedList("redis", ConfigFile::server, ADDRESS, SAMPLE_ADDRESS, List.of()).stream()
                .flatMap(
                        node -> section
                                .make(
                                        "redis",
                                        () -> new RedisSettings(node.host(), node.port(), user, passwordFile, "", tls))
                                .stream())
                .toList();
    }

    private static Optional<Address> server(String text) {
        return Address.parse(text).filter(address -> address.port() > 0);
    }

    private ListenerConfig listener(Section section, Map<String, ClassDefaults> classes, Map<String, Engine> engines) {
        String name = ServiceSection.name(section, "name", section.needed("name", "a name of its own"));
        Role role = section.choice("role", Role.class, Role.TIER);
        Address listen = section.neededParsed("listen", Address::parse, ADDRESS, SAMPLE_ADDRESS)
                .orElse(new Address("127.0.0.1", 0));
        List<Address> servers = servers(section);
        String queryClass = section.text("class", classes.keySet().iterator().next());
        if (!classes.containsKey(queryClass)) {
            section.refuse("class", queryClass, classes.keySet().toString());
        }
        Optional<Engine> engine = engine(section, engines);
        List<PathRule> only = only(section, engine);
        if (!only.isEmpty()) {
            section.refuseKey("idempotent", "without engine and only");
        }
        Set<String> idempotent = new HashSet<>();
        for (String method : section.texts("idempotent", List.of("GET", "HEAD"))) {
            idempotent.add(method.toUpperCase(Locale.ROOT));
        }
        if (engine.flatMap(Engine::index).isEmpty()) {
            section.refuseKey("read-index", "with an engine whose index is read: elasticsearch, qdrant");
        }
        ListenerConfig listener = ListenerConfigBuilder.builder()
                .name(name)
                .role(role)
                .listen(listen)
                .servers(servers)
                .tls(section.optional("tls", ConfigFile::tls))
                .serverTls(serverTls(section))
                .tier(ServiceSection.name(section, "tier", section.text("tier", name)))
                .cores(section.whole("cores", 0, 0, 65_536))
                .traceHeader(section.text("trace-header", ""))
                .classHeader(section.text("class-header", "kipimo-class"))
                .variantHeader(section.text("variant-header", ""))
                .defaultClass(queryClass)
                .admits(section.flag("admission", role != Role.COMPONENT))
                .memoize(section.flag("memoize", true))
                .memoWithout(Set.copyOf(section.texts("memo-without-parameters", List.of())))
                .optional(section.flag("optional", false))
                .engine(engine)
                .only(only)
                .idempotent(idempotent)
                .arbitration(section.section("arbitration", ConfigFile::arbitration))
                .limit(section.section("limit", limit -> limit(limit, role)))
                .timeouts(section.section("timeouts", s -> s.record(ListenerConfig.Timeouts.DEFAULT)))
                .clients(section.section("clients", s -> s.record(ListenerConfig.CallerLimits.DEFAULT)))
                // Elasticsearch sends a Warning header for each deprecated field.
                .responseHeadBytes((int) section.bytes("largest-response-head", 256 << 10, 1 << 10, 1 << 24))
                .topK(section.whole("top-k", 0, 0, 10_000))
                .deadlineMillis((int) section.time("deadline", 0, 0, HOUR_MILLIS))
                .items(items(section, engine))
                .replay(replay(section, engine))
                .tell(section.flag("tell", false))
                .http2(section.flag("http2", engine.flatMap(Engine::grpc).isPresent()))
                .readsIndex(section.flag("read-index", true))
                // Where queries come in, anybody may be outside.
                .trustedCallers(section.parsedList(
                        "trusted-callers",
                        AddressRange::parse,
                        "an address or a range, such as 10.0.0.0/8",
                        "10.0.0.0/8",
                        role == Role.FRONT ? List.of() : AddressRange.ALL))
                .fanOut(section.optional("fan-out", ConfigFile::fanOut))
                .notAsked(section.optional("not-asked", s -> s.record(EmptyResponse.DEFAULT)))
                .build();
        for (RecordField field : RecordFields.of(ListenerConfig.class).all()) {
            field.annotation(OfRole.class)
                    .map(OfRole::value)
                    .filter(of -> of != role && !Boolean.FALSE.equals(field.get(listener)))
                    .ifPresent(of -> section.refuseKey(
                            field.key('-'), "in listeners of role " + of.name().toLowerCase(Locale.ROOT)));
        }
        if (engine.isPresent()) {
            section.refuseKey("fan-out", "in listeners of role front, no engine");
        }
        if (listener.arbitration().compareMillis() > 0 && listener.items().isEmpty()) {
            section.problem(
                    "arbitration.compare-after", "is set; allowed: with items, since answers are compared by them");
        }
        if (listener.engine().isPresent()
                && listener.items().filter(i -> !i.hasSigns()).isPresent()
                // The status of a call tells that a part failed.
                && listener.grpc().isEmpty()
                && listener.replay().filter(r -> r.ofClean() == 0).isPresent()) {
            // Every answer would be whole, whatever the engine left out.
            section.problem(
                    "items.cut-when", "is not set; allowed: set, or replay.when: always, or replay.of-clean above 0");
        }
        return listener;
    }

    private static boolean isHttps(Section listener) {
        return listener.texts("servers", List.of()).stream().anyMatch(server -> server.startsWith(HTTPS));
    }

    private static List<Address> servers(Section listener) {
        boolean https = isHttps(listener);
        return listener.someTexts("servers", ADDRESS).stream()
                .flatMap(server -> {
                    Optional<Address> address = server(server.replaceFirst("^https?://", ""));
                    if (address.isEmpty() || server.startsWith(HTTPS) != https) {
                        listener.refuse("servers", server, "HOST:PORT, or https://HOST:PORT of all servers");
                    }
                    return address.stream();
                })
                .toList();
    }

    private static ListenerConfig.CallerTls tls(Section section) {
        return new ListenerConfig.CallerTls(
                section.someSections(
                        "certificates",
                        pair -> new CertificateFiles(
                                pair.needed("certificate", "a PEM file"), pair.needed("key", "a PEM file"))),
                section.text("client-authorities", ""));
    }

    private static Optional<ListenerConfig.ServerTls> serverTls(Section listener) {
        boolean https = isHttps(listener);
        if (!https) {
            listener.refuseKey("server-tls", "with servers https://HOST:PORT");
        }
        return listener.section("server-tls", section -> {
            boolean hasKey = section.has("key");
            Optional<CertificateFiles> certificate = section.has("certificate") || hasKey
                    ? Optional.of(new CertificateFiles(
                            section.needed("certificate", "a PEM file, as key is set"),
                            section.needed("key", "a PEM file, as certificate is set")))
                    : Optional.empty();
            ListenerConfig.ServerTls tls = section.record(new ListenerConfig.ServerTls("", certificate, "", true));
            return https ? Optional.of(tls) : Optional.empty();
        });
    }

    private static FanOutConfig fanOut(Section section) {
        Optional<ShardChoice> rewrite = Optional.ofNullable(section.choice("rewrite", ShardChoice.class, null));
        Map<String, String> components = new LinkedHashMap<>();
        section.values("components").ifPresent(all -> all.forEach((name, part) -> components.put(name, part.asText())));
        components.forEach((name, part) -> {
            if (part.isBlank() || part.indexOf(',') >= 0) {
                section.refuse("components." + name, part, "one shard");
            }
        });
        if (rewrite.isEmpty()) {
            section.refuseKey("components", "with rewrite");
        }
        return section.section(
                "features",
                features -> new FanOutConfig(
                        features.texts("parameters", List.of()),
                        pointers(features, "fields", List.of()),
                        rewrite,
                        components));
    }

    /**
     * Checks that something answers for a component that is not asked: {@code rewrite} with all names, or
     * {@code not-asked}.
     */
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

    private static ListenerConfig.Dispatch arbitration(Section section) {
        ListenerConfig.Dispatch config = section.record(ListenerConfig.Dispatch.DEFAULT);
        if (config.cancelLosers() && config.compareMillis() > 0) {
            section.problem(
                    "compare-after",
                    "is " + config.compareMillis()
                            + "ms; allowed with cancel-losers: 0ms, since a cancelled copy brings no answer");
        }
        return config;
    }

    /** Reads the limit. By default a component has none: the limit of the front end that calls it protects it, too. */
    private static ListenerConfig.ConcurrencyLimit limit(Section section, Role role) {
        ListenerConfig.ConcurrencyLimit config =
                section.record(new ListenerConfig.ConcurrencyLimit(role != Role.COMPONENT, 100, 20, 2_000));
        if (config.least() > config.initial() || config.initial() > config.most()) {
            section.problem(
                    "initial",
                    "is " + config.initial() + "; allowed: from least, " + config.least() + ", to most, "
                            + config.most());
        }
        return config;
    }

    /** The shipped engine presets and those of the file. */
    private static Map<String, Engine> engines(Section section) {
        Map<String, Engine> engines = new TreeMap<>(Engine.all());
        for (String name : section.names()) {
            Engine engine = section.section(name, preset -> preset(name, preset));
            if (engines.putIfAbsent(ServiceSection.name(section, name, name), engine) != null) {
                section.problem(name, "is there; allowed: another name than of a shipped preset");
            }
        }
        return engines;
    }

    static Engine preset(String name, Section section) {
        Optional<Engine> base = Optional.of(Engine.BASE);
        return new Engine(
                name,
                section.choice("shards", Engine.Shards.class, Engine.Shards.UNNAMED),
                section.has("only") ? only(section, base) : List.of(),
                items(section, base).orElseThrow(),
                replay(section, base).orElseThrow(),
                section.optional("index", ConfigFile::index),
                section.optional("counter", ConfigFile::counter),
                Optional.ofNullable(section.text("grpc", null)),
                section.texts("cannot-undo", List.of()));
    }

    private static IndexConfig index(Section section) {
        return new IndexConfig(
                expression(section, "of", "/([^/]+)/search"),
                section.needed("read", "path and query, with $1 for the first group of `of`"),
                signs(section, "hides-when", List.of()),
                Set.copyOf(section.texts("vector-types", List.of())),
                section.parsedList("asked-by", RequestSign::parse, RequestSign.ALLOWED, "//match", List.of()));
    }

    private static CounterConfig counter(Section section) {
        return new CounterConfig(
                section.needed("read", "path and query"),
                expression(section, "count", "queries (\\d+)"),
                section.flag("of-cluster", false));
    }

    private static Pattern expression(Section section, String key, String sample) {
        return section.neededParsed(key, ConfigFile::compiled, "a regular expression of Java", sample)
                .orElse(Pattern.compile(""));
    }

    private static Optional<Pattern> compiled(String text) {
        try {
            return Optional.of(Pattern.compile(text));
        } catch (PatternSyntaxException e) {
            return Optional.empty();
        }
    }

    private static Optional<Engine> engine(Section listener, Map<String, Engine> engines) {
        String name = listener.text("engine", null);
        Optional<Engine> engine = Optional.ofNullable(name).map(engines::get);
        if (name != null && engine.isEmpty()) {
            listener.refuse("engine", name, String.join(", ", engines.keySet()));
        }
        return engine;
    }

    private static List<PathRule> only(Section listener, Optional<Engine> engine) {
        List<PathRule> preset = engine.map(Engine::only).orElse(List.of());
        List<PathRule> rules = listener.parsedList("only", PathRule::parse, PathRule.ALLOWED, "/search", preset);
        if (!listener.has("only") && engine.isPresent() && preset.isEmpty()) {
            listener.problem("only", "is not set; allowed: " + PathRule.ALLOWED);
        }
        if (listener.has("only") && listener.texts("only", List.of()).isEmpty()) {
            listener.problem("only", "has no path; allowed: at least one");
        }
        return rules;
    }

    private static Optional<ReplayConfig> replay(Section listener, Optional<Engine> engine) {
        if (engine.isEmpty()) {
            listener.refuseKey("replay", "with engine");
            return Optional.empty();
        }
        ReplayConfig d = engine.get().replay();
        return Optional.of(listener.section("replay", section -> replay(section, d)));
    }

    private static ReplayConfig replay(Section section, ReplayConfig d) {
        ReplayConfig read = section.record(d);
        Map<String, String> parameters = new LinkedHashMap<>();
        section.values("set-parameters")
                .ifPresentOrElse(
                        set -> set.forEach((name, value) -> parameters.put(name, value.asText())),
                        () -> parameters.putAll(d.setParameters()));
        Map<String, JsonNode> setFields = section.values("set-fields").orElse(d.setFields());
        read.withoutFields().forEach(field -> checkField(section, "without-fields", field));
        setFields.keySet().forEach(field -> checkField(section, "set-fields", field));
        if (read.when() != ReplayConfig.When.CUT) {
            section.refuseKey("of-clean", "with when: cut");
        }
        double share = read.when() == ReplayConfig.When.ALWAYS ? 1 : 0;
        return ReplayConfigBuilder.builder(read)
                .ofClean(section.has("of-clean") ? read.ofClean() : share)
                .setParameters(parameters)
                .setFields(setFields)
                .build();
    }

    private static void checkField(Section section, String key, String pointer) {
        try {
            if (pointer.length() > 1 && JsonPointer.compile(pointer) != null) {
                return;
            }
        } catch (IllegalArgumentException e) {
            // Told below.
        }
        section.refuse(key, pointer, "a JSON pointer to a field, /timeout");
    }

    private static Optional<ItemsConfig> items(Section listener, Optional<Engine> engine) {
        if (!listener.has("items")) {
            if (engine.equals(Optional.of(Engine.BASE))) {
                listener.problem("items", "is not set; allowed: set, as engine is json");
            }
            return engine.map(Engine::items);
        }
        return Optional.of(listener.section("items", section -> itemsOf(section, engine)));
    }

    private static ItemsConfig itemsOf(Section section, Optional<Engine> engine) {
        ItemsConfig d =
                engine.map(Engine::items).orElse(ItemsConfig.of(ItemsConfig.JSON, "", "id", "score", List.of()));
        String array = section.text("array", null);
        String id = section.text("id", null);
        ItemsConfig read = section.record(d, array == null ? "" : "arrays", id == null ? "" : "ids");
        ItemsConfig items = ItemsConfigBuilder.builder(read)
                .arrays(array == null ? read.arrays() : List.of(array))
                .ids(id == null ? read.ids() : List.of(id))
                .cutWhen(signs(section, "cut-when", d.cutWhen()))
                .failedWhen(signs(section, "failed-when", d.failedWhen()))
                .noneWhen(signs(section, "none-when", d.noneWhen()))
                .requests(requests(section, d.requests()))
                .build();
        if (array != null && !array.startsWith("/")) {
            section.refuse("array", array, "a JSON pointer, /hits");
        }
        if (items.ids().isEmpty()) {
            section.problem("ids", "is empty; allowed: fields of an item");
        }
        if (array == null) {
            pointers(section, "arrays", List.of());
        }
        pointers(section, "needs", List.of());
        pointers(section, "totals", List.of());
        if (items.reader().equals(ItemsConfig.JSON)) {
            items.ids().forEach(one -> checkItemField(section, id == null ? "ids" : "id", one));
            checkItemField(section, "score", items.score());
            checkNotInIds(section, items.notInIds());
        } else {
            if (items.reader().equals(ItemsConfig.JAVABIN) && id != null && id.startsWith("/")) {
                section.refuse("id", id, "the name of a field");
            }
            only(section, List.of("cut-when", "needs", "order"), "reader json");
            if (engine.isPresent()) {
                section.refuse("reader", items.reader(), "json, with an engine");
            }
        }
        if (engine.isEmpty()) {
            only(
                    section,
                    List.of("failed-when", "none-when", "totals", "bodies", "requests", "needs-cut-when"),
                    "engine");
        }
        return items;
    }

    private static void only(Section section, List<String> keys, String with) {
        keys.forEach(key -> section.refuseKey(key, "with " + with));
    }

    /** Refuses a name that no field of an item can have, since it would make every response unreadable. */
    private static void checkItemField(Section section, String key, String name) {
        if (!ITEM_FIELD.matcher(name).matches()) {
            section.refuse(key, name, "a field of an item, id or document.id, or a JSON pointer, /document/id");
        }
    }

    private static void checkNotInIds(Section section, String expression) {
        try {
            var unused = Pattern.compile(expression);
        } catch (PatternSyntaxException e) {
            section.refuse("not-in-ids", expression, "a regular expression of Java");
        }
    }

    /**
     * The preset's rules, then those of the file. No rule can be removed: an answer would count as better than it is.
     */
    private static List<RequestRule> requests(Section section, List<RequestRule> preset) {
        List<RequestRule> all = new ArrayList<>(preset);
        if (section.has("requests")) {
            all.addAll(section.sections("requests", ConfigFile::request));
        }
        return all;
    }

    private static RequestRule request(Section section) {
        return new RequestRule(
                section.parsedList("when", RequestSign::parse, RequestSign.ALLOWED, "size = 0", List.of()),
                pointers(section, "needs", List.of()),
                section.choice("shows", RequestRule.Shows.class, RequestRule.Shows.ALL));
    }

    private static List<String> pointers(Section section, String key, List<String> orElse) {
        List<String> pointers = section.texts(key, orElse);
        pointers.forEach(pointer -> checkField(section, key, pointer));
        return pointers;
    }

    private static List<CutSign> signs(Section items, String key, List<CutSign> orElse) {
        return items.parsedList(key, CutSign::parse, CutSign.ALLOWED, "/timed_out", orElse);
    }
}
