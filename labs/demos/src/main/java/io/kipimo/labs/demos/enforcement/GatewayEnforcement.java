package io.kipimo.labs.demos.enforcement;

import io.kipimo.embedded.process.FreePorts;
import io.kipimo.simulator.report.Phrase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** An enforcement point that is {@code kipimo gateway} in a separate process. */
record GatewayEnforcement(int port, GatewayProcess process) implements EnforcementPoint {
    private static final String ANY = "";

    static GatewayEnforcement open(Guarded guarded, Path directory) throws IOException {
        int[] ports = FreePorts.distinct(2);
        String config = """
                service: %s
                server: gateway
                admin: 127.0.0.1:%d
                threads: 1
                kafka: {bootstrap-servers: '%s', topic-prefix: '%s'}
                classes: {%s: {floor: %s}}
                listeners:
                  - name: door
                    listen: 127.0.0.1:%d
                    servers:
                %s
                    limit: {enabled: false}
                """.formatted(
                        guarded.service(),
                        ports[1],
                        guarded.kafka().bootstrapServers(),
                        guarded.kafka().topicPrefix(),
                        guarded.queryClass(),
                        guarded.floor(),
                        ports[0],
                        guarded.lines("      - '127.0.0.1:%2$d'"));
        return new GatewayEnforcement(ports[0], GatewayProcess.start(config, List.of(ports[0]), ports[1], directory));
    }

    @Override
    public double admitted() {
        return process.figure("kipimo_gateway_admitted_fraction", ANY);
    }

    @Override
    public String figures() {
        return Phrase.of(
                "The gateway passed %.0f queries of the low class and shed %.0f.",
                process.figure("kipimo_gateway_copies_total", ANY),
                process.figure("kipimo_gateway_shed_by_admission_total", ANY));
    }

    @Override
    public void close() {
        process.close();
    }
}
