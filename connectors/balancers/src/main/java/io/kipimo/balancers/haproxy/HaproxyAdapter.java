package io.kipimo.balancers.haproxy;

import java.io.IOException;
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
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a map of HAProxy equal to the current admitted fractions, in millionths. HAProxy's configuration sheds by this
 * map and the hash of the id ({@code kipimo.lua}, beside this class), so it sheds the same queries as every gateway.
 *
 * <p>It does not check decisions. Its input is the fraction that applies now. Only decisions that passed every check
 * change it, and when decisions cease it returns to the safe fraction. It reads back what it writes, and repairs the
 * map after a reload, a restart or a manual change.
 */
public final class HaproxyAdapter implements AutoCloseable {

    /**
     * Address of HAProxy, and names in its configuration.
     *
     * @param socket path of its stats socket, or HOST:PORT
     * @param map file of the map as in HAProxy's configuration
     * @param classes keys of the map
     * @param period interval at which fractions are read, 1 ms to 1 s
     * @param verifyEvery interval at which the map is read back and repaired, at least the period; needed because a
     *     reload or restart of HAProxy restores the map from its file
     * @param timeout time-out of a command, at least 1 ms
     */
    public record Enforced(
            String socket, String map, List<String> classes, Duration period, Duration verifyEvery, Duration timeout) {
        /** Names must not have {@code ;}, which would start a second command. */
        private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

        private static final Pattern PATH = Pattern.compile("[A-Za-z0-9._/-]{1,200}");

        /** Default settings: fractions are read every 20 ms, the map is read back every second. */
        public static Enforced of(String socket, String map, List<String> classes) {
            return new Enforced(
                    socket, map, classes, Duration.ofMillis(20), Duration.ofSeconds(1), Duration.ofSeconds(2));
        }

        /** @throws IllegalArgumentException if settings are out of range; lists all of them */
        public Enforced {
            classes = List.copyOf(classes);
            List<String> problems = new ArrayList<>();
            try {
                var unused = RuntimeApi.address(socket);
            } catch (IllegalArgumentException e) {
                problems.add(e.getMessage());
            }
            if (!PATH.matcher(map).matches()) {
                problems.add("map is '" + map + "'; allowed: " + PATH);
            }
            if (classes.isEmpty()) {
                problems.add("classes are none; allowed: at least one");
            }
            for (String name : classes) {
                if (!NAME.matcher(name).matches()) {
                    problems.add("class is '" + name + "'; allowed: " + NAME);
                }
            }
            if (period.toMillis() < 1 || period.toMillis() > 1_000) {
                problems.add("period is " + period + "; allowed: 1 ms..1 s");
            }
            if (verifyEvery.compareTo(period) < 0) {
                problems.add("verifyEvery is " + verifyEvery + "; allowed: at least the period");
            }
            if (timeout.toMillis() < 1) {
                problems.add("timeout is " + timeout + "; allowed: at least 1 ms");
            }
            if (!problems.isEmpty()) {
                throw new IllegalArgumentException(String.join("; ", problems));
            }
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(HaproxyAdapter.class);

    private static final int MILLION = 1_000_000;

    /** Greatest rounding error of a fraction of whole millionths as a double. */
    private static final double ROUNDING = 1e-6;

    private final Enforced settings;
    private final ToDoubleFunction<String> fractions;
    private final RuntimeApi api;
    private final ScheduledExecutorService thread;
    private final LongAdder writes = new LongAdder();
    private final LongAdder repairs = new LongAdder();
    private final LongAdder faults = new LongAdder();

    // Used by the thread alone.
    private final Map<String, Integer> confirmed = new HashMap<>();
    private long verifiedNanos;

    private volatile boolean connected;
    private volatile Map<String, Integer> inForce = Map.of();

    private HaproxyAdapter(Enforced settings, ToDoubleFunction<String> fractions) {
        this.settings = settings;
        this.fractions = fractions;
        this.api = new RuntimeApi(settings.socket(), settings.timeout());
        thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread own = new Thread(task, "kipimo-haproxy");
            own.setDaemon(true);
            return own;
        });
    }

    /**
     * Starts the adapter. It works until it is closed, also while HAProxy is unavailable.
     *
     * @param fractions admitted fractions that apply now, 0..1, by class
     */
    public static HaproxyAdapter start(Enforced settings, ToDoubleFunction<String> fractions) {
        HaproxyAdapter adapter = new HaproxyAdapter(settings, fractions);
        var unused = adapter.thread.scheduleWithFixedDelay(
                adapter::step, 0, settings.period().toMillis(), TimeUnit.MILLISECONDS);
        return adapter;
    }

    private void step() {
        Map<String, Integer> wanted = new HashMap<>();
        settings.classes().forEach(c -> wanted.put(c, millionths(fractions.applyAsDouble(c))));
        long now = System.nanoTime();
        boolean due =
                !connected || now - verifiedNanos >= settings.verifyEvery().toNanos();
        if (!due && wanted.equals(confirmed)) {
            return;
        }
        try {
            Map<String, String> found = api.map(settings.map());
            boolean wrote = false;
            for (Map.Entry<String, Integer> want : wanted.entrySet()) {
                String is = found.get(want.getKey());
                if (want.getValue().toString().equals(is)) {
                    continue;
                }
                if (want.getValue().equals(confirmed.get(want.getKey()))) {
                    // The key existed before, so the map was changed by something else.
                    repairs.increment();
                }
                api.set(settings.map(), want.getKey(), want.getValue(), is == null);
                writes.increment();
                wrote = true;
            }
            confirm(wanted, wrote ? api.map(settings.map()) : found);
            verifiedNanos = now;
            connected = true;
        } catch (IOException | RuntimeException e) {
            if (connected) {
                LOG.warn("cannot update HAProxy at {}: {}", settings.socket(), e.getMessage());
            }
            faults.increment();
            connected = false;
        }
    }

    /**
     * The map's value of a fraction, rounded up because queries below it are admitted.
     *
     * @return 0..1,000,000; 0 for NaN
     */
    static int millionths(double fraction) {
        if (!Double.isFinite(fraction)) {
            return 0;
        }
        return (int) Math.ceil(MILLION * Math.max(0, Math.min(1, fraction)) - ROUNDING);
    }

    private void confirm(Map<String, Integer> wanted, Map<String, String> found) throws IOException {
        confirmed.clear();
        for (Map.Entry<String, Integer> want : wanted.entrySet()) {
            if (!want.getValue().toString().equals(found.get(want.getKey()))) {
                throw new IOException("%s reads back as %s and not as %s"
                        .formatted(want.getKey(), found.get(want.getKey()), want.getValue()));
            }
            confirmed.put(want.getKey(), want.getValue());
        }
        inForce = Map.copyOf(confirmed);
    }

    /** Whether the last command succeeded. */
    public boolean isConnected() {
        return connected;
    }

    /** Admitted millionths by class, as last read from HAProxy. */
    public Map<String, Integer> inForce() {
        return inForce;
    }

    public long writes() {
        return writes.sum();
    }

    /** Number of values that something else had changed and that were repaired. */
    public long repairs() {
        return repairs.sum();
    }

    /** Number of failed commands. */
    public long faults() {
        return faults.sum();
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
