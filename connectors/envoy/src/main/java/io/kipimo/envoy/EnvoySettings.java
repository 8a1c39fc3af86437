package io.kipimo.envoy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

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
public record EnvoySettings(
        String host, int port, List<String> classes, List<String> tiers, int mostCopies, Duration period) {
    /** Without dots, which separate the parts of Envoy's keys. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    /** Default settings: values are read every 20 ms, at most 4 copies. */
    public static EnvoySettings of(String host, int port, List<String> classes, List<String> tiers) {
        return new EnvoySettings(host, port, classes, tiers, 4, Duration.ofMillis(20));
    }

    /** @throws IllegalArgumentException if settings are out of range; lists all of them */
    public EnvoySettings {
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
