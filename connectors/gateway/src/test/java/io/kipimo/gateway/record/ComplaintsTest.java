package io.kipimo.gateway.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ComplaintsTest {
    private final List<String> said = new ArrayList<>();
    private long nowNanos = 5;

    @Test
    void eachKindIsSaidOnceAMinute() {
        Complaints complaints = new Complaints("front", said::add, () -> nowNanos);
        complaints.say(ReplayFailure.CUT, "one");
        complaints.say(ReplayFailure.CUT, "again");
        complaints.say(ReplayFailure.NOT_ASKED, "two");
        nowNanos += TimeUnit.MINUTES.toNanos(1) - 1;
        complaints.say(ReplayFailure.CUT, "again");
        nowNanos += 1;
        complaints.say(ReplayFailure.CUT, "three");

        assertThat(said).containsExactly("front: one", "front: two", "front: three");
    }
}
