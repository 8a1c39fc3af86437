package io.kipimo.gateway.config;

import io.kipimo.schemas.field.WithBuilder;
import io.soabase.recordbuilder.core.RecordBuilder.Initializer;
import java.util.List;

/**
 * Says where the items of a response are, and which signs of a response show how complete it is.
 *
 * @param reader name of an {@code ItemReader}; {@code json} and {@code javabin} are built in
 * @param arrays JSON pointers to the list of items; the first that leads to a list counts
 * @param ids fields of an item, numbers or texts, which together identify it; an item that is a number or text
 *     identifies itself
 * @param notInIds regular expression for a first part of an identifier that does not belong to the item, such as the
 *     name of the node that returned it; empty: identifiers have no such part
 * @param score field of an item, a number
 * @param cutWhen conditions, any of which says that the work was cut short at a limit; for {@code json} only
 * @param failedWhen conditions, any of which says that a part failed or was not asked
 * @param noneWhen conditions, any of which says that no part was asked at all
 * @param needs JSON pointers to values without which a response does not show how complete it is
 * @param order how the items are ranked
 * @param emptyWith JSON pointer to a value; if a response has it, but no list, there are no items; empty: every
 *     response has a list
 * @param notWith name of a field; elements of the list that have it are no items; empty: all elements are items
 * @param totals JSON pointers to the number of items that were found; the first that is there counts. If it is above 0,
 *     an empty list does not show what was found
 * @param bodies parameters whose values are read like JSON bodies
 * @param requests rules on what answers to certain requests must show
 * @param needsCutWhen whether answers are evidence only if {@code cutWhen} is set, because otherwise a cut does not
 *     show
 */
@WithBuilder
public record ItemsConfig(
        String reader,
        List<String> arrays,
        List<String> ids,

        @Initializer(source = ItemsConfig.class, value = "NOTHING")
        String notInIds,

        String score,
        @Initializer(source = List.class, value = "of") List<CutSign> cutWhen,
        @Initializer(source = List.class, value = "of") List<CutSign> failedWhen,
        @Initializer(source = List.class, value = "of") List<CutSign> noneWhen,
        @Initializer(source = List.class, value = "of") List<String> needs,
        Order order,

        @Initializer(source = ItemsConfig.class, value = "NOTHING")
        String emptyWith,

        @Initializer(source = ItemsConfig.class, value = "NOTHING")
        String notWith,

        @Initializer(source = List.class, value = "of") List<String> totals,
        @Initializer(source = List.class, value = "of") List<String> bodies,
        @Initializer(source = List.class, value = "of") List<RequestRule> requests,
        boolean needsCutWhen) {
    public static final String JSON = "json";

    public static final String NOTHING = "";

    /** Name of the reader for javabin, the binary format between Solr's coordinators and shards. */
    public static final String JAVABIN = "javabin";

    /** Ranking of the items. */
    public enum Order {
        /** By score; every item has one. */
        SCORE,
        /** By score if the list is sorted by score, else by place in the list. */
        PLACE
    }

    public ItemsConfig {
        arrays = List.copyOf(arrays);
        ids = List.copyOf(ids);
        cutWhen = List.copyOf(cutWhen);
        failedWhen = List.copyOf(failedWhen);
        noneWhen = List.copyOf(noneWhen);
        totals = List.copyOf(totals);
        bodies = List.copyOf(bodies);
        requests = List.copyOf(requests);
        needs = List.copyOf(needs);
    }

    /** Configuration for responses that always have a list, whose items are ranked by score. */
    public static ItemsConfig of(String reader, String array, String id, String score, List<CutSign> cutWhen) {
        return ItemsConfigBuilder.builder()
                .reader(reader)
                .arrays(List.of(array))
                .ids(List.of(id))
                .score(score)
                .cutWhen(cutWhen)
                .order(Order.SCORE)
                .build();
    }

    /** Whether a cut does not show in answers: they need {@code cutWhen}, and it is empty. */
    public boolean hidesCuts() {
        return needsCutWhen && cutWhen.isEmpty();
    }

    /** Whether some sign shows that an answer is not whole. */
    boolean hasSigns() {
        return !cutWhen.isEmpty() || !failedWhen.isEmpty();
    }
}
