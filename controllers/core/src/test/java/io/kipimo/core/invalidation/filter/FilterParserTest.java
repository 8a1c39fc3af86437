package io.kipimo.core.invalidation.filter;

import static io.kipimo.core.invalidation.filter.Json.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FilterParserTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            nullValues = "-",
            value = {
                "{$where: 'x'} | $where | -",
                "{$expr: {}} | $expr | -",
                "{$text: {$search: 'x'}} | $text | -",
                "{$jsonSchema: {}} | $jsonSchema | -",
                "{a: {$near: [1, 2]}} | $near | a",
                "{a: {$bitsAllSet: 1}} | $bitsAllSet | a",
                "{'a.b': {$geoWithin: {}}} | $geoWithin | a.b",
                "{$or: [{x: {$foo: 1}}]} | $foo | x",
                "{a: {$elemMatch: {b: {$foo: 1}}}} | $foo | a.b",
                "{a: {$not: {$foo: 1}}} | $foo | a",
                "{a: {$gt: 1, b: 2}} | b | a",
                "{$and: []} | $and | -",
                "{$or: {a: 1}} | $or | -",
                "{$nor: [1]} | $nor | -",
                "{a: {$in: 1}} | $in | a",
                "{a: {$in: [{$regex: 'x'}]}} | $in | a",
                "{a: {$gt: {$regularExpression: {pattern: 'a', options: ''}}}} | $gt | a",
                "{a: {$not: 1}} | $not | a",
                "{a: {$not: {}}} | $not | a",
                "{a: {$size: -1}} | $size | a",
                "{a: {$size: 1.5}} | $size | a",
                "{a: {$type: 'nonsense'}} | $type | a",
                "{a: {$type: 99}} | $type | a",
                "{a: {$type: []}} | $type | a",
                "{a: {$mod: [0, 1]}} | $mod | a",
                "{a: {$mod: [2]}} | $mod | a",
                "{a: {$mod: ['x', 1]}} | $mod | a",
                "{a: {$mod: [{$numberDouble: 'NaN'}, 1]}} | $mod | a",
                "{a: {$all: [1, {$elemMatch: {b: 1}}]}} | $all | a",
                "{a: {$all: [{$gt: 1}]}} | $all | a",
                "{a: {$elemMatch: 1}} | $elemMatch | a",
                "{a: {$options: 'i'}} | $options | a",
                "{a: {$regex: 'x', $options: 'g'}} | $options | a",
                "{a: {$regex: 'x('}} | $regex | a",
                "{a: {$ref: 'c', $id: 1}} | $ref | a",
                "{'a..b': 1} | path | a..b",
                "{'a.$b': 1} | path | a.$b",
            })
    void whatCannotBeMatchedIsRefusedByName(String filter, String operator, String path) {
        assertThatExceptionOfType(UnsupportedFilterException.class)
                .isThrownBy(() -> Filter.parse(json(filter)))
                .satisfies(e -> {
                    assertThat(e.operator()).isEqualTo(operator);
                    assertThat(e.path()).isEqualTo(path == null ? "" : path);
                    assertThat(e).hasMessageContaining(operator);
                });
    }

    @Test
    void filtersThatWouldExhaustTheStackAreRefused() {
        StringBuilder filter = new StringBuilder("{a: 1}");
        for (int i = 0; i < 60; i++) {
            filter.insert(0, "{$or: [").append("]}");
        }
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> Filter.parse(json(filter.toString())))
                .withMessageContaining("100 levels");
    }
}
