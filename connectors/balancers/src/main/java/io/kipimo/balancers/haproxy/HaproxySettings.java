package io.kipimo.balancers.haproxy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Where HAProxy is, and names in its configuration.
 *
 * @param socket path of its stats socket, or HOST:PORT
 * @param map file of the map as in HAProxy's configuration
 * @param classes keys of the map
 * @param period interval at which fractions are read, 1 ms to 1 s
 * @param verifyEvery interval at which the map is read back and repaired, at least the period; needed because a reload
 *     or restart of HAProxy restores the map from its file
 * @param timeout time-out of a command, at least 1 ms
 */
public record HaproxySettings(
        String socket, String map, List<String> classes, Duration period, Duration verifyEvery, Duration timeout) {
    /** A {@code ;} in a name would start a second command. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    private static final Pattern PATH = Pattern.compile("[A-Za-z0-9._/-]{1,200}");

    /** Default settings: fractions are read every 20 ms, the map is read back every second. */
    public static HaproxySettings of(String socket, String map, List<String> classes) {
        return new HaproxySettings(
                socket, map, classes, Duration.ofMillis(20), Duration.ofSeconds(1), Duration.ofSeconds(2));
    }

    /** @throws IllegalArgumentException if settings are out of range; lists all of them */
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
