package io.kipimo.examples.search.index;

import io.kipimo.schemas.quality.Features;
import java.util.List;

/** Predicts figures of a query from its text alone, before a front end asks components. */
public interface QueryForecast {
    /** Predicted cost, above 0. Used only to rank queries. */
    double cost(String query);

    /**
     * Features by which a model may predict the components that contribute: the query's words, unless more is known.
     */
    default Features features(String query) {
        return Features.ofTexts(List.of(query.split("\\s+")));
    }
}
