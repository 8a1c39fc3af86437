package io.kipimo.gateway;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** Closes what a test has started, the last part first. */
abstract class StartedParts {
    final List<AutoCloseable> started = new ArrayList<>();

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable one : started) {
            one.close();
        }
    }

    <T extends AutoCloseable> T keep(T one) {
        started.add(0, one);
        return one;
    }
}
