package io.kipimo.labs.demos.enforcement;

import io.kipimo.balancers.haproxy.HaproxyAdapter;
import io.kipimo.embedded.process.ForeignProcess;
import io.kipimo.embedded.process.FreePorts;
import io.kipimo.sdk.Kipimo;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A real HAProxy with the configuration of docs/haproxy.md, and Kipimo's adapter for it. */
record HaproxyEnforcement(String queryClass, int port, ForeignProcess haproxy, Kipimo kipimo, HaproxyAdapter adapter)
        implements EnforcementPoint {

    static HaproxyEnforcement open(Guarded guarded, Path directory) throws IOException {
        int port = FreePorts.one();
        Path map = directory.resolve("admitted.map");
        Path socket = directory.resolve("haproxy.sock");
        try (InputStream lua = HaproxyAdapter.class.getResourceAsStream("kipimo.lua")) {
            Files.write(directory.resolve("kipimo.lua"), lua.readAllBytes());
        }
        Files.writeString(map, guarded.queryClass() + " 1000000\n");
        Path config = directory.resolve("haproxy.cfg");
        Files.writeString(config, """
                global
                    lua-load %1$s/kipimo.lua
                    stats socket %2$s mode 600 level admin
                defaults
                    mode http
                    timeout connect 1s
                    timeout client 60s
                    timeout server 60s
                frontend door
                    bind 127.0.0.1:%3$d
                    http-request set-var(txn.admitted) str(%4$s),map_str_int(%5$s,1000000)
                    http-request set-var(txn.u) lua.kipimo_u
                    http-request set-var(txn.room) var(txn.admitted),sub(txn.u)
                    http-request return status 429 content-type text/plain string shed hdr Retry-After %%[rand(5),add(1)] if { var(txn.room) -m int le 0 }
                    default_backend servers
                backend servers
                    balance roundrobin
                %6$s
                """.formatted(
                directory, socket, port, guarded.queryClass(), map, guarded.lines("    server %s 127.0.0.1:%d")));
        ForeignProcess haproxy = ForeignProcess.start(
                List.of(EnforcementKind.HAPROXY.program().orElseThrow().toString(), "-db", "-f", config.toString()),
                port,
                directory.resolve("haproxy.log"));
        Kipimo kipimo = DecisionFollower.follow(guarded, "haproxy");
        HaproxyAdapter adapter = HaproxyAdapter.start(
                HaproxyAdapter.Enforced.of(socket.toString(), map.toString(), List.of(guarded.queryClass())),
                kipimo.admission()::fraction);
        return new HaproxyEnforcement(guarded.queryClass(), port, haproxy, kipimo, adapter);
    }

    @Override
    public double admitted() {
        Integer millionths = adapter.inForce().get(queryClass);
        return millionths == null ? Double.NaN : millionths / 1e6;
    }

    @Override
    public String figures() {
        return "HAProxy received " + adapter.writes() + " fractions, " + adapter.faults() + " commands failed.";
    }

    @Override
    public void close() {
        adapter.close();
        kipimo.close();
        haproxy.close();
    }
}
