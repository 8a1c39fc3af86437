package io.kipimo.labs.social.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class SocialGraphPropertyTest {
    @Property(tries = 200, seed = "6")
    void friendshipIsSymmetricAndFriendsHaveNoRequests(
            @ForAll @IntRange(min = 1, max = 4) int communities,
            @ForAll @IntRange(min = 0, max = 5) int halfFriends,
            @ForAll @IntRange(min = 0, max = 3) int requests,
            @ForAll @IntRange(min = 0, max = 20) int more) {
        int friends = 2 * halfFriends;
        int members = communities * (3 + friends + 2 * requests) + more;
        SocialGraph graph = new SocialGraph(members, communities, friends, requests, 1, 1);
        for (int member = 0; member < members; member++) {
            long[] of = graph.friendsOf(member);
            assertThat(of)
                    .hasSize(friends)
                    .doesNotHaveDuplicates()
                    .doesNotContain(member)
                    .isSorted();
            assertThat(graph.requestsOf(member))
                    .hasSize(requests)
                    .doesNotHaveDuplicates()
                    .doesNotContain(member)
                    .isSorted();
            for (long friend : of) {
                assertThat(graph.friendsOf((int) friend)).contains(member);
                assertThat(graph.community((int) friend)).isEqualTo(graph.community(member));
            }
            int self = member;
            assertThat(Arrays.stream(graph.requestsOf(member))
                            .noneMatch(a -> contains(of, a) || contains(graph.requestsOf((int) a), self)))
                    .isTrue();
        }
    }

    private static boolean contains(long[] sorted, long element) {
        return Arrays.binarySearch(sorted, element) >= 0;
    }
}
