package io.kipimo.labs.social.state;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Ways to restore a store between experiments. */
public enum StateMode {
    /** Emptied and loaded anew: the paper's Simple. */
    RELOAD("reload", false, Restore.RELOAD),
    /** What was written is undone, by a log of the writes: RepairDB (sec. 5.1). */
    REPAIR("repair", false, Restore.REPAIR),
    /** A copy of the store's files is put back: DBIL (sec. 5.2). */
    IMAGE("image", false, Restore.IMAGE),
    /** Kept, with the workload's own state; repaired after a violation only (sec. 5.3). */
    LOAD_FREE("load-free", true, Restore.REPAIR),
    /** The same, and repaired before every so many experiments. */
    LOAD_FREE_REPAIR("load-free+repair", true, Restore.REPAIR),
    /** The same with an image. */
    LOAD_FREE_IMAGE("load-free+image", true, Restore.IMAGE);

    /** What is done when something has to be done. */
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
     * By its name on the command line.
     *
     * @throws IllegalArgumentException that says what is allowed
     */
    public static StateMode parse(String key) {
        return Arrays.stream(values())
                .filter(mode -> mode.key.equals(key))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "state is '" + key + "'; allowed: " + keys()));
    }

    private static String keys() {
        return Arrays.stream(values()).map(StateMode::key).collect(Collectors.joining(", "));
    }

    public String key() {
        return key;
    }

    /** Whether the store is kept as long as that is right. */
    public boolean keeps() {
        return keeps;
    }

    /** Whether it is restored after some experiments though nothing went wrong. */
    public boolean isHybrid() {
        return this == LOAD_FREE_REPAIR || this == LOAD_FREE_IMAGE;
    }

    public Restore restore() {
        return restore;
    }
}
