package io.kipimo.gateway.config;

import java.util.List;

/**
 * Where the items of a response are.
 *
 * @param reader name of an {@code ItemReader}; {@code json} is built in
 * @param array JSON pointer to the list of items
 * @param id field of an item, a number or a text
 * @param score field of an item, a number
 * @param cutWhen signs that the work was cut short, of which one suffices; reader {@code json} only
 */
public record ItemsConfig(
        String reader, String array, String id, String score, List<CutSign> cutWhen) {
    public static final String JSON = "json";

    public ItemsConfig {
        cutWhen = List.copyOf(cutWhen);
    }
}
