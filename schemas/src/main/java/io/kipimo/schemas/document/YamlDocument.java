package io.kipimo.schemas.document;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.ContentReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Iterator;
import java.util.Locale;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * Reads all YAML files of Kipimo. A file is one document of YAML 1.2 with the core schema and distinct keys; the number
 * of its values, aliases included, is bounded.
 *
 * <p>Numbers and booleans keep the text of the file: {@link JsonNode#asText} of {@code 1.10} is {@code 1.10}, so a name
 * that looks like a number stays as it was written. {@code NO}, {@code on}, {@code 1_000}, {@code 1:30} and dates are
 * texts. Needs the optional libraries jackson-databind and snakeyaml-engine.
 */
public final class YamlDocument {
    private static final int MOST_VALUES = 100_000;
    private static final int MOST_LEVELS = 200;
    private static final String TOO_DEEP =
            "its nesting depth is above " + MOST_LEVELS + "; allowed: at most " + MOST_LEVELS;
    private static final JsonParser NO_PARSER = null;
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private int values;

    private YamlDocument() {}

    /**
     * Reads a document.
     *
     * @return a {@link MissingNode} if the text has no document
     * @throws MismatchedInputException if there is a second document
     * @throws JsonProcessingException if the text is not such a document; it names the place
     */
    public static JsonNode read(String text) throws JsonProcessingException {
        LoadSettings settings =
                LoadSettings.builder().setSchema(new CoreSchema()).build();
        try {
            Iterator<Node> documents =
                    new Compose(settings).composeAllFromString(text).iterator();
            if (!documents.hasNext()) {
                return MissingNode.getInstance();
            }
            JsonNode tree = new YamlDocument().tree(documents.next(), 0);
            if (documents.hasNext()) {
                throw new SecondDocumentException(at(documents.next().getStartMark()));
            }
            return tree;
        } catch (MarkedYamlEngineException e) {
            throw new JsonParseException(
                    NO_PARSER,
                    e.getContext() == null ? e.getProblem() : e.getContext() + ": " + e.getProblem(),
                    atText(e.getProblemMark(), text));
        } catch (YamlEngineException e) {
            throw refused(e.getMessage(), Optional.empty());
        } catch (StackOverflowError e) {
            throw refused(TOO_DEEP, Optional.empty());
        }
    }

    /**
     * The place of a problem. In the white space at the end of a text, it is the place behind the last other character.
     */
    private static JsonLocation atText(Optional<Mark> mark, String text) {
        String whole = text.stripTrailing();
        if (mark.isEmpty() || mark.get().getIndex() < whole.codePointCount(0, whole.length())) {
            return at(mark);
        }
        int line = (int) whole.chars().filter(c -> c == '\n').count() + 1;
        return new JsonLocation(
                ContentReference.unknown(), whole.length(), line, whole.length() - whole.lastIndexOf('\n'));
    }

    private JsonNode tree(Node node, int level) throws JsonProcessingException {
        if (++values > MOST_VALUES) {
            throw refused("it has more than " + MOST_VALUES + " values with its aliases", node.getStartMark());
        }
        if (level > MOST_LEVELS) {
            throw refused(TOO_DEEP, node.getStartMark());
        }
        if (node instanceof MappingNode mapping) {
            ObjectNode fields = NODES.objectNode();
            for (NodeTuple field : mapping.getValue()) {
                String key = key(field.getKeyNode());
                if (fields.has(key)) {
                    throw refused(
                            "Duplicate field '" + key + "'", field.getKeyNode().getStartMark());
                }
                fields.set(key, tree(field.getValueNode(), level + 1));
            }
            return fields;
        }
        if (node instanceof SequenceNode sequence) {
            ArrayNode list = NODES.arrayNode();
            for (Node element : sequence.getValue()) {
                list.add(tree(element, level + 1));
            }
            return list;
        }
        return scalar((ScalarNode) node);
    }

    private static String key(Node node) throws JsonProcessingException {
        if (!(node instanceof ScalarNode scalar) || node.getTag().equals(Tag.NULL)) {
            throw refused("a key is no text; allowed: a text", node.getStartMark());
        }
        if (scalar.isPlain() && scalar.getValue().equals("<<")) {
            throw refused(
                    "'<<' merges nothing in YAML 1.2; allowed: quote it, or repeat the fields", node.getStartMark());
        }
        return scalar.getValue();
    }

    private static JsonNode scalar(ScalarNode node) throws JsonProcessingException {
        String text = node.getValue();
        Tag tag = node.getTag();
        try {
            if (tag.equals(Tag.NULL)) {
                return NODES.nullNode();
            }
            if (tag.equals(Tag.BOOL)) {
                return new SourceBoolean(text);
            }
            if (tag.equals(Tag.INT)) {
                return new SourceNumber(text, whole(text));
            }
            if (tag.equals(Tag.FLOAT)) {
                return text.endsWith(".") || Character.isLetter(text.charAt(text.length() - 1))
                        ? special(text)
                        : new SourceNumber(text, new BigDecimal(text));
            }
        } catch (NumberFormatException e) {
            throw refused("'" + text + "' is no number that can be kept; allowed: quote it", node.getStartMark());
        }
        if (!tag.equals(Tag.STR)) {
            throw refused("the tag " + tag.getValue() + " is unknown; allowed: none", node.getStartMark());
        }
        return NODES.textNode(text);
    }

    private static BigDecimal whole(String text) {
        String digits = text.startsWith("+") ? text.substring(1) : text;
        if (digits.startsWith("0x")) {
            return new BigDecimal(new BigInteger(digits.substring(2), 16));
        }
        return digits.startsWith("0o")
                ? new BigDecimal(new BigInteger(digits.substring(2), 8))
                : new BigDecimal(digits);
    }

    /** Reads {@code .inf}, {@code -.Inf}, {@code .nan} and the like, or digits that end with a full stop. */
    private static JsonNode special(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        if (lower.endsWith(".nan")) {
            return new SourceDouble(text, Double.NaN);
        }
        if (lower.endsWith(".inf")) {
            return new SourceDouble(text, lower.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY);
        }
        return new SourceNumber(text, new BigDecimal(text.substring(0, text.length() - 1)));
    }

    private static JsonProcessingException refused(String problem, Optional<Mark> mark) {
        return new JsonParseException(NO_PARSER, String.valueOf(problem), at(mark));
    }

    private static JsonLocation at(Optional<Mark> mark) {
        return mark.map(m ->
                        new JsonLocation(ContentReference.unknown(), m.getIndex(), m.getLine() + 1, m.getColumn() + 1))
                .orElse(null);
    }

    private static final class SecondDocumentException extends MismatchedInputException {
        SecondDocumentException(JsonLocation at) {
            super(NO_PARSER, "there is a second document", at);
        }
    }

    private static final class SourceNumber extends DecimalNode {
        private final String source;

        SourceNumber(String source, BigDecimal value) {
            super(value);
            this.source = source;
        }

        @Override
        public String asText() {
            return source;
        }
    }

    private static final class SourceDouble extends DoubleNode {
        private final String source;

        SourceDouble(String source, double value) {
            super(value);
            this.source = source;
        }

        @Override
        public String asText() {
            return source;
        }
    }

    private static final class SourceBoolean extends BooleanNode {
        private final String source;

        SourceBoolean(String source) {
            super(Boolean.parseBoolean(source));
            this.source = source;
        }

        @Override
        public String asText() {
            return source;
        }
    }
}
