package io.kipimo.labs.reproductions;

/**
 * One figure of a paper and ours.
 *
 * @param paper as printed there; empty: the paper does not say
 * @param note the likely cause where it does not match, else what is to know; may be empty
 */
public record Finding(String what, String paper, String ours, Verdict verdict, String note) {

    /** Whether ours bears the paper out. */
    public enum Verdict {
        /** It does. */
        MATCHES("matches"),
        /** It does not. */
        DIFFERS("does not match"),
        /** The paper has none, or one of another kind, that cannot be held against ours. */
        OURS_ALONE("ours alone");

        private final String text;

        Verdict(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    /** A figure that is the paper's if a condition holds. */
    static Finding compared(
            String what, String paper, String ours, boolean matches, String causeIfNot) {
        return new Finding(
                what,
                paper,
                ours,
                matches ? Verdict.MATCHES : Verdict.DIFFERS,
                matches ? "" : causeIfNot);
    }

    /** A figure that the paper does not have. */
    static Finding alone(String what, String ours, String note) {
        return new Finding(what, "", ours, Verdict.OURS_ALONE, note);
    }
}
