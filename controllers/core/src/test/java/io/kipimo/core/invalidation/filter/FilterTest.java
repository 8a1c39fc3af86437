package io.kipimo.core.invalidation.filter;

import static io.kipimo.core.invalidation.filter.Json.json;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Known answers from MongoDB's manual ("Query Documents", "Query an Array", "Query for Null or Missing Fields", pages
 * of the operators) and from the tests of its matcher (path_test.cpp).
 */
class FilterTest {
    private static boolean matches(String filter, String document) {
        return Filter.parse(json(filter)).matches(json(document));
    }

    // An unusual quote character, so that JSON can contain commas and quotes.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // Query on embedded documents: equality depends on the order of fields.
                "{size: {h: 14, w: 21, uom: 'cm'}} | {size: {h: 14, w: 21, uom: 'cm'}} | true",
                "{size: {w: 21, h: 14, uom: 'cm'}} | {size: {h: 14, w: 21, uom: 'cm'}} | false",
                "{'size.h': {$lt: 15}} | {size: {h: 14}} | true",
                // Query an array.
                "{tags: ['red', 'blank']} | {tags: ['red', 'blank']} | true",
                "{tags: ['red', 'blank']} | {tags: ['blank', 'red']} | false",
                "{tags: {$all: ['red', 'blank']}} | {tags: ['blank', 'red', 'plain']} | true",
                "{tags: 'red'} | {tags: ['red', 'blank']} | true",
                "{dim_cm: {$gt: 25}} | {dim_cm: [14, 30]} | true",
                // Different elements may meet several conditions ...
                "{dim_cm: {$gt: 15, $lt: 20}} | {dim_cm: [14, 21]} | true",
                // ... or one element must meet all.
                "{dim_cm: {$elemMatch: {$gt: 22, $lt: 30}}} | {dim_cm: [14, 35]} | false",
                "{dim_cm: {$elemMatch: {$gt: 22, $lt: 30}}} | {dim_cm: [14, 24]} | true",
                "{'dim_cm.1': {$gt: 25}} | {dim_cm: [14, 30]} | true",
                "{'dim_cm.1': {$gt: 25}} | {dim_cm: [30, 14]} | false",
                "{tags: {$size: 3}} | {tags: ['a', 'b', 'c']} | true",
                // Query an array of embedded documents.
                "{stock: {w: 'A', q: 5}} | {stock: [{w: 'A', q: 5}, {w: 'C', q: 15}]} | true",
                "{stock: {q: 5, w: 'A'}} | {stock: [{w: 'A', q: 5}, {w: 'C', q: 15}]} | false",
                "{'stock.q': {$lte: 20}} | {stock: [{q: 5}, {q: 35}]} | true",
                "{'stock.0.q': {$lte: 20}} | {stock: [{q: 35}, {q: 5}]} | false",
                "{stock: {$elemMatch: {q: 5, w: 'A'}}} | {stock: [{q: 5, w: 'B'}]} | false",
                "{'stock.q': 5, 'stock.w': 'A'} | {stock: [{q: 5}, {w: 'A'}]} | true",
                // Null or missing.
                "{item: null} | {_id: 1, item: null} | true",
                "{item: null} | {_id: 2} | true",
                "{item: {$type: 10}} | {_id: 2} | false",
                "{item: {$exists: false}} | {_id: 1, item: null} | false",
                "{item: {$exists: false}} | {_id: 2} | true",
                "{item: {$gte: null}} | {_id: 2} | true",
                "{item: {$gt: null}} | {item: 1} | false",
                "{'a.b': null} | {a: [1, 2]} | false",
                "{'a.b': null} | {a: [{c: 1}]} | true",
                "{'a.b': {$exists: false}} | {a: [1, 2]} | true",
                // $ne, $nin, $not select documents without such a field.
                "{quantity: {$ne: 20}} | {} | true",
                "{tags: {$ne: 'a'}} | {tags: ['a', 'b']} | false",
                "{quantity: {$nin: [5, 15]}} | {} | true",
                "{price: {$not: {$gt: 1.99}}} | {} | true",
                "{item: {$not: {$regex: '^p.*'}}} | {item: 'x'} | true",
                "{$nor: [{price: 1.99}, {sale: true}]} | {price: 2} | true",
                // Comparisons apply within one type bracket.
                "{a: {$gt: 1}} | {a: 'x'} | false",
                "{a: {$lt: {$maxKey: 1}}} | {a: 'x'} | true",
                "{a: {$gt: {$minKey: 1}}} | {} | true",
                "{a: 1} | {a: 1.0} | true",
                "{a: 1} | {a: {$numberDecimal: '1.00'}} | true",
                "{a: {x: 1}} | {a: {x: {$numberLong: '1'}}} | true",
                "{a: {$gt: 9007199254740992.0}} | {a: 9007199254740993} | true",
                "{a: {$numberDouble: 'NaN'}} | {a: {$numberDouble: 'NaN'}} | true",
                "{a: {$lt: 5}} | {a: {$numberDouble: 'NaN'}} | false",
                "{a: {$gte: {$numberDouble: 'NaN'}}} | {a: {$numberDouble: 'NaN'}} | true",
                "{a: {$gt: [1, 2]}} | {a: [1, 3]} | true",
                "{a: {$in: [[1, 2]]}} | {a: [1, 2]} | true",
                // $type tests the elements and, since 3.6, the array itself.
                "{zip: {$type: 'number'}} | {zip: [{a: 1}, 3]} | true",
                "{zip: {$type: 'array'}} | {zip: []} | true",
                "{zip: {$type: ['string', 1]}} | {zip: 2} | false",
                // $mod truncates to an integer.
                "{qty: {$mod: [4, 0]}} | {qty: 8.9} | true",
                "{qty: {$mod: [4, -1]}} | {qty: -5} | true",
                "{qty: {$mod: [4.7, 0]}} | {qty: 12} | true",
                "{qty: {$mod: [4, 0]}} | {qty: 1e300} | false",
                // $regex.
                "{sku: {$regex: 'ABC', $options: 'i'}} | {sku: 'xabc'} | true",
                "{sku: {$in: [{$regularExpression: {pattern: '^a', options: ''}}]}} | {sku: 'ab'} | true",
                // $all.
                "{tags: {$all: ['a']}} | {tags: 'a'} | true",
                "{tags: {$all: []}} | {tags: []} | false",
                "{tags: {$all: [['a', 'b']]}} | {tags: ['a', 'b']} | true",
                "{q: {$all: [{$elemMatch: {s: 1}}, {$elemMatch: {s: 2}}]}} | {q: [{s: 1}, {s: 2}]} | true",
                // path_test.cpp: ArrayIndex2, ArrayIndex3, ArrayIndexNested1 and 2.
                "{'a.1': [2, 4]} | {a: [5, [2, 4]]} | true",
                "{'a.1': 2} | {a: [5, [2, 4]]} | false",
                "{'a.1': 4} | {a: [5, {'1': 4}]} | true",
                "{'a.1': {'1': 4}} | {a: [5, {'1': 4}]} | true",
                "{'a.1.b': null} | {a: [5, {b: 4}]} | true",
                "{'a.1.b': 4} | {a: [5, [{b: 4}]]} | true",
                "{'a.01': 2} | {a: [1, 2]} | false",
                // $elemMatch treats an array as an object.
                "{a: {$elemMatch: {'0': 1}}} | {a: [[1, 2]]} | true",
                "{a: {$elemMatch: {}}} | {a: [1]} | false",
                "{a: {$elemMatch: {$elemMatch: {$eq: 5}}}} | {a: [[5]]} | true",
                "{$comment: 'why', a: 1} | {a: 1} | true",
                "{} | {a: 1} | true",
            })
    void selectsAsMongoDoes(String filter, String document, boolean expected) {
        assertThat(matches(filter, document)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{a: 1, b: 2} | {b: 2, a: 1}",
                "{a: 1} | {a: {$eq: 1.0}}",
                "{a: {$gt: 1, $lt: 5}} | {$and: [{a: {$lt: 5}}, {a: {$gt: 1}}]}",
                "{a: {$in: [2, 1, 2.0]}} | {a: {$in: [1, 2]}}",
                "{a: {$in: [1]}} | {a: 1}",
                "{$or: [{a: 1}, {b: 1}]} | {$or: [{b: 1}, {a: 1}, {a: 1}]}",
                "{a: {$ne: 1}} | {a: {$not: {$eq: 1}}}",
                "{a: {$nin: [1, 2]}} | {$nor: [{a: {$in: [2, 1]}}]}",
                "{a: {$all: [1, 2]}} | {$and: [{a: 2}, {a: 1}]}",
                "{a: {$type: 'number'}} | {a: {$type: [1, 16, 18, 19]}}",
                "{a: {$exists: 0}} | {a: {$exists: false}}",
                "{a: {$gte: null}} | {a: null}",
                "{a: {$in: []}} | {$nor: [{}]}",
                "{$comment: 'x', a: 1} | {a: 1}",
            })
    void equivalentFiltersHaveOneKey(String one, String other) {
        assertThat(Filter.parse(json(one)).key())
                .isEqualTo(Filter.parse(json(other)).key());
    }

    @Test
    void conditionsOfDifferentElementsHaveAnotherKeyThanConditionsOfOne() {
        assertThat(Filter.parse(json("{a: {$gt: 1, $lt: 5}}")).key())
                .isNotEqualTo(Filter.parse(json("{a: {$elemMatch: {$gt: 1, $lt: 5}}}"))
                        .key());
    }
}
