package io.kipimo.core.rating;

/** Why a squeeze ended. In every case the server gets its first share back. */
public enum SqueezeEnding {
    /** The squeezed server broke the agreement: the rating is its throughput in the step before. */
    BROKEN("the agreement broke"),
    /** The server kept the agreement with the largest share allowed. */
    MOST_SHARE("still keeps the agreement with the largest share allowed: at least this much"),
    /** Another server broke the agreement. */
    REST_BROKEN("another server broke the agreement"),
    /** Another server went out of service. */
    REST_DOWN("another server went out of service"),
    /** Reports of the server ceased, or did not suffice to evaluate the agreement. */
    BLIND("the server's reports ceased, or are too few to evaluate the agreement");

    private final String text;

    SqueezeEnding(String text) {
        this.text = text;
    }

    /** Text for users. */
    public String text() {
        return text;
    }
}
