package io.kipimo.gateway.config;

import io.kipimo.schemas.field.WithBuilder;
import io.soabase.recordbuilder.core.RecordBuilder.Initializer;
import java.util.List;

/**
 * Where the items of a response are.
 *
 * @param reader name of an {@code ItemReader}; {@code json} and {@code javabin} are built in
 * @param arrays JSON pointers to the list of items; the first that leads to a list counts
 * @param ids fields of an item, numbers or texts, which together identify it; an item that is a
 *     number or text identifies itself
 * @param notInIds regular expression of the first part of an identifier that is none of the item's,
 *     such as who returned it; empty: all of it is
 * @param score field of an item, a number
 * @param cutWhen any of these says that the work was cut short; of {@code json} alone
 * @param needs JSON pointers to values without which a response says nothing of how complete it is
 * @param order what stands for a missing score
 * @param emptyWith JSON pointer to a value that shows that no list means no items; empty: a list is
 *     always there
 * @param notWith field of what stands in the list and is no item; empty: all of it are items
 */
@WithBuilder
public record ItemsConfig(
        String reader,
        List<String> arrays,
        List<String> ids,
        @Initializer(source = ItemsConfig.class, value = "NOTHING") String notInIds,
        String score,
        @Initializer(source = List.class, value = "of") List<CutSign> cutWhen,
        @Initializer(source = List.class, value = "of") List<String> needs,
        Order order,
        String emptyWith,
        String notWith) {
    public static final String JSON = "json";

    public static final String NOTHING = "";

    /** What Solr's coordinators and shards speak to each other. */
    public static final String JAVABIN = "javabin";

    /** What ranks the items. */
    public enum Order {
        /** Their scores, which all of them have. */
        SCORE,
        /** Their scores if the list is sorted by them, else their places in the list. */
        PLACE
    }

    public ItemsConfig {
        arrays = List.copyOf(arrays);
        ids = List.copyOf(ids);
        cutWhen = List.copyOf(cutWhen);
        needs = List.copyOf(needs);
    }

    /** Items of a list that is always there, by their scores. */
    public ItemsConfig(
            String reader, String array, String id, String score, List<CutSign> cutWhen) {
        this(
                reader,
                List.of(array),
                List.of(id),
                NOTHING,
                score,
                cutWhen,
                List.of(),
                Order.SCORE,
                "",
                "");
    }
}
