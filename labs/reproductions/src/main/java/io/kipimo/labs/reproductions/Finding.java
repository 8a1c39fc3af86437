package io.kipimo.labs.reproductions;

/**
 * One figure of a paper, and Kipimo's figure for it.
 *
 * @param paper as printed there; empty: the paper has none
 * @param note the likely cause of a difference, or another remark; may be empty
 */
public record Finding(String what, String paper, String ours, FindingVerdict verdict, String note) {

    /** Whether Kipimo's figure agrees with the paper. */
    public enum FindingVerdict {
        /** It agrees. */
        MATCHES("matches"),
        /** It does not agree. */
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

    /** A figure that agrees with the paper if a condition holds. */
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
