package io.kipimo.cli.caching;

import io.kipimo.cli.terminal.HostPort;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.http.PageServer;
import io.kipimo.sdk.internal.net.Address;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** Where a process serves its health and metrics, if it does. */
final class AdminOption {
    @Option(
            names = "--admin",
            paramLabel = "HOST:PORT",
            description = "Address of /healthz and /metrics; port 0 is any free port. Default: no pages.")
    private String admin;

    /** @throws InputException if it is no address */
    Optional<Address> address() {
        return Optional.ofNullable(admin).map(text -> HostPort.parse("--admin", text));
    }

    /** A server of these metrics; null if none is wanted. */
    PageServer serve(Supplier<String> metrics) throws IOException, InterruptedException {
        Optional<Address> at = address();
        return at.isEmpty()
                ? null
                : PageServer.ofMetrics(at.get().host(), at.get().port(), metrics);
    }

    /** Where a server that {@link #serve} made can be reached. */
    Optional<String> page(PageServer server) {
        return address().map(at -> "http://" + new Address(at.host(), server.port()) + "/metrics");
    }
}
