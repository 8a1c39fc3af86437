package io.kipimo.core.quality.window;

import io.kipimo.core.quality.estimate.CostSums;
import io.kipimo.schemas.field.ServiceClass;
import io.kipimo.schemas.quality.Variants;

/** Sums of some measurements of one class and variant, sent to its windows; stored field by field. */
public final class ClassPane {
    public String service = "";
    public String queryClass = "";
    public String variant = Variants.NONE;
    public Pane pane = new Pane();

    /** Sums of the degraded measurements that are not explored; they teach the costs of components. */
    public CostSums costs = new CostSums();

    public ClassPane() {}

    ClassPane(String service, String queryClass, String variant, Pane pane, CostSums costs) {
        this.service = service;
        this.queryClass = queryClass;
        this.variant = variant;
        this.pane = pane;
        this.costs = costs;
    }

    /** The text {@code service/class}. */
    public String scope() {
        return new ServiceClass(service, queryClass).toString();
    }
}
