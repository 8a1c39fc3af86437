package io.kipimo.examples.search;

import io.kipimo.examples.http.HttpServers;
import io.kipimo.examples.search.component.QueueOrder;
import io.kipimo.examples.search.component.SearchComponent;
import io.kipimo.examples.search.frontend.ComponentAddress;
import io.kipimo.examples.search.frontend.FrontEnd;
import io.kipimo.examples.search.frontend.FrontEnd.QueryClassPort;
import io.kipimo.examples.search.frontend.FrontEndSettings;
import io.kipimo.examples.search.frontend.Telemetry;
import io.kipimo.examples.search.index.Partition;
import io.kipimo.examples.search.index.PartitionedIndex;
import io.kipimo.examples.search.index.Vocabulary;
import io.kipimo.examples.search.protocol.Headers;
import io.kipimo.sdk.ServerIdentity;
import io.kipimo.sdk.ServerReporter;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The whole search service in this process: one component per partition and one front end per class of queries. One
 * more front end measures and sheds nothing; it serves to find the capacity without an effect on measurements.
 */
public final class SearchService implements AutoCloseable {
    /** The class that is always admitted. */
    public static final String HIGH = Headers.HIGH_CLASS;

    /** The class under admission control. */
    public static final String LOW = "low";

    /** Tier of the components; front ends are in another tier. */
    public static final String TIER = "index";

    private static final int EVENT_LOOPS = 4;

    /** Deadline during calibration. It is long enough for every component, so that all work is done. */
    private static final Duration CALIBRATION_DEADLINE = Duration.ofSeconds(4);

    private final Vertx vertx;
    private final List<SearchComponent> components;
    private final Ports ports;

    /**
     * The ports of 127.0.0.1 on which the service listens.
     *
     * @param high queries of class {@link #HIGH}
     * @param low queries of class {@link #LOW}
     * @param calibration queries that are neither measured nor shed, and wait for all components
     * @param vocabulary words and phrases for queries, {@link Vocabulary#toLines}
     */
    public record Ports(int high, int low, int calibration, int vocabulary) {
        /** Stands for any free ports. */
        public static final Ports FREE = new Ports(0, 0, 0, 0);
    }

    private SearchService(Vertx vertx, List<SearchComponent> components, Ports ports) {
        this.vertx = vertx;
        this.components = components;
        this.ports = ports;
    }

    /**
     * Starts all servers. Returns when they listen.
     *
     * @param ports wanted ports, 0 for any free one
     * @param queueCapacity greatest number of unsampled queries that wait at a component
     * @param order in which components serve waiting queries
     * @param shedsLow whether the front end sheds the low class
     * @param reporters make the reporter of each component's server
     */
    public static SearchService start(
            PartitionedIndex index,
            FrontEndSettings settings,
            Ports ports,
            int queueCapacity,
            QueueOrder order,
            boolean shedsLow,
            Telemetry telemetry,
            Function<ServerIdentity, ServerReporter> reporters) {
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(EVENT_LOOPS));
        List<SearchComponent> components = new ArrayList<>();
        List<ComponentAddress> addresses = new ArrayList<>();
        for (Partition partition : index.partitions()) {
            // One worker searches a partition, so it has one core.
            ServerIdentity server =
                    ServerIdentity.server(settings.service(), TIER, partition.name(), settings.server(), 1);
            SearchComponent component =
                    await(SearchComponent.start(vertx, partition, queueCapacity, order, reporters.apply(server)));
            components.add(component);
            addresses.add(new ComponentAddress(component.name(), component.port()));
        }
        QueryClassPort high = new QueryClassPort(HIGH, ports.high(), false);
        QueryClassPort low = new QueryClassPort(LOW, ports.low(), shedsLow);
        QueryClassPort calibration = new QueryClassPort("calibration", ports.calibration(), false);
        return new SearchService(
                vertx,
                List.copyOf(components),
                new Ports(
                        await(FrontEnd.start(vertx, settings, high, addresses, index.forecast(), telemetry))
                                .port(),
                        await(FrontEnd.start(vertx, settings, low, addresses, index.forecast(), telemetry))
                                .port(),
                        await(FrontEnd.start(
                                        vertx,
                                        settings.withDeadline(CALIBRATION_DEADLINE),
                                        calibration,
                                        addresses,
                                        index.forecast(),
                                        Telemetry.NONE))
                                .port(),
                        await(serveVocabulary(vertx, index, ports.vocabulary()))));
    }

    private static Future<Integer> serveVocabulary(Vertx vertx, PartitionedIndex index, int port) {
        String lines = index.vocabulary().toLines();
        return vertx.createHttpServer(HttpServers.onLoopback(port))
                .requestHandler(request -> request.response().end(lines))
                .listen()
                .map(HttpServer::actualPort);
    }

    public Ports ports() {
        return ports;
    }

    /** Names of the components in answers and partial results. */
    public List<String> components() {
        return components.stream().map(SearchComponent::name).toList();
    }

    @Override
    public void close() {
        for (SearchComponent component : components) {
            await(component.close());
        }
        await(vertx.close());
    }

    private static <T> T await(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }
}
