package io.kipimo.core.quality.window;

/** Sums of some measurements of one class, sent to its windows; a Flink POJO. */
public final class ClassPane {
    public String service = "";
    public String queryClass = "";
    public Pane pane = new Pane();

    public ClassPane() {}

    ClassPane(String service, String queryClass, Pane pane) {
        this.service = service;
        this.queryClass = queryClass;
        this.pane = pane;
    }
}
