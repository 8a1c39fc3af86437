package io.kipimo.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.core.stale.FilterShape;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.RedisClient;

/** After a fail-over behind one address, only a new connection reaches the new master. */
class RedisConnectionsITCase {
    private static final Pattern CONNECTIONS = Pattern.compile("total_connections_received:(\\d+)");

    @Test
    void aConnectionToAFormerMasterIsGivenUp(@TempDir Path directory) throws Exception {
        try (ForgetfulRedis redis = new ForgetfulRedis(directory);
                RedisClient admin = redis.client();
                RedisStaleKeys keys =
                        RedisStaleKeys.at(redis.settings(), "shop/things", FilterShape.ONE_ROUND_TRIP, 60_000)) {
            keys.reportRead("a", 1_000, 0);
            keys.reportRead("b", 1_000, 0);
            long before = connections(admin);
            Object isReplica =
                    admin.executeCommand(new CommandArguments(Command.REPLICAOF).addObjects("127.0.0.1", "1"));
            assertThat(isReplica).isNotNull();
            // A command, a script, and a batch.
            List<Callable<?>> writes = List.of(
                    () -> {
                        keys.reportRead("a", 1_000, 0);
                        return null;
                    },
                    () -> keys.invalidate("a", 1),
                    () -> {
                        RedisStaleKeys.Batch batch = keys.batch();
                        batch.reportRead("c", 1_000, 0);
                        return batch.send();
                    });
            for (Callable<?> write : writes) {
                assertThatThrownBy(write::call).isInstanceOf(RedisUnavailableException.class);
            }
            Object isMaster = admin.executeCommand(new CommandArguments(Command.REPLICAOF).addObjects("NO", "ONE"));
            assertThat(isMaster).isNotNull();
            keys.reportRead("a", 1_000, 0);
            assertThat(connections(admin) - before).isEqualTo(writes.size());
        }
    }

    private static long connections(RedisClient admin) {
        byte[] page = (byte[]) admin.executeCommand(new CommandArguments(Command.INFO).addObjects("stats"));
        Matcher figure = CONNECTIONS.matcher(new String(page, StandardCharsets.UTF_8));
        assertThat(figure.find()).isTrue();
        return Long.parseLong(figure.group(1));
    }
}
