package io.kipimo.sdk;

import io.kipimo.schemas.tails.Vantage;
import java.util.ArrayList;
import java.util.List;

/**
 * Identity and capacity of a server or arbiter that reports observations.
 *
 * @param component component that the server is a replica of, or that the arbiter stands in front of
 * @param server name of the server or arbiter, unique within its component
 * @param cores cores that the server's requests share (V), 0..65,536; 0: unknown, so that the server's capacity is
 *     unknown, too
 * @param tokens tokens that its arbiter hands out (C), 0..65,536; 0: no arbitration by tokens
 */
public record ServerIdentity(
        String service, String tier, String component, String server, Vantage vantage, int cores, int tokens) {
    private static final int MOST_CORES = 1 << 16;

    /** @throws IllegalArgumentException if settings are out of range; lists each with its value and what is allowed */
    public ServerIdentity {
        List<String> problems = new ArrayList<>();
        KipimoConfig.checkName("service", service, problems);
        KipimoConfig.checkName("tier", tier, problems);
        KipimoConfig.checkName("component", component, problems);
        KipimoConfig.checkName("server", server, problems);
        checkCount("cores", cores, problems);
        checkCount("tokens", tokens, problems);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
    }

    private static void checkCount(String what, int value, List<String> problems) {
        if (value < 0 || value > MOST_CORES) {
            problems.add(what + " is " + value + "; allowed: 0.." + MOST_CORES);
        }
    }

    /** A server that works on requests. */
    public static ServerIdentity server(String service, String tier, String component, String server, int cores) {
        return new ServerIdentity(service, tier, component, server, Vantage.SERVER, cores, 0);
    }

    /** An arbiter that sees requests before they are copied. */
    public static ServerIdentity arbiter(String service, String tier, String component, String server) {
        return new ServerIdentity(service, tier, component, server, Vantage.ARBITER, 0, 0);
    }

    /** This identity with a number of tokens. */
    public ServerIdentity withTokens(int tokens) {
        return new ServerIdentity(service, tier, component, server, vantage, cores, tokens);
    }
}
