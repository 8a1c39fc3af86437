package io.kipimo.gateway.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.gateway.config.Engine;
import io.kipimo.gateway.config.ItemsConfig;
import io.kipimo.gateway.config.ItemsConfig.Order;
import io.kipimo.gateway.config.ItemsConfigBuilder;
import io.kipimo.schemas.quality.Items;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Identifiers in the forms in which engines write them. */
class JsonItemsTest {
    private static Items read(ItemsConfig config, String json) {
        return new JsonItems(config)
                .read(new RecordedResponse(
                        200, List.of(), json.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
    }

    private static ItemsConfig config(String array, String id, Order order) {
        return ItemsConfigBuilder.builder(ItemsConfig.of("json", array, id, "s", List.of()))
                .order(order)
                .build();
    }

    private static String[] ids(String array, String id, String json) {
        return read(config(array, id, Order.PLACE), json).texts();
    }

    /** Forms of the reference pages of Typesense, Weaviate, Elasticsearch, Solr, Chroma, Milvus. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/hits | document.id | {'hits':[{'document':{'id':'7'}},{'document':{'id':'8'}}]}",
                "/hits | /document/id | {'hits':[{'document':{'id':'7'}},{'document':{'id':8}}]}",
                "/data/Get/D | _additional.id | {'data':{'Get':{'D':[{'_additional':{'id':'7'}},"
                        + "{'_additional':{'id':'8'}}]}}}",
                "/hits/hits | fields.sku | {'hits':{'hits':[{'fields':{'sku':['7']}}," + "{'fields':{'sku':[8]}}]}}",
                "/hits/hits | fields.a.b | {'hits':{'hits':[{'fields':{'a':{'b':['7']}}}," + "{'fields.a.b':'8'}]}}",
                "/docs | id | {'docs':[{'id':['7']},{'id':['8']}]}",
                "/docs | /_id/$oid | {'docs':[{'_id':{'$oid':'7'}},{'_id':{'$oid':'8'}}]}",
                "/ids/0 | id | {'ids':[['7','8']],'distances':[[0.1,0.2]]}",
                "/results/ids/intId/data | id | {'results':{'ids':{'intId':{'data':[7,8]}}}}",
                "'' | id | ['7',8]",
            })
    void identifiersAreFoundWhereTheyAre(String array, String id, String json) {
        assertThat(ids(array, id, json)).containsExactly("7", "8");
    }

    /** Qdrant's are unsigned numbers of 64 bits. */
    @Test
    void numbersOfAnySizeAreIdentifiers() {
        String json = "[{'id':13570027672830659665,'s':3},{'id':7,'s':2},{'id':18446744073709551615,'s':1}]";
        assertThat(ids("", "id", json)).containsExactly("13570027672830659665", "7", "18446744073709551615");
        assertThat(read(config("", "id", Order.SCORE), json).numbers()).containsExactly(0xbc52_6c45_774a_cc51L, 7, -1);
    }

    /** As unsigned numbers of 64 bits, -1 and 2^64 - 1 are the same. */
    @ParameterizedTest
    @CsvSource({"-1, 18446744073709551615", "18446744073709551616, 0", "7, '''seven'''", "1.5, 1"})
    void identifiersThatAreNotAllUnsignedNumbersAreTexts(String one, String other) {
        String json = "[{'id':%s,'s':2},{'id':%s,'s':1}]".formatted(one, other);
        assertThat(read(config("", "id", Order.SCORE), json).texts()).containsExactly(one, other.replace("'", ""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{'id':''}] | item 0 has an empty text as 'id'",
                "[{'id':'a'},{'id':null}] | item 1 has a value of type null as 'id'",
                "[{}] | item 0 has nothing as 'id'",
                "[{'id':{'a':1}}] | item 0 has a value of type object as 'id'",
                "[{'id':['a','b']}] | item 0 has a value of type array as 'id'",
                "[['a','b']] | item 0 has nothing as 'id'",
                "[true] | item 0 has a value of type boolean as 'id'",
            })
    void whatIdentifiesNothingIsSaid(String json, String why) {
        assertThatThrownBy(() -> ids("", "id", json))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(why);
    }

    /** Vespa: an id of a summary in memory is index:CLUSTER/NODE/GID; groups have other nodes. */
    @ParameterizedTest
    @CsvSource({
        "index:content/0/c4ca42388ce70a10b392b401, index:content/c4ca42388ce70a10b392b401",
        "index:content/17/c4ca42388ce70a10b392b401, index:content/c4ca42388ce70a10b392b401",
        "id:shop:item::index:content/0/c4ca, id:shop:item::index:content/0/c4ca",
        "id:shop:item:n=3:a/0/b, id:shop:item:n=3:a/0/b"
    })
    void theNodeIsNoPartOfADocumentsIdentity(String id, String identity) {
        String json = "{'root':{'coverage':{'coverage':100},'children':[{'id':'%s','relevance':1}]}}".formatted(id);
        assertThat(read(Engine.of("vespa").items(), json).texts()).containsExactly(identity);
    }
}
