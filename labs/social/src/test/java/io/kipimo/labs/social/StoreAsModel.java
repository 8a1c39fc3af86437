package io.kipimo.labs.social;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.labs.social.graph.SocialGraph;
import io.kipimo.labs.social.store.SocialStore;
import java.util.Arrays;

/** Compares a store's contents with the workload's model. */
final class StoreAsModel {
    private StoreAsModel() {}

    static void assertEqual(SocialStore store, SocialModel model, SocialGraph graph) {
        for (int member = 0; member < graph.members(); member++) {
            long[] friends = store.friends(member).stream()
                    .mapToLong(f -> f.member())
                    .sorted()
                    .toArray();
            long[] requests = Arrays.stream(store.requests(member))
                    .asLongStream()
                    .sorted()
                    .toArray();
            assertThat(friends).as("friends of %d", member).isEqualTo(model.friendsOf(member));
            assertThat(requests).as("requests of %d", member).isEqualTo(model.requestsOf(member));
            assertThat(store.profile(member))
                    .isEqualTo(new SocialStore.Profile(
                            SocialStore.nameOf(member), friends.length, requests.length, graph.resources()));
            for (SocialStore.Resource resource : store.topResources(member, graph.resources())) {
                long[] comments = store.comments(resource.id());
                Arrays.sort(comments);
                assertThat(comments)
                        .as("comments on %d", resource.id())
                        .isEqualTo(model.commentsOn(resource.id()))
                        .hasSize(resource.comments());
            }
        }
    }
}
