package io.kipimo.cli.export;

import io.kipimo.core.quality.deadline.QueryReplay;
import io.kipimo.core.quality.join.MergedAnswers;
import io.kipimo.core.quality.join.QualitySettings;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Writes answers of recorded queries as TREC runs, and the mature answers also as relevance judgments. It merges
 * answers again from their partial results. For services that merge nothing, it pairs the answer and its replay. All
 * answers must be added before the partial results.
 */
final class TrecFiles {
    private final int depth;
    private final int topK;

    /** Merges answers again; empty for services whose mature answers are replays. */
    private final Optional<QueryReplay> replay;

    /**
     * The answers, by query id, whose counterpart has not come yet. The counterpart of an online answer is its replay.
     */
    private final Map<String, Answer> single = new HashMap<>();

    private final Map<String, MergedAnswers> byQuery = new TreeMap<>();

    /** @param depth greatest number of items of an answer; 0: the policy's top-k */
    TrecFiles(Policy policy, int depth) {
        this.depth = depth == 0 ? policy.topK() : depth;
        topK = policy.topK();
        QualitySettings settings = QualitySettings.of(policy);
        replay = settings.mergesPartials()
                ? Optional.of(new QueryReplay(
                        policy, measurement -> {}, (key, query, measurement) -> MergedAnswers.of(query, settings)
                                .ifPresent(merged -> put(key.queryId(), merged))))
                : Optional.empty();
    }

    private void put(String queryId, MergedAnswers answers) {
        if (!answers.mature().isEmpty()) {
            byQuery.put(queryId, answers);
        }
    }

    void add(Answer answer) {
        if (replay.isPresent()) {
            replay.get().add(answer);
        } else if (isComparable(answer)) {
            pair(answer);
        }
    }

    /**
     * Tells whether the quality job's join would compare an answer. The answer must not be marked unmeasurable, and a
     * replay must have the results of all components in time. An answer without components is compared.
     */
    private static boolean isComparable(Answer answer) {
        return answer.unmeasurable().isEmpty()
                && (answer.kind() == AnswerKind.ONLINE
                        || answer.invocations().stream().allMatch(i -> i.outcome() == Outcome.IN_TIME));
    }

    private void pair(Answer answer) {
        Answer other = single.putIfAbsent(answer.queryId(), answer);
        if (other == null || other.kind() == answer.kind()) {
            return;
        }
        boolean isOnline = answer.kind() == AnswerKind.ONLINE;
        Answer online = isOnline ? answer : other;
        Answer mature = isOnline ? other : answer;
        put(
                answer.queryId(),
                MergedAnswers.ofReplay(online.items(), mature.items(), online.topK() == 0 ? topK : online.topK()));
    }

    void add(PartialResult partial) {
        replay.ifPresent(merging -> merging.add(partial));
    }

    /** Number of queries whose results are all known. Merged queries count only after {@link #write}. */
    long queries() {
        return byQuery.size();
    }

    /** Ends the input and writes the files. */
    void write(Path directory) throws IOException {
        replay.ifPresent(QueryReplay::finish);
        Files.createDirectories(directory);
        try (BufferedWriter online = Files.newBufferedWriter(directory.resolve("online.run"));
                BufferedWriter mature = Files.newBufferedWriter(directory.resolve("mature.run"));
                BufferedWriter judged = Files.newBufferedWriter(directory.resolve("mature.qrels"))) {
            for (Map.Entry<String, MergedAnswers> query : byQuery.entrySet()) {
                String id = token(query.getKey());
                run(online, id, query.getValue().online(), "online");
                run(mature, id, query.getValue().mature(), "mature");
                List<String> relevant = cut(query.getValue().mature());
                for (int i = 0; i < relevant.size(); i++) {
                    judged.write(id + " 0 " + token(relevant.get(i)) + " " + (relevant.size() - i) + "\n");
                }
            }
        }
    }

    /** Writes a query's lines of a run. Scores fall by 1 a rank, so that ties cannot change the order. */
    private void run(BufferedWriter out, String id, List<String> items, String tag) throws IOException {
        List<String> best = cut(items);
        for (int i = 0; i < best.size(); i++) {
            out.write(id + " Q0 " + token(best.get(i)) + " " + (i + 1) + " " + (best.size() - i) + " " + tag + "\n");
        }
    }

    private List<String> cut(List<String> items) {
        return items.subList(0, Math.min(depth, items.size()));
    }

    /**
     * Encodes an identifier so that any reader takes it as one column. It percent-encodes percent signs, separators,
     * controls and characters without width, each byte of UTF-8 as in {@code %20}. Decoding gives the identifier.
     */
    static String token(String text) {
        StringBuilder token = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (c != '%' && !mayEndAColumn(c)) {
                token.appendCodePoint(c);
                return;
            }
            for (byte b : Character.toString(c).getBytes(StandardCharsets.UTF_8)) {
                token.append(String.format("%%%02X", b));
            }
        });
        return token.toString();
    }

    /** Tells whether a character is of Unicode's categories Zs, Zl, Zp, Cc or Cf. */
    private static boolean mayEndAColumn(int c) {
        return switch (Character.getType(c)) {
            case Character.SPACE_SEPARATOR,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.CONTROL,
                    Character.FORMAT -> true;
            default -> false;
        };
    }
}
