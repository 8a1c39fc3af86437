package io.kipimo.envoy;

import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioEventLoopGroup;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import io.kipimo.http.Descriptors;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the current decisions to Envoys as a runtime layer: {@code kipimo.shed.CLASS} is the share of a class's
 * requests that Envoy answers with 429, and {@code kipimo.copy.TIER.N} decides whether Envoy mirrors an Nth copy of a
 * tier's requests.
 *
 * <p>It does not check decisions. Its input is the fractions and factors that apply now. Only decisions that passed
 * every check change them, and when decisions cease they return to safe values. Each Envoy confirms the versions that
 * it applies; a restarted Envoy subscribes again.
 */
public final class EnvoyAdapter implements AutoCloseable {

    /**
     * Contents of the layer, and the address where Envoys subscribe.
     *
     * @param host name or address to listen on
     * @param port 0: any free port
     * @param classes classes of queries that may be shed
     * @param tiers tiers whose requests may be mirrored
     * @param mostCopies most copies of a request, 2..8
     * @param period interval at which fractions and factors are read, 1 ms to 1 s
     */
    public record Enforcing(
            String host, int port, List<String> classes, List<String> tiers, int mostCopies, Duration period) {
        /** Names must not have dots, which separate the parts of Envoy's keys. */
        private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

        /** Default settings: values are read every 20 ms, at most 4 copies. */
        public static Enforcing of(String host, int port, List<String> classes, List<String> tiers) {
            return new Enforcing(host, port, classes, tiers, 4, Duration.ofMillis(20));
        }

        /** @throws IllegalArgumentException if settings are out of range; lists all of them */
        public Enforcing {
            classes = List.copyOf(classes);
            tiers = List.copyOf(tiers);
            List<String> problems = new ArrayList<>();
            if (port < 0 || port > 65_535) {
                problems.add("port is " + port + "; allowed: 0..65535");
            }
            if (classes.isEmpty() && tiers.isEmpty()) {
                problems.add("classes and tiers are none; allowed: at least one");
            }
            for (String name : classes) {
                if (!NAME.matcher(name).matches()) {
                    problems.add("class is '" + name + "'; allowed: " + NAME);
                }
            }
            for (String name : tiers) {
                if (!NAME.matcher(name).matches()) {
                    problems.add("tier is '" + name + "'; allowed: " + NAME);
                }
            }
            if (mostCopies < 2 || mostCopies > 8) {
                problems.add("most copies are " + mostCopies + "; allowed: 2..8");
            }
            if (period.toMillis() < 1 || period.toMillis() > 1_000) {
                problems.add("period is " + period + "; allowed: 1 ms..1 s");
            }
            if (!problems.isEmpty()) {
                throw new IllegalArgumentException(String.join("; ", problems));
            }
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(EnvoyAdapter.class);
    private static final int MILLION = 1_000_000;

    /** An Envoy that disappears silently is detected within the sum of both times. */
    private static final int KEEP_ALIVE_SECONDS = 10;

    private static final int KEEP_ALIVE_TIMEOUT_SECONDS = 5;
    private static final int CLOSING_SECONDS = 5;

    /** Time after which a connection without a handshake or a stream is closed, so that it holds no descriptor. */
    private static final int HANDSHAKE_SECONDS = 5;

    private static final int MOST_CONNECTIONS = 1_000;

    /** Greatest number of streams. An Envoy has one, and for a moment a second one when it subscribes again. */
    private static final int MOST_STREAMS_PER_CONNECTION = 8;

    private final Enforcing settings;
    private final ToDoubleFunction<String> fractions;
    private final ToIntFunction<String> factors;
    private final RuntimeStreams streams = new RuntimeStreams();
    private final LongAdder refused = new LongAdder();
    private final EventLoopGroup loops = new NioEventLoopGroup(1, new DefaultThreadFactory("kipimo-envoy-rpc", true));
    private final ScheduledExecutorService thread;
    private final Server server;

    private EnvoyAdapter(Enforcing settings, ToDoubleFunction<String> fractions, ToIntFunction<String> factors) {
        this.settings = settings;
        this.fractions = fractions;
        this.factors = factors;
        server = NettyServerBuilder.forAddress(new InetSocketAddress(settings.host(), settings.port()))
                .channelFactory(() -> new BoundedServerChannel(mostConnections(), refused))
                .bossEventLoopGroup(loops)
                .workerEventLoopGroup(loops)
                .handshakeTimeout(HANDSHAKE_SECONDS, TimeUnit.SECONDS)
                .maxConnectionIdle(HANDSHAKE_SECONDS, TimeUnit.SECONDS)
                .maxConcurrentCallsPerConnection(MOST_STREAMS_PER_CONNECTION)
                .keepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(KEEP_ALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .addService(streams)
                .build();
        thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread own = new Thread(task, "kipimo-envoy");
            own.setDaemon(true);
            return own;
        });
    }

    /**
     * Starts the server; it accepts connections when this returns.
     *
     * @param fractions admitted fractions that apply now, 0..1, by class
     * @param factors copies of a request that apply now, at least 1, by tier
     * @throws IOException if the port cannot be opened
     */
    public static EnvoyAdapter start(
            Enforcing settings, ToDoubleFunction<String> fractions, ToIntFunction<String> factors) throws IOException {
        EnvoyAdapter adapter = new EnvoyAdapter(settings, fractions, factors);
        adapter.step();
        adapter.server.start();
        var unused = adapter.thread.scheduleWithFixedDelay(
                adapter::stepOrSay,
                settings.period().toMillis(),
                settings.period().toMillis(),
                TimeUnit.MILLISECONDS);
        return adapter;
    }

    /** Updates Envoys, and logs exceptions, since an exception would end the schedule. */
    private void stepOrSay() {
        try {
            step();
        } catch (RuntimeException e) {
            LOG.warn("cannot update Envoys", e);
        }
    }

    private void step() {
        Map<String, Integer> layer = new HashMap<>();
        for (String name : settings.classes()) {
            int admitted = RuntimeStreams.millionths(fractions.applyAsDouble(name));
            layer.put("kipimo.shed." + name, MILLION - admitted);
        }
        for (String tier : settings.tiers()) {
            int factor = factors.applyAsInt(tier);
            for (int copy = 2; copy <= settings.mostCopies(); copy++) {
                layer.put("kipimo.copy." + tier + '.' + copy, factor >= copy ? MILLION : 0);
            }
        }
        streams.set(layer);
    }

    public int port() {
        return server.getPort();
    }

    /** Number of subscribed Envoys. */
    public int connected() {
        return streams.connected();
    }

    /** Number of subscribed Envoys that have not confirmed the current version. */
    public int behind() {
        return streams.behind();
    }

    /** Number of versions that Envoys refused. */
    public long rejections() {
        return streams.rejections();
    }

    /** Limit of open connections. */
    static int mostConnections() {
        return Math.min(MOST_CONNECTIONS, Descriptors.forCallers());
    }

    /** Number of connections that were closed at once because there were too many. */
    public long refusedConnections() {
        return refused.sum();
    }

    /** The current layer: millionths by key. */
    public Map<String, Integer> layer() {
        return streams.layer();
    }

    /** Stops the server; the port is free when this returns. */
    @Override
    public void close() {
        thread.shutdownNow();
        server.shutdownNow();
        try {
            if (!server.awaitTermination(CLOSING_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("port {} is not free {} s after closing", port(), CLOSING_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            var unused = loops.shutdownGracefully(0, CLOSING_SECONDS, TimeUnit.SECONDS);
        }
    }
}
