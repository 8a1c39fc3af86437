package io.kipimo.labs.demos.enforcement;

import io.kipimo.embedded.process.ForeignProcess;
import io.kipimo.embedded.process.FreePorts;
import io.kipimo.envoy.EnvoyAdapter;
import io.kipimo.sdk.Kipimo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A real Envoy with the configuration of docs/envoy.md, and Kipimo's adapter for it. */
record EnvoyEnforcement(String queryClass, int port, ForeignProcess envoy, Kipimo kipimo, EnvoyAdapter adapter)
        implements EnforcementPoint {

    static EnvoyEnforcement open(Guarded guarded, Path directory) throws IOException {
        Kipimo kipimo = DecisionFollower.follow(guarded, "envoy");
        EnvoyAdapter adapter = EnvoyAdapter.start(
                EnvoyAdapter.Enforcing.of("127.0.0.1", 0, List.of(guarded.queryClass()), List.of()),
                kipimo.admission()::fraction,
                tier -> 1);
        int port = FreePorts.one();
        Path config = directory.resolve("envoy.yaml");
        Files.writeString(config, """
                node: {id: door, cluster: kipimo}
                layered_runtime:
                  layers:
                  - name: kipimo
                    rtds_layer:
                      name: kipimo
                      rtds_config:
                        resource_api_version: V3
                        api_config_source: {api_type: GRPC, transport_api_version: V3, grpc_services: [{envoy_grpc: {cluster_name: kipimo}}]}
                static_resources:
                  listeners:
                  - name: door
                    address: {socket_address: {address: 127.0.0.1, port_value: %1$d}}
                    filter_chains:
                    - filters:
                      - name: envoy.filters.network.http_connection_manager
                        typed_config:
                          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
                          stat_prefix: door
                          route_config:
                            virtual_hosts:
                            - name: door
                              domains: ["*"]
                              routes:
                              - match:
                                  prefix: "/"
                                  runtime_fraction: {default_value: {numerator: 0, denominator: MILLION}, runtime_key: kipimo.shed.%2$s}
                                direct_response: {status: 429, body: {inline_string: shed}}
                              - match: {prefix: "/"}
                                route: {cluster: servers, timeout: 60s}
                          http_filters:
                          - name: envoy.filters.http.router
                            typed_config: {"@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router}
                  clusters:
                  - name: servers
                    type: STATIC
                    load_assignment: {cluster_name: servers, endpoints: [{lb_endpoints: [
                %3$s
                      ]}]}
                  - name: kipimo
                    type: STATIC
                    typed_extension_protocol_options:
                      envoy.extensions.upstreams.http.v3.HttpProtocolOptions:
                        "@type": type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions
                        explicit_http_config: {http2_protocol_options: {}}
                    load_assignment: {cluster_name: kipimo, endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: 127.0.0.1, port_value: %4$d}}}}]}]}
                """.formatted(
                        port,
                        guarded.queryClass(),
                        guarded.lines(
                                "      {endpoint: {hostname: %s, address: {socket_address: {address: 127.0.0.1, port_value: %d}}}},"),
                        adapter.port()));
        ForeignProcess envoy = ForeignProcess.start(
                List.of(
                        EnforcementKind.ENVOY.program().orElseThrow().toString(),
                        "-c",
                        config.toString(),
                        "--concurrency",
                        "1",
                        "--disable-hot-restart",
                        "--log-level",
                        "warning"),
                port,
                directory.resolve("envoy.log"));
        return new EnvoyEnforcement(guarded.queryClass(), port, envoy, kipimo, adapter);
    }

    @Override
    public double admitted() {
        Integer shed = adapter.layer().get("kipimo.shed." + queryClass);
        return shed == null || adapter.connected() == 0 || adapter.behind() > 0 ? Double.NaN : 1 - shed / 1e6;
    }

    @Override
    public String figures() {
        return "Envoy got decisions over RTDS and refused " + adapter.rejections() + " versions.";
    }

    @Override
    public void close() {
        envoy.close();
        adapter.close();
        kipimo.close();
    }
}
