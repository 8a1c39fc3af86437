package io.kipimo.core.quality.fanout.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The components to ask for a query. In any doubt these are all components.
 *
 * @param asked in the order of the given components; never empty unless none were given
 * @param expectedQuality share of the full answer that the asked components are expected to have
 * @param proposed the choice that would have been made, if the model only advises; otherwise empty
 */
public record FanOutChoice(List<String> asked, double expectedQuality, Reason reason, Optional<FanOutChoice> proposed) {

    /** Why these components are asked. */
    public enum Reason {
        /** The others are expected to contribute less than they cost. */
        CHOSEN,
        /** All are needed for the floor, or worth their price. */
        ALL_NEEDED,
        /** The model does not know these components: the layout has changed. */
        OTHER_LAYOUT,
        /** The front end stated no features of the query. */
        NO_FEATURES,
        /** The model's predictions were not tested enough, or promised over 0.25 more quality than was kept. */
        NOT_CALIBRATED,
        /** Price or floor is not allowed. */
        BAD_SETTING,
        /** No model was published for the class. */
        NOT_PUBLISHED,
        /** The lease of the newest model has ended. */
        EXPIRED,
        /** The choice of components is off; the publication says why. */
        OFF,
        /** The query is explored: it always asks all components. */
        EXPLORED,
        /** The model only advises. */
        SHADOW
    }

    public FanOutChoice(List<String> asked, double expectedQuality, Reason reason) {
        this(asked, expectedQuality, reason, Optional.empty());
    }

    /** All components. */
    public static FanOutChoice all(List<String> components, Reason reason) {
        return new FanOutChoice(List.copyOf(components), 1, reason);
    }

    /** Whether the query is explored: it always asks all components, so its answer teaches the model. */
    public boolean explored() {
        return reason == Reason.EXPLORED;
    }

    /** Share of the full answer that is expected to be lost by not asking, 0..1. */
    public double expectedLoss() {
        return 1 - expectedQuality;
    }

    /**
     * The cheapest choice that is expected to keep the floor. It also asks each further component whose expected share
     * is worth the price of its cost. The component with the greatest expected share is always asked. Takes no lock.
     *
     * @param features hashes of what the front end knows of the query; those after the 64th are ignored
     * @param components all components of the service
     * @param price at least 0; a component is also asked if its expected share is above {@code price} times its share
     *     of the total cost, so price 0 asks every component that is expected to contribute
     * @param floor expected quality to keep, 0..1
     */
    public static FanOutChoice choose(
            ContributionModel model, long[] features, List<String> components, double price, double floor) {
        if (!(price >= 0 && floor >= 0 && floor <= 1)) {
            return all(components, Reason.BAD_SETTING);
        }
        int n = components.size();
        if (n != model.components().size()) {
            return all(components, Reason.OTHER_LAYOUT);
        }
        int[] indices = new int[n];
        boolean[] isListed = new boolean[n];
        for (int i = 0; i < n; i++) {
            int index = model.index(components.get(i));
            if (index < 0 || isListed[index]) {
                return all(components, Reason.OTHER_LAYOUT);
            }
            indices[i] = index;
            isListed[index] = true;
        }
        if (features.length == 0) {
            return all(components, Reason.NO_FEATURES);
        }
        if (!model.calibration().holds()) {
            return all(components, Reason.NOT_CALIBRATED);
        }
        return chosen(model, features, components, indices, price, floor);
    }

    private static FanOutChoice chosen(
            ContributionModel model,
            long[] features,
            List<String> components,
            int[] indices,
            double price,
            double floor) {
        int n = indices.length;
        double[] shares = model.predict(features);
        double[] costs = model.costs();
        double allCosts = 0;
        for (double cost : costs) {
            allCosts += cost;
        }
        boolean[] isAsked = new boolean[n];
        double expected = 0;
        int count = 0;
        for (int c : HashedFeatures.order(shares, costs)) {
            boolean isNeeded = count == 0 || model.calibration().corrected(expected) < floor;
            if (isNeeded || shares[c] > price * costs[c] / allCosts) {
                isAsked[c] = true;
                expected += shares[c];
                count++;
            }
        }
        if (count == n) {
            return all(components, Reason.ALL_NEEDED);
        }
        List<String> asked = new ArrayList<>(count);
        for (int i = 0; i < n; i++) {
            if (isAsked[indices[i]]) {
                asked.add(components.get(i));
            }
        }
        return new FanOutChoice(asked, model.calibration().corrected(expected), Reason.CHOSEN);
    }
}
