package io.kipimo.examples.search.index;

import io.kipimo.schemas.quality.Features;
import java.util.List;

/** What a front end knows of a query before it asks components, from the query's text alone. */
public interface QueryForecast {
    /** Predicted cost, above 0. Used only to rank queries. */
    double cost(String query);

    /** What may tell which components contribute: the query's words, unless more is known. */
    default Features features(String query) {
        return Features.ofTexts(List.of(query.split("\\s+")));
    }
}
