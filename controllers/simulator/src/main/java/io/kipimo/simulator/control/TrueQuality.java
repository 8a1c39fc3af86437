package io.kipimo.simulator.control;

import io.kipimo.core.quality.merge.Merge;
import io.kipimo.core.quality.merge.Merges;
import io.kipimo.core.quality.merge.Part;
import io.kipimo.core.quality.similarity.Similarities;
import io.kipimo.core.quality.similarity.Similarity;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.simulator.service.ItemMap;
import io.kipimo.simulator.service.Placement;
import io.kipimo.simulator.service.Query;
import java.util.ArrayList;
import java.util.List;

/**
 * The true quality of every answer, sampled or not, by the product's merge and similarity: the simulator knows each
 * mature answer.
 */
final class TrueQuality {
    private final Merge merge;
    private final Similarity similarity;
    private final ItemMap items;
    private final List<String> components;
    private final int topK;

    TrueQuality(Policy policy, ItemMap items, List<String> components, int topK) {
        this.merge = Merges.of(policy.merge());
        this.similarity = Similarities.parse(policy.metrics().get(0));
        this.items = items;
        this.components = components;
        this.topK = topK;
    }

    double of(Query query) {
        Placement placement = items.placementOf(query);
        List<Part> online = new ArrayList<>(components.size());
        List<Part> mature = new ArrayList<>(components.size());
        for (int p = 0; p < components.size(); p++) {
            Part part = new Part(components.get(p), placement.itemsIn(p));
            mature.add(part);
            if (query.outcome(p) == Outcome.IN_TIME) {
                online.add(part);
            }
        }
        return similarity.of(merge.merge(online, topK), merge.merge(mature, topK));
    }
}
