package io.kipimo.bench.foreseen;

/** Moment of a prediction, counted from the time when the components were asked. */
enum Moment {
    START("start", 0),
    THIRD("D/3", 1 / 3.0),
    LATE(".8 D", 0.8);

    private final String title;
    private final double share;

    Moment(String title, double share) {
        this.title = title;
        this.share = share;
    }

    String title() {
        return title;
    }

    long micros(long deadlineMicros) {
        return Math.round(share * deadlineMicros);
    }
}
