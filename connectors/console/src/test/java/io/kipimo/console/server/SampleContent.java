package io.kipimo.console.server;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Documents of any number of services, as large as the console's, but with names and series only. */
public final class SampleContent implements Content {
    private static final String SPARK = series(200);
    private static final String HISTORY = series(6_000);

    private final int services;
    private final AtomicLong version = new AtomicLong();
    private volatile boolean connected = true;

    public SampleContent(int services) {
        this.services = services;
    }

    private static String series(int points) {
        return DoubleStream.iterate(0, p -> p + 1)
                .limit(points)
                .mapToObj(p -> Double.toString(0.95 + 0.015 * Math.sin(p / 17)))
                .collect(Collectors.joining(",", "[", "]"));
    }

    public void connected(boolean yes) {
        connected = yes;
        version.incrementAndGet();
    }

    /** Simulates the arrival of new records. */
    public void changed() {
        version.incrementAndGet();
    }

    @Override
    public long version() {
        return version.get();
    }

    @Override
    public byte[] queries(Optional<String> service, Optional<String> queryClass, int limit) {
        return bytes("{\"queries\":[],\"asked\":\"" + service + " " + queryClass + " " + limit + "\"}");
    }

    @Override
    public String metrics() {
        return "";
    }

    @Override
    public byte[] state() {
        return document("history", HISTORY);
    }

    @Override
    public byte[] summary() {
        return document("spark", SPARK);
    }

    @Override
    public Optional<byte[]> service(String name) {
        return IntStream.range(0, services)
                .filter(i -> name(i).equals(name))
                .mapToObj(i -> bytes(service(i, "history", HISTORY)))
                .findFirst();
    }

    private static String name(int i) {
        return i == 0 ? "search" : "service-" + i;
    }

    private byte[] document(String key, String series) {
        return bytes(IntStream.range(0, services)
                .mapToObj(i -> service(i, key, series))
                .collect(Collectors.joining(
                        ",",
                        "{\"health\":{\"broker\":\"" + (connected ? "connected" : "away") + "\"},\"services\":[",
                        "]}")));
    }

    private static String service(int i, String key, String series) {
        return "{\"name\":\"" + name(i) + "\",\"" + key + "\":" + series + "}";
    }

    private static byte[] bytes(String document) {
        return document.getBytes(StandardCharsets.UTF_8);
    }
}
