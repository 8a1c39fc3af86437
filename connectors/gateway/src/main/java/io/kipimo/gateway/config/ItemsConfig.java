package io.kipimo.gateway.config;

/**
 * Where the items of a response are.
 *
 * @param reader name of an {@code ItemReader}; {@code json} is built in
 * @param array JSON pointer to the list of items
 * @param id field of an item, a number or a text
 * @param score field of an item, a number
 */
public record ItemsConfig(String reader, String array, String id, String score) {
    public static final String JSON = "json";
}
