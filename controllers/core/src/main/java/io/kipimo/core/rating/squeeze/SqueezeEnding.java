package io.kipimo.core.rating.squeeze;

/** Why a squeeze ended; whichever it was, the server has its first share again. */
public enum SqueezeEnding {
    /** The squeezed server broke the agreement: the rating is what it served a step before. */
    BROKEN("the agreement broke"),
    /** It kept the agreement with the largest share that it may be given. */
    MOST_SHARE("still keeps the agreement with the largest share allowed: at least this much"),
    /** Another server broke the agreement. */
    REST_BROKEN("another server broke the agreement"),
    /** Another server went out of service. */
    REST_DOWN("another server went out of service"),
    /** Reports of the server ceased, or told nothing that the agreement could be judged by. */
    BLIND("the server's reports ceased, or tell too little of what was promised");

    private final String text;

    SqueezeEnding(String text) {
        this.text = text;
    }

    /** For people. */
    public String text() {
        return text;
    }
}
