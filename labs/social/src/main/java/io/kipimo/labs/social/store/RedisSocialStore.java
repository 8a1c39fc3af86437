package io.kipimo.labs.social.store;

import io.kipimo.labs.social.graph.SocialGraph;
import io.kipimo.loadgen.redis.RedisAddress;
import io.kipimo.redis.RedisScript;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisClient;

/**
 * The social workload on one Redis. A member is a hash with its name and its numbers of friends and requests. Its
 * friends and requests are sets, its resources a sorted set. A resource and its comments are hashes. Writes are
 * scripts, because numbers and sets must agree.
 */
public final class RedisSocialStore implements SocialStore {
    private static final RedisScript INVITE = script("invite.lua");
    private static final RedisScript ACCEPT = script("accept.lua");
    private static final RedisScript REJECT = script("reject.lua");
    private static final RedisScript THAW = script("thaw.lua");
    private static final RedisScript POST = script("post.lua");
    private static final RedisScript DELETE = script("delete.lua");
    private static final RedisScript LIST_FRIENDS = script("list_friends.lua");
    private static final RedisScript TOP_RESOURCES = script("top_resources.lua");
    private static final RedisScript REPAIR_PAIR = script("repair_pair.lua");
    private static final RedisScript REPAIR_COMMENT = script("repair_comment.lua");

    /** Number of connections for loading and repairing, in addition to those for actions. */
    private static final int FOR_PIPELINES = 2;

    /** Number of commands that are sent before their answers are read. */
    private static final int AT_ONCE = 2_000;

    private final RedisAddress address;
    private final int connections;
    private volatile RedisClient redis;

    private static RedisScript script(String name) {
        return RedisScript.of(RedisSocialStore.class, name);
    }

    private RedisSocialStore(RedisAddress address, int connections) {
        this.address = address;
        this.connections = connections;
        this.redis = address.client(connections + FOR_PIPELINES);
    }

    /**
     * A store that connects at first use.
     *
     * @param connections limit of connections, and so of concurrent actions
     */
    public static RedisSocialStore at(RedisAddress address, int connections) {
        return new RedisSocialStore(address, connections);
    }

    public RedisAddress address() {
        return address;
    }

    @Override
    public Profile profile(int member) {
        List<String> reply = redis.hmget(
                Keys.member(member), "name", "friends", "requests", "resources", "email", "address", "joined");
        return reply.get(0) == null
                ? new Profile("", 0, 0, 0)
                : new Profile(reply.get(0), number(reply, 1), number(reply, 2), number(reply, 3));
    }

    @Override
    public List<Friend> friends(int member) {
        List<?> reply = (List<?>) LIST_FRIENDS.run(redis, List.of(Keys.friends(member)), List.of());
        List<Friend> friends = new ArrayList<>(reply.size() / 2);
        for (int i = 0; i < reply.size(); i += 2) {
            friends.add(new Friend(Integer.parseInt((String) reply.get(i)), (String) reply.get(i + 1)));
        }
        return friends;
    }

    @Override
    public int[] requests(int member) {
        Set<String> reply = redis.smembers(Keys.requests(member));
        return reply.stream().mapToInt(Integer::parseInt).toArray();
    }

    @Override
    public List<Resource> topResources(int member, int count) {
        List<?> reply = (List<?>) TOP_RESOURCES.run(redis, List.of(Keys.resources(member)), List.of(text(count)));
        List<Resource> resources = new ArrayList<>(reply.size() / 2);
        for (int i = 0; i < reply.size(); i += 2) {
            List<?> fields = (List<?>) reply.get(i + 1);
            resources.add(new Resource(Long.parseLong((String) reply.get(i)), number(fields, 0), number(fields, 1)));
        }
        return resources;
    }

    @Override
    public long[] comments(long resource) {
        return redis.hgetAll(Keys.comments(resource)).keySet().stream()
                .mapToLong(Long::parseLong)
                .toArray();
    }

    @Override
    public boolean invite(int inviter, int invitee) {
        return done(INVITE.run(
                redis,
                List.of(Keys.requests(invitee), Keys.member(invitee), Keys.friends(inviter), Keys.requests(inviter)),
                List.of(text(inviter), text(invitee))));
    }

    @Override
    public boolean accept(int invitee, int inviter) {
        return done(ACCEPT.run(
                redis,
                List.of(
                        Keys.requests(invitee),
                        Keys.member(invitee),
                        Keys.member(inviter),
                        Keys.friends(invitee),
                        Keys.friends(inviter)),
                List.of(text(inviter), text(invitee))));
    }

    @Override
    public boolean reject(int invitee, int inviter) {
        return done(REJECT.run(redis, List.of(Keys.requests(invitee), Keys.member(invitee)), List.of(text(inviter))));
    }

