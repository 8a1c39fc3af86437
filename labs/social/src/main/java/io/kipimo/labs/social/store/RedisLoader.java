package io.kipimo.labs.social.store;

import io.kipimo.labs.social.graph.SocialGraph;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import redis.clients.jedis.Response;

/** Loads a graph in pipelines over two connections. While one of them sends, the other receives answers. */
final class RedisLoader {
    private static final int CONNECTIONS = 2;
    private static final String BODY =
            "A resource that somebody shares with friends: a picture, a link or a few lines of text.";

    private final RedisSocialStore store;
    private final SocialGraph graph;

    RedisLoader(RedisSocialStore store, SocialGraph graph) {
        this.store = store;
        this.graph = graph;
    }

    void load() {
        try (RedisSocialStore.CommandBatch batch = store.batch()) {
            batch.add(pipeline -> {
                Response<String> unused = pipeline.set(Keys.OWNED, graph.toString());
            });
        }
        Arrays.stream(new int[] {0, 1}).parallel().forEach(half -> {
            try (RedisSocialStore.CommandBatch batch = store.batch()) {
                for (int member = half; member < graph.members(); member += CONNECTIONS) {
                    member(batch, member);
                }
            }
        });
    }

    private void member(RedisSocialStore.CommandBatch batch, int member) {
        String[] friends = texts(graph.friendsOf(member));
        String[] requests = texts(graph.requestsOf(member));
        Map<String, String> profile = new LinkedHashMap<>();
        profile.put("name", SocialStore.nameOf(member));
        profile.put("email", "member" + member + "@example.org");
        profile.put("address", member + " Example Street, Example Town");
        profile.put("joined", "2026-01-01");
        profile.put("friends", Integer.toString(friends.length));
        profile.put("requests", Integer.toString(requests.length));
        profile.put("resources", Integer.toString(graph.resources()));
        batch.add(pipeline -> {
            Response<Long> unused = pipeline.hset(Keys.member(member), profile);
        });
        set(batch, Keys.friends(member), friends);
        set(batch, Keys.requests(member), requests);
        Map<String, Double> resources = new HashMap<>();
        for (int i = 0; i < graph.resources(); i++) {
            long resource = graph.firstResource(member) + i;
            resources.put(Long.toString(resource), (double) i);
            resource(batch, member, resource);
        }
        batch.add(pipeline -> {
            Response<Long> unused = pipeline.zadd(Keys.resources(member), resources);
        });
    }

    private void resource(RedisSocialStore.CommandBatch batch, int owner, long resource) {
        Map<String, String> comments = new LinkedHashMap<>();
        for (long comment : graph.commentsOn(resource)) {
            comments.put(Long.toString(comment), Keys.comment(resource, comment));
        }
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("owner", Integer.toString(owner));
        fields.put("type", "text");
        fields.put("body", BODY);
        fields.put("comments", Integer.toString(comments.size()));
        batch.add(pipeline -> {
            Response<Long> unused = pipeline.hset(Keys.resource(resource), fields);
        });
        if (!comments.isEmpty()) {
            batch.add(pipeline -> {
                Response<Long> unused = pipeline.hset(Keys.comments(resource), comments);
            });
        }
    }

    private static void set(RedisSocialStore.CommandBatch batch, String key, String[] elements) {
        if (elements.length > 0) {
            batch.add(pipeline -> {
                Response<Long> unused = pipeline.sadd(key, elements);
            });
        }
    }

    private static String[] texts(long[] numbers) {
        return Arrays.stream(numbers).mapToObj(Long::toString).toArray(String[]::new);
    }
}
