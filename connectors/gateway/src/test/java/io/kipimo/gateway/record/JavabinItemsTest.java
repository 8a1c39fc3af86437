package io.kipimo.gateway.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.gateway.config.ItemsConfig;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.solr.common.SolrDocument;
import org.apache.solr.common.SolrDocumentList;
import org.apache.solr.common.util.JavaBinCodec;
import org.apache.solr.common.util.NamedList;
import org.apache.solr.common.util.SimpleOrderedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Solr's own codec writes. */
class JavabinItemsTest {
    private final JavabinItems reader =
            new JavabinItems(ItemsConfig.of(ItemsConfig.JAVABIN, "", "id", "score", List.of()));

    private static byte[] bytes(Map<String, Object> header, SolrDocument... documents) throws IOException {
        NamedList<Object> answer = new SimpleOrderedMap<>();
        NamedList<Object> all = new SimpleOrderedMap<>();
        all.add("status", 0);
        header.forEach(all::add);
        answer.add("responseHeader", all);
        SolrDocumentList list = new SolrDocumentList();
        list.addAll(List.of(documents));
        answer.add("response", list);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JavaBinCodec codec = new JavaBinCodec()) {
            codec.marshal(answer, out);
        }
        return out.toByteArray();
    }

    private static SolrDocument document(Object id, Float score) {
        SolrDocument document = new SolrDocument();
        document.setField("id", id);
        if (score != null) {
            document.setField("score", score);
        }
        return document;
    }

    private static RecordedResponse response(byte[] body) {
        return new RecordedResponse(200, List.of(), body);
    }

    @Test
    void documentsAreItemsByTheirScores() throws IOException {
        RecordedResponse response = response(bytes(Map.of(), document("d7", 2.5f), document(8L, 1.25f)));

        assertThat(reader.read(response).texts()).containsExactly("d7", "8");
        assertThat(reader.read(response).scores()).containsExactly(2.5f, 1.25f);
        assertThat(reader.isCut(response)).isFalse();
    }

    @Test
    void withoutScoresTheirPlacesCount() throws IOException {
        RecordedResponse response = response(bytes(Map.of(), document("b", null), document("a", null)));

        assertThat(reader.read(response).scores()).containsExactly(1, 0.5f);
    }

    @Test
    void aShardThatMetALimitIsCut() throws IOException {
        assertThat(reader.isCut(response(bytes(Map.of("partialResults", true)))))
                .isTrue();
        assertThat(reader.isCut(response(bytes(Map.of("partialResults", "omitted")))))
                .isTrue();
        assertThat(reader.isCut(response(bytes(Map.of("partialResults", false)))))
                .isFalse();
        assertThat(reader.isCut(response(bytes(Map.of("maxHitsTerminatedEarly", true)))))
                .isTrue();
    }

    @Test
    void anItemWithoutAnIdentifierCannotBeRead() throws IOException {
        RecordedResponse response = response(bytes(Map.of(), document(null, 1f)));

        assertThatThrownBy(() -> reader.read(response))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("item 0 has no number or text as 'id'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{\"response\":{\"docs\":[]}}", "\u0002", "\u0002\u0002"})
    void anotherFormCannotBeRead(String body) {
        RecordedResponse response = response(body.getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(() -> reader.read(response)).isInstanceOf(IllegalArgumentException.class);
    }

    /** Of what breaks off, or claims to be longer than it is, nothing is allocated. */
    @Test
    void whatIsCutOffCannotBeRead() throws IOException {
        byte[] whole = bytes(Map.of(), document("d7", 2.5f), document("d8", 1.25f));
        for (int length = 0; length < whole.length; length++) {
            RecordedResponse part = response(Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> reader.read(part)).isInstanceOf(IllegalArgumentException.class);
        }
        byte[] endless = {2, (byte) 0x9f, -1, -1, -1, -1, 7};
        assertThatThrownBy(() -> reader.read(response(endless))).isInstanceOf(IllegalArgumentException.class);
    }
}
