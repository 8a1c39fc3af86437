package io.kipimo.loadgen.redis;

import io.kipimo.loadgen.http.Template;
import io.kipimo.loadgen.workload.RequestOutcome;
import io.kipimo.loadgen.workload.Share;
import io.kipimo.loadgen.workload.Target;
import io.kipimo.loadgen.workload.Workload;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * A Redis under commands that the user chooses. Nothing is emptied, loaded or restored. An error reply counts as a
 * failed request.
 */
public final class RedisCommandTarget implements Target {
    private final RedisAddress address;
    private final RedisClient redis;
    private final List<Template> words;

    /**
     * Makes a target.
     *
     * @param command words separated by blanks, with placeholders as in {@link Template}
     * @param connections limit of concurrent commands
     * @throws IllegalArgumentException for an empty command or an unknown placeholder
     */
    public RedisCommandTarget(RedisAddress address, String command, List<String> lines, int connections) {
        if (command.isBlank()) {
            throw new IllegalArgumentException("request is empty; allowed: a Redis command");
        }
        this.words = Arrays.stream(command.strip().split("\\s+"))
                .map(word -> new Template(word, lines, false))
                .toList();
        this.address = address;
        this.redis = address.client(connections);
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalStateException if the store does not answer, or refuses the connection
     */
    @Override
    public Workload open(Share share) {
        try {
            redis.ping();
        } catch (JedisException e) {
            String how = e instanceof JedisDataException ? " refuses: " : " does not answer: ";
            throw new IllegalStateException(address + how + e.getMessage(), e);
        }
        return (Workload.Blocking) CommandUser::new;
    }

    private final class CommandUser extends Template.TemplateUser {
        CommandUser(long number, long seed) {
            super(number, seed);
        }

        @Override
        public CompletionStage<RequestOutcome> request() {
            Template.TemplateRequest request = next();
            byte[][] filled = words.stream()
                    .map(w -> w.fill(request).getBytes(StandardCharsets.UTF_8))
                    .toArray(byte[][]::new);
            try {
                redis.executeCommand(arguments(filled));
                return CompletableFuture.completedFuture(RequestOutcome.ANSWERED);
            } catch (JedisException e) {
                return CompletableFuture.completedFuture(RequestOutcome.FAILED);
            }
        }
    }

    private static CommandArguments arguments(byte[][] words) {
        CommandArguments arguments = new CommandArguments(() -> words[0]);
        for (int i = 1; i < words.length; i++) {
            arguments.add(words[i]);
        }
        return arguments;
    }

    @Override
    public void close() {
        redis.close();
    }
}
