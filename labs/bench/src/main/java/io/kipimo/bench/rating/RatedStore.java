package io.kipimo.bench.rating;

import io.kipimo.embedded.process.ForeignProcess;
import io.kipimo.embedded.process.FreePorts;
import io.kipimo.embedded.process.Programs;
import io.kipimo.embedded.process.Started;
import io.kipimo.labs.social.SocialSettings;
import io.kipimo.labs.social.SocialTarget;
import io.kipimo.labs.social.graph.ActionMix;
import io.kipimo.labs.social.graph.SocialAction;
import io.kipimo.labs.social.graph.SocialGraph;
import io.kipimo.labs.social.state.StateMode;
import io.kipimo.labs.social.state.Strategies;
import io.kipimo.labs.social.store.RedisSocialStore;
import io.kipimo.loadgen.http.HttpTarget;
import io.kipimo.loadgen.http.HttpTargetSettings;
import io.kipimo.loadgen.memcached.MemcachedTarget;
import io.kipimo.loadgen.redis.RedisAddress;
import io.kipimo.loadgen.redis.RedisCommandTarget;
import io.kipimo.loadgen.workload.Share;
import io.kipimo.loadgen.workload.Target;
import io.kipimo.loadgen.workload.Workload;
import io.kipimo.schemas.rating.LoadModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A real store to be rated. A request costs the store's processor more than the generator's. */
enum RatedStore {
    /** Redis sorts a list in each request. Its throughput is flat from the first users on. */
    REDIS("redis-server", LoadModel.CLOSED, 1, 16) {
        @Override
        Target start(Path directory, Started running) throws IOException {
            RedisAddress address = redis(directory, running);
            try (Target filling = new RedisCommandTarget(address, "RPUSH numbers {random:1000000}", NONE, 1)) {
                ask(filling, LIST_LENGTH);
            }
            return new RedisCommandTarget(address, "SORT numbers LIMIT 0 1", NONE, MOST_USERS);
        }
    },

    /** Redis runs only BG's cheapest action (SoAR, table 1). */
    REDIS_VIEW_PROFILE("redis-server", LoadModel.CLOSED, 1, 16) {
        @Override
        Target start(Path directory, Started running) throws IOException {
            return social(directory, running, SocialAction.VIEW_PROFILE);
        }
    },

    /** Redis runs only BG's action that reads every friend (SoAR, table 1). */
    REDIS_LIST_FRIENDS("redis-server", LoadModel.CLOSED, 1, 16) {
        @Override
        Target start(Path directory, Started running) throws IOException {
            return social(directory, running, SocialAction.LIST_FRIENDS);
        }
    },

    /** Memcached reads many values in each request. */
    MEMCACHED("memcached", LoadModel.CLOSED, 1, 16) {
        @Override
        Target start(Path directory, Started running) throws IOException {
            int port = FreePorts.one();
            run(port, directory, running, "-u", "nobody", "-l", "127.0.0.1", "-p", port, "-t", 1);
            String url = "memcached://127.0.0.1:" + port;
            String value = "x".repeat(VALUE_BYTES);
            try (Target filling = new MemcachedTarget(
                    url, "set k{request} 0 0 " + VALUE_BYTES + "\\n" + value, NONE, TIME_OUT_MILLIS)) {
                ask(filling, KEYS);
            }
            String keys = IntStream.range(0, KEYS).mapToObj(i -> "k" + i).collect(Collectors.joining(" "));
            return new MemcachedTarget(url, "get " + keys, NONE, TIME_OUT_MILLIS);
        }
    },

    /** nginx rejects requests above a rate of 1,000 a second ({@code limit_req}). */
    NGINX_LIMIT("nginx", LoadModel.OPEN, 20, 100) {
        @Override
        Target start(Path directory, Started running) throws IOException {
            return new HttpTarget(HttpTargetSettings.of(nginx(directory, running) + "limited.txt"));
        }
    },

    /** nginx compresses a text in each request, on one processor. */
    NGINX_GZIP("nginx", LoadModel.OPEN, 20, 200) {
        @Override
        Target start(Path directory, Started running) throws IOException {
            return new HttpTarget(new HttpTargetSettings(
                    nginx(directory, running) + "zipped.txt",
                    Map.of("Accept-Encoding", "gzip"),
                    NONE,
                    "",
                    TIME_OUT_MILLIS));
        }
    };

