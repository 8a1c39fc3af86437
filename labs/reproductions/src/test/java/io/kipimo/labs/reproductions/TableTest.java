package io.kipimo.labs.reproductions;

import org.junit.jupiter.api.Test;

class TableTest {
    @Test
    void table() {
        Reproduction r = new Shedding().run();
        System.out.println(r.setting());
        r.findings().forEach(f -> System.out.println(f.what() + " | " + f.ours()));
    }
}
