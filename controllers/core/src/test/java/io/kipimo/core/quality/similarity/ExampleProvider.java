package io.kipimo.core.quality.similarity;

import java.util.Optional;
import java.util.function.ToDoubleBiFunction;

/** A user's provider: {@code same_first}, and {@code broken}, which violates the contract. */
public final class ExampleProvider implements SimilarityProvider {
    @Override
    public Optional<Similarity> parse(String spec) {
        return switch (spec) {
            case "same_first" ->
                Optional.of(similarity(spec, (online, mature) -> online.id(0) == mature.id(0) ? 1.0 : 0.0));
            case "broken" -> Optional.of(similarity(spec, (online, mature) -> Double.NaN));
            default -> Optional.empty();
        };
    }

    private static Similarity similarity(String name, ToDoubleBiFunction<Ranking, Ranking> function) {
        return new Similarity() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public double of(Ranking online, Ranking mature) {
                return function.applyAsDouble(online, mature);
            }
        };
    }
}
