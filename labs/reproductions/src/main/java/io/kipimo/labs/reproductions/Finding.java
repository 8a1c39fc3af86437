package io.kipimo.labs.reproductions;

/**
 * One figure of a paper, and Kipimo's figure for it.
 *
 * @param paper as printed there; empty: the paper has none
 * @param note the likely cause of a difference, or another remark; may be empty
 */
public record Finding(String what, String paper, String ours, FindingVerdict verdict, String note) {

    /** The agreement of Kipimo's figure with the paper. */
    public enum FindingVerdict {
        /** Kipimo's figure agrees with the paper. */
        MATCHES("matches"),
        /** Kipimo's figure does not agree with the paper. */
        DIFFERS("does not match"),
        /** The paper has no comparable figure. */
        OURS_ALONE("ours alone");

        private final String text;

        FindingVerdict(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    /**
     * A figure with a counterpart in the paper.
     *
     * @param matches whether they agree
     * @param causeIfNot the likely cause if they differ
     */
    static Finding compared(String what, String paper, String ours, boolean matches, String causeIfNot) {
        return new Finding(
                what,
                paper,
                ours,
                matches ? FindingVerdict.MATCHES : FindingVerdict.DIFFERS,
                matches ? "" : causeIfNot);
    }

    /** A figure without a counterpart in the paper. */
    static Finding alone(String what, String ours, String note) {
        return new Finding(what, "", ours, FindingVerdict.OURS_ALONE, note);
    }
}
