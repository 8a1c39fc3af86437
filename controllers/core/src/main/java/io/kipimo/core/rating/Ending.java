package io.kipimo.core.rating;

/** Reason why a search ended. */
public enum Ending {
    /** The rating is as accurate as the technique can make it. */
    FOUND("found"),
    /** The lowest load failed. */
    FIRST_FAILED("the lowest load already breaks the agreement"),
    /** The target still passed at the highest load allowed: it carries at least that much. */
    HIGHEST_LOAD("still passes at the highest load allowed: at least this much"),
    /** The limit of experiments was reached. The result is the best load so far; its accuracy is unknown. */
    TOO_MANY_EXPERIMENTS("not settled within the experiments allowed: the best so far"),
    /** The generator could not impose a load: the target may carry more. */
    GENERATOR_BOTTLENECK("the load generator was the bottleneck: not a rating of the target");

    private final String text;

    Ending(String text) {
        this.text = text;
    }

    /** Text for users. */
    public String text() {
        return text;
    }
}