    private static final List<String> NONE = List.of();
    private static final long TIME_OUT_MILLIS = 5_000;
    private static final int MOST_USERS = 256;
    private static final int LIST_LENGTH = 3_000;
    private static final int KEYS = 100;

    /** Members of BG's social network: a tenth of the paper's, like its resources, but with as many friends each. */
    private static final int MEMBERS = 10_000;

    private static final int FRIENDS = 100;
    private static final int RESOURCES = 10;
    private static final int VALUE_BYTES = 1_000;
    private static final int TEXT_BYTES = 20_000;

    private final String program;
    private final LoadModel model;
    private final double unit;
    private final long highestLoad;

    RatedStore(String program, LoadModel model, double unit, long highestLoad) {
        this.program = program;
        this.model = model;
        this.unit = unit;
        this.highestLoad = highestLoad;
    }

    String program() {
        return program;
    }

    LoadModel model() {
        return model;
    }

    /** Number of requests a second, or of users, that load 1 stands for. */
    double unit() {
        return unit;
    }

    /** Highest load that the sweep tries. */
    long highestLoad() {
        return highestLoad;
    }

    /**
     * Starts and fills the store.
     *
     * @param directory for its files
     * @param running gets what the caller must close
     */
    abstract Target start(Path directory, Started running) throws IOException;

    final void run(int port, Path directory, Started running, Object... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Programs.find(program).orElseThrow().toString());
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        running.keep(ForeignProcess.start(command, port, directory.resolve(name() + ".log")));
    }

    final RedisAddress redis(Path directory, Started running) throws IOException {
        int port = FreePorts.one();
        run(port, directory, running, "--port", port, "--bind", "127.0.0.1", "--save", "");
        return RedisAddress.of("redis://127.0.0.1:" + port);
    }

    final Target social(Path directory, Started running, SocialAction only) throws IOException {
        SocialGraph graph = SocialGraph.of(MEMBERS, FRIENDS, RESOURCES);
        RedisSocialStore store = RedisSocialStore.at(redis(directory, running), MOST_USERS);
        return new SocialTarget(
                SocialSettings.of(graph, ActionMix.of(Map.of(only, 1.0))).withoutValidation(),
                store,
                StateMode.RELOAD,
                Strategies.reload(store, graph));
    }

    private static void ask(Target target, int times) {
        try (Workload workload = target.open(Share.WHOLE);
                Workload.Session session = workload.session(0, 1)) {
            for (int i = 0; i < times; i++) {
                if (session.request().toCompletableFuture().join().failed()) {
                    throw new IllegalStateException("the store refuses to be filled");
                }
            }
        }
    }

    final String nginx(Path directory, Started running) throws IOException {
        int port = FreePorts.one();
        SplittableRandom random = new SplittableRandom(1);
        StringBuilder text = new StringBuilder();
        while (text.length() < TEXT_BYTES) {
            text.append(Integer.toString(random.nextInt(10_000), 36)).append(' ');
        }
        Files.writeString(directory.resolve("limited.txt"), "x");
        Files.writeString(directory.resolve("zipped.txt"), text);
        Path config = directory.resolve(name() + ".conf");
        Files.writeString(config, """
                daemon off;
                worker_processes 1;
                pid %1$s/%3$s.pid;
                error_log %1$s/%3$s-errors.log crit;
                events { worker_connections 8192; }
                http {
                    access_log off;
                    client_body_temp_path %1$s/body;
                    proxy_temp_path %1$s/proxy;
                    fastcgi_temp_path %1$s/fastcgi;
                    uwsgi_temp_path %1$s/uwsgi;
                    scgi_temp_path %1$s/scgi;
                    keepalive_requests 1000000000;
                    limit_req_zone $server_port zone=all:1m rate=1000r/s;
                    limit_req_log_level info;
                    types { text/plain txt; }
                    gzip_types text/plain;
                    gzip_comp_level 9;
                    server {
                        listen 127.0.0.1:%2$d;
                        root %1$s;
                        location /limited.txt { limit_req zone=all burst=20 nodelay; }
                        location /zipped.txt { gzip on; }
                    }
                }
                """.formatted(directory, port, name()));
        // The worker must read the files of the user who starts it.
        run(port, directory, running, "-p", directory, "-c", config, "-g", "user root;");
        return "http://127.0.0.1:" + port + "/";
    }
}
