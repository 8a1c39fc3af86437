package io.kipimo.console.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.topics.Role;
import org.junit.jupiter.api.Test;

class FeedTest {
    /** Brokers refuse the console what its role does not have. */
    @Test
    void theConsolesRoleReadsEveryFeed() {
        assertThat(Feed.ALL.stream().map(Feed::topic)).containsExactlyInAnyOrderElementsOf(Role.CONSOLE.reads());
    }
}
