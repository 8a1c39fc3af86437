package io.kipimo.cli.advice;

import io.kipimo.schemas.quality.ComponentAttribution;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QualityWindow;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** Sums of the quality that each component's lateness lost. */
final class LossSums {
    private final Map<String, Double> byComponent = new TreeMap<>();

    void add(QualityWindow window) {
        for (ComponentAttribution blame : window.components()) {
            byComponent.merge(blame.component(), blame.lostQuality(), Double::sum);
        }
    }

    void add(Measurement measurement) {
        for (ComponentShare share : measurement.components()) {
            byComponent.merge(share.component(), share.lostQuality(), Double::sum);
        }
    }

    /** The components that caused loss, each with its share of the loss, 0..1, greatest first. */
    Map<String, Double> shares() {
        double all =
                byComponent.values().stream().mapToDouble(l -> Math.max(0, l)).sum();
        Map<String, Double> shares = new LinkedHashMap<>();
        byComponent.entrySet().stream()
                .filter(e -> e.getValue() > 0)
                .sorted(Comparator.comparingDouble((Map.Entry<String, Double> e) -> -e.getValue()))
                .forEach(e -> shares.put(e.getKey(), e.getValue() / all));
        return shares;
    }
}
