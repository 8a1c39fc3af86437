package io.kipimo.duplicates;

import java.util.Locale;

/** Whether a duplicate answers, and if not, why. */
public enum Standing {
    /** It has caught up with the log, and applies each write as it comes. */
    SERVING("serves"),
    /** It applies writes that came while it was out. */
    CATCHING_UP("is catching up with the log"),
    /** The next write was not the one after the last applied. */
    GAP("missed a write"),
    /** Its store has fewer writes than before. */
    OLDER_STORE("has a store that went back"),
    /** Its store does not answer, or too slowly. */
    STORE_AWAY("cannot reach its store"),
    /** The log does not answer. */
    LOG_AWAY("cannot reach the log"),
    /** The log has deleted the next write: fill the store from another duplicate. */
    LOG_TOO_SHORT("needs writes that the log has forgotten"),
    /** The log lost writes that were applied, or is not the log of the store. */
    OTHER_LOG("has a store of another log");

    private final String inWords;

    Standing(String inWords) {
        this.inWords = inWords;
    }

    /** Such as "missed a write", after the duplicate's name. */
    public String inWords() {
        return inWords;
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
