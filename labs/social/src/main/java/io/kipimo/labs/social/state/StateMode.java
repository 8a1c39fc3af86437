package io.kipimo.labs.social.state;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The ways to bring a store back to its initial state between experiments. */
public enum StateMode {
    /** Empty the store and load it again; the paper's Simple. */
    RELOAD("reload", false, Restore.RELOAD),
    /** Undo the writes with a log of them; the paper's RepairDB (sec. 5.1). */
    REPAIR("repair", false, Restore.REPAIR),
    /** Restore a copy of the store's files; the paper's DBIL (sec. 5.2). */
    IMAGE("image", false, Restore.IMAGE),
    /** Keep the store and the workload's own state of it; repair only after a violation (sec. 5.3). */
    LOAD_FREE("load-free", true, Restore.REPAIR),
    /** Keep the store, and repair it before every fourth experiment. */
    LOAD_FREE_REPAIR("load-free+repair", true, Restore.REPAIR),
    /** Keep the store, and restore an image before every fourth experiment. */
    LOAD_FREE_IMAGE("load-free+image", true, Restore.IMAGE);

    /** The way to restore the store if needed. */
    public enum Restore {
        RELOAD,
        REPAIR,
        IMAGE
    }

    private final String key;
    private final boolean keeps;
    private final Restore restore;

    StateMode(String key, boolean keeps, Restore restore) {
        this.key = key;
        this.keeps = keeps;
        this.restore = restore;
    }

    /**
     * Parses a mode's name on the command line.
     *
     * @throws IllegalArgumentException naming what is allowed
     */
    public static StateMode parse(String key) {
        return Arrays.stream(values())
                .filter(mode -> mode.key.equals(key))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("state is '" + key + "'; allowed: " + keys()));
    }

    private static String keys() {
        return Arrays.stream(values()).map(StateMode::key).collect(Collectors.joining(", "));
    }

    public String key() {
        return key;
    }

    /** Returns whether the store is kept between experiments as long as there is no violation. */
    public boolean keeps() {
        return keeps;
    }

    /** Returns whether the store is restored after some experiments even without a violation. */
    public boolean isHybrid() {
        return this == LOAD_FREE_REPAIR || this == LOAD_FREE_IMAGE;
    }

    public Restore restore() {
        return restore;
    }
}
