package io.kipimo.console.page;

import io.kipimo.console.model.ConsoleModel;
import io.kipimo.console.server.ConsoleServer;
import io.kipimo.console.server.Content;
import io.kipimo.console.server.ProxyLogin;
import io.kipimo.console.server.RequestRefusedException;
import io.kipimo.console.server.SampleGates;
import io.kipimo.console.server.ServerSettings;
import io.kipimo.console.server.Writes;
import io.kipimo.core.quality.window.TraceLink;
import io.kipimo.schemas.policy.ManualOverride;
import io.kipimo.schemas.policy.Policy;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The real server with a model that tests fill. Changes by users return to the model as policies. */
final class FedConsole implements Content, Writes, AutoCloseable {
    static final String TOKEN = "test-token-0000000";

    final ConsoleModel model = new ConsoleModel(Optional.of(new TraceLink("https://tempo.example/trace/{query}")));
    private final Map<String, Policy> policies = new ConcurrentHashMap<>();
    private final Optional<String> token;
    private ConsoleServer server;
    private int port;
    private volatile long aheadMillis;
    private volatile boolean isAway;

    private final Optional<ProxyLogin> login;

    private FedConsole(Optional<String> token, Optional<ProxyLogin> login) {
        this.token = token;
        this.login = login;
    }

    /** Without a token; this machine's addresses are those of a proxy. */
    static FedConsole behindAProxy() throws Exception {
        return start(Optional.empty(), Optional.of(new ProxyLogin("X-Forwarded-User", "127.0.0.1"::equals)));
    }

    static FedConsole start() throws Exception {
        return start(Optional.of(TOKEN), Optional.empty());
    }

    static FedConsole readOnly() throws Exception {
        return start(Optional.empty(), Optional.empty());
    }

    private static FedConsole start(Optional<String> token, Optional<ProxyLogin> login) throws Exception {
        FedConsole console = new FedConsole(token, login);
        console.model.connected(now());
        console.model.readUntil(now());
        console.model.read(now(), now());
        console.up();
        return console;
    }

    static long now() {
        return System.currentTimeMillis();
    }

    /** Starts the server again at the same address. */
    void up() throws Exception {
        server = ConsoleServer.start(
                new ServerSettings(ServerSettings.LOOPBACK, port, token, Optional.empty(), login),
                this,
                this,
                new SampleGates());
        port = server.port();
    }

    /** From now on Kafka does not answer. */
    void away() {
        isAway = true;
        model.away(now());
    }

    /** The server's clock; until then all is read, as long as Kafka answers. */
    private long clock() {
        long now = now() + aheadMillis;
        if (!isAway) {
            model.readUntil(now);
        }
        return now;
    }

    /** From now on the server's clock is ahead, as if so much time had passed without news. */
    void later(long millis) {
        aheadMillis = millis;
    }

    /** Stops the server, like the end of the process. */
    void down() {
        server.close();
    }

    String address() {
        return "http://127.0.0.1:" + port + "/";
    }

    void policy(Policy policy) {
        policies.put(policy.service(), policy);
        model.policy(policy);
        model.read(now(), now());
    }

    Policy policy(String service) {
        return policies.get(service);
    }

    @Override
    public byte[] state() {
        return model.state(token.isPresent() || login.isPresent(), clock());
    }

    @Override
    public byte[] summary() {
        return model.summary(token.isPresent() || login.isPresent(), clock());
    }

    @Override
    public Optional<byte[]> service(String name) {
        return model.service(name, clock());
    }

    @Override
    public byte[] queries(Optional<String> service, Optional<String> queryClass, int limit) {
        return model.queries(service, queryClass, limit);
    }

    @Override
    public String metrics() {
        return "";
    }

    @Override
    public long version() {
        return model.version();
    }

    @Override
    public long override(String service, String queryClass, Optional<OverrideRequest> wanted) {
        return change(
                service,
                policies.get(service)
                        .withOverride(
                                queryClass,
                                wanted.map(o ->
                                        new ManualOverride(o.fraction(), now() + o.forMillis(), o.by(), o.reason()))));
    }

    @Override
    public long killSwitch(String service, boolean on, String by, String reason) {
        return change(service, policies.get(service).withKillSwitch(on));
    }

    private long change(String service, Policy next) {
        if (!policies.containsKey(service)) {
            throw new RequestRefusedException(404, "no policy of service '" + service + "'");
        }
        policy(next.withVersion(next.version() + 1));
        return next.version() + 1;
    }

    @Override
    public void close() {
        server.close();
    }
}