    @Override
    public boolean thaw(int member, int friend) {
        return done(THAW.run(
                redis,
                List.of(Keys.friends(member), Keys.friends(friend), Keys.member(member), Keys.member(friend)),
                List.of(text(member), text(friend))));
    }

    @Override
    public boolean post(long resource, long comment, int author) {
        return done(POST.run(
                redis,
                List.of(Keys.comments(resource), Keys.resource(resource)),
                List.of(Long.toString(comment), Keys.comment(resource, comment) + " " + SocialStore.nameOf(author))));
    }

    @Override
    public boolean delete(long resource, long comment) {
        return done(DELETE.run(
                redis, List.of(Keys.comments(resource), Keys.resource(resource)), List.of(Long.toString(comment))));
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalStateException if the database has keys that are not Kipimo's
     */
    @Override
    public void load(SocialGraph graph) {
        if (redis.dbSize() > 0 && !redis.exists(Keys.OWNED)) {
            throw new IllegalStateException("database at "
                    + address
                    + " holds "
                    + redis.dbSize()
                    + " keys that are not Kipimo's; allowed: an empty one, because it is emptied before each load");
        }
        redis.flushDB();
        new RedisLoader(this, graph).load();
    }

    /** Restores the initial state of written items, even if a write's outcome is unknown. */
    public void repair(SocialGraph graph, WrittenItems written) {
        try (CommandBatch batch = new CommandBatch()) {
            redis.scriptLoad(REPAIR_PAIR.text());
            redis.scriptLoad(REPAIR_COMMENT.text());
            written.forEachPair((one, other) -> batch.add(p -> repair(p, graph, one, other)));
            written.forEachComment((resource, comment) -> batch.add(p -> repair(p, graph, resource, comment)));
        }
    }

    private static void repair(Pipeline pipeline, SocialGraph graph, int one, int other) {
        List<String> keys = List.of(
                Keys.friends(one),
                Keys.friends(other),
                Keys.requests(one),
                Keys.requests(other),
                Keys.member(one),
                Keys.member(other));
        List<String> arguments = List.of(
                text(one),
                text(other),
                flag(contains(graph.friendsOf(one), other)),
                flag(contains(graph.requestsOf(other), one)),
                flag(contains(graph.requestsOf(one), other)));
        var unused = pipeline.evalsha(REPAIR_PAIR.sha1(), keys, arguments);
    }

    private static void repair(Pipeline pipeline, SocialGraph graph, long resource, long comment) {
        List<String> keys = List.of(Keys.comments(resource), Keys.resource(resource));
        List<String> arguments = contains(graph.commentsOn(resource), comment)
                ? List.of(Long.toString(comment), Keys.comment(resource, comment))
                : List.of(Long.toString(comment));
        var unused = pipeline.evalsha(REPAIR_COMMENT.sha1(), keys, arguments);
    }

    @Override
    public void mark(String epoch) {
        redis.del(Keys.WRITERS);
        redis.set(Keys.EPOCH, epoch);
    }

    @Override
    public String mark() {
        String epoch = redis.get(Keys.EPOCH);
        return epoch == null ? "" : epoch;
    }

    @Override
    public boolean claim(String epoch, int index) {
        return redis.sadd(Keys.WRITERS, epoch + ":" + index) == 1;
    }

    @Override
    public void reconnect() {
        RedisClient before = redis;
        redis = address.client(connections + FOR_PIPELINES);
        before.close();
    }

    @Override
    public String digest() {
        return RedisDigest.of(address);
    }

    @Override
    public void close() {
        redis.close();
    }

    CommandBatch batch() {
        return new CommandBatch();
    }

    /** Collects commands and sends them in pipelines; throws the server's errors. Not thread-safe. */
    final class CommandBatch implements AutoCloseable {
        private final Pipeline pipeline = redis.pipelined();
        private int waiting;

        /** Adds one command. */
        void add(Consumer<Pipeline> command) {
            command.accept(pipeline);
            if (++waiting == AT_ONCE) {
                send();
            }
        }

        private void send() {
            waiting = 0;
            for (Object answer : pipeline.syncAndReturnAll()) {
                if (answer instanceof RuntimeException refused) {
                    throw refused;
                }
            }
        }

        @Override
        public void close() {
            try {
                send();
            } finally {
                pipeline.close();
            }
        }
    }

    private static boolean contains(long[] sorted, long element) {
        return Arrays.binarySearch(sorted, element) >= 0;
    }

    private static String flag(boolean value) {
        return value ? "1" : "0";
    }

    private static String text(int member) {
        return Integer.toString(member);
    }

    /** A number in a reply. If it is missing, it becomes a size that no set has. */
    private static int number(List<?> reply, int at) {
        return reply.get(at) instanceof String text ? Integer.parseInt(text) : -1;
    }

    private static boolean done(Object reply) {
        return (long) reply == 1;
    }
}
