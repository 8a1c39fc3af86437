package io.kipimo.duplicates;

import java.util.Locale;

/** State of a duplicate: whether it answers, and if not, why. */
public enum DuplicateStanding {
    /** The duplicate has caught up with the log, and applies each write as it comes. */
    SERVING("serves"),
    /** The duplicate applies writes that came while it was out of service. */
    CATCHING_UP("is catching up with the log"),
    /** The next write did not follow the last applied one. */
    GAP("missed a write"),
    /** The store has fewer writes than before. */
    OLDER_STORE("has a store that lost writes"),
    /** The store does not answer, or answers too slowly. */
    STORE_AWAY("cannot reach its store"),
    /** The log does not answer. */
    LOG_AWAY("cannot reach the log"),
    /** The log has deleted the next write. Fill the store from another duplicate. */
    LOG_TOO_SHORT("needs writes that the log has deleted"),
    /** The log lost writes that were applied, or the store belongs to another log. */
    OTHER_LOG("has a store of another log");

    private final String inWords;

    DuplicateStanding(String inWords) {
        this.inWords = inWords;
    }

    /** Description that follows the duplicate's name, such as "missed a write". */
    public String inWords() {
        return inWords;
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
