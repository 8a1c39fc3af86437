package io.kipimo.balancers.haproxy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Where HAProxy is and what it calls things.
 *
 * @param socket path of its stats socket, or HOST:PORT
 * @param map file of the map, as its configuration names it
 * @param classes keys of the map
 * @param period in which decisions are looked at, 1 ms to 1 s
 * @param verifyEvery the map is read back and put right so often, also when nothing was decided: a
 *     reload or restart brings back what is in the file; at least the period
 * @param timeout of a command
 */
public record HaproxySettings(
        String socket,
        String map,
        List<String> classes,
        Duration period,
        Duration verifyEvery,
        Duration timeout) {
    /** A {@code ;} in a name would be a second command. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    private static final Pattern PATH = Pattern.compile("[A-Za-z0-9._/-]{1,200}");

    /** Looked at every 20 ms, read back every second. */
    public static HaproxySettings of(String socket, String map, List<String> classes) {
        return new HaproxySettings(
                socket,
                map,
                classes,
                Duration.ofMillis(20),
                Duration.ofSeconds(1),
                Duration.ofSeconds(2));
    }

    /**
     * @throws IllegalArgumentException that names every problem
     */
    public HaproxySettings {
        classes = List.copyOf(classes);
        List<String> problems = new ArrayList<>();
        if (socket.isBlank()) {
            problems.add("socket is not set; allowed: a path, or HOST:PORT");
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
