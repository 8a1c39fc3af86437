package io.kipimo.local;

import com.fasterxml.jackson.databind.node.TextNode;
import io.kipimo.cli.terminal.InputException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The files of a policy and of a gateway, for search engines of which only the address is known. Every query is
 * measured, and nothing is ever shed. Each engine replays at most one query at a time, and replays take at most as much
 * time as all queries do.
 *
 * @param trust settings for engines that speak HTTPS
 * @param bootstrapServers address of the broker
 * @param ports ports of the listeners, one for each engine
 */
record EngineFiles(
        String service,
        String queryClass,
        List<LocalEngine> engines,
        EngineTrust trust,
        String bootstrapServers,
        List<Integer> ports,
        int adminPort) {
    static final String POLICY = "policy.yaml";
    static final String GATEWAY = "gateway.yaml";

    String policy() {
        return """
                # Written by kipimo local. kipimo policy example explains each key.
                service: %s
                metrics: [tpr@10]
                merge: {kind: REPLAYED_ANSWERS}
                top_k: 10
                classes: [{name: %s, priority: 0, objective: 0.95, floor: 1.0}]
                # Every query is measured, which suits a few queries a second. Leave it out under load.
                sampling: {fixed_rate: 1.0}
                # Decisions are shown, and change nothing.
                admission: {shadow: true}
                """.formatted(quoted(service), quoted(queryClass));
    }

    String gateway() {
        StringBuilder file = new StringBuilder("""
                # Written by kipimo local. kipimo gateway --example explains each key.
                service: %s
                kafka: {bootstrap-servers: %s}
                admin: %s
                classes: {%s: {floor: 1}}
                sampling: {rate: 1}
                listeners:
                """.formatted(
                quoted(service), quoted(bootstrapServers), quoted("127.0.0.1:" + adminPort), quoted(queryClass)));
        Map<String, Integer> seen = new HashMap<>();
        for (int i = 0; i < engines.size(); i++) {
            LocalEngine engine = engines.get(i);
            int count = seen.merge(engine.preset(), 1, Integer::sum);
            file.append("""
                      - name: %s
                        role: front
                        engine: %s
                        listen: %s
                        servers: [%s]
                        top-k: 10
                        # Replays take as long as all queries do, at most; one at a time.
                        replay: {budget: 1.0, concurrency: 1}
                    """.formatted(
                            engine.preset() + (count == 1 ? "" : "-" + count),
                            engine.preset(),
                            quoted("127.0.0.1:" + ports.get(i)),
                            quoted(engine.server())));
            if (engine.isTls()) {
                file.append(tls());
            }
        }
        return file.toString();
    }

    private String tls() {
        if (trust.isInsecure()) {
            return "    server-tls: {verify: false}\n";
        }
        return trust.authorities()
                .map(file -> "    server-tls: {authorities: " + quoted(file.toString()) + "}\n")
                .orElse("");
    }

    /** Quotes a text of any characters, so that it is valid in YAML and JSON. */
    private static String quoted(String text) {
        return TextNode.valueOf(text).toString();
    }

    /**
     * Writes both files.
     *
     * @throws InputException if a file exists, since it may have been edited, or cannot be written
     */
    List<Path> write(Path directory) {
        try {
            Files.createDirectories(directory);
            Path policy = directory.resolve(POLICY);
            Path gateway = directory.resolve(GATEWAY);
            for (Path file : List.of(policy, gateway)) {
                if (Files.exists(file)) {
                    throw new FileAlreadyExistsException(file.toString());
                }
            }
            Files.writeString(policy, policy(), StandardOpenOption.CREATE_NEW);
            Files.writeString(gateway, gateway(), StandardOpenOption.CREATE_NEW);
            return List.of(policy, gateway);
        } catch (FileAlreadyExistsException e) {
            throw new InputException("--print: " + e.getMessage() + " exists; allowed: a directory without " + POLICY
                    + " and " + GATEWAY);
        } catch (IOException e) {
            throw new InputException("--print: " + directory + " cannot be written: " + e.getMessage());
        }
    }
}
