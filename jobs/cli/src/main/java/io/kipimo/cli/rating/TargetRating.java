package io.kipimo.cli.rating;

import io.kipimo.cli.kafka.BrokerOptions;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.TimeSpan;
import io.kipimo.core.rating.DeltaAnalyzer;
import io.kipimo.core.rating.DeltaStep;
import io.kipimo.loadgen.rating.DeltaAnalysis;
import io.kipimo.loadgen.rating.LocalRating;
import io.kipimo.loadgen.topics.RatingClient;
import io.kipimo.loadgen.workload.Target;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingTechnique;
import io.kipimo.schemas.topics.Topic;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import redis.clients.jedis.exceptions.JedisException;

/** Rates a real target, as the options say. */
record TargetRating(
        String target,
        RatingTerms terms,
        RatingTechnique technique,
        int climb,
        double epsilon,
        double accuracy,
        long seed,
        PrintWriter err) {
    private static final String AUTO = "auto";

    /** A rating, and the following sweep if one was requested. */
    record TargetResult(Rating rating, Optional<Rating> swept) {
        /** @throws InputException if the file cannot be written */
        void writeReport(Path file) {
            List<RatingView> views = new ArrayList<>(List.of(new RatingView(rating)));
            swept.map(RatingView::new).ifPresent(views::add);
            try {
                Files.writeString(file, file.toString().endsWith(".html") ? RatingPage.of(views) : markdown(views));
            } catch (IOException e) {
                throw new InputException("--report " + file + " cannot be written");
            }
        }

        private static String markdown(List<RatingView> views) {
            StringWriter text = new StringWriter();
            PrintWriter out = new PrintWriter(text);
            for (RatingView view : views) {
                view.markdown(out);
                out.println();
            }
            out.flush();
            return text.toString();
        }
    }

    private RatingRequest request(RatingTechnique by, long experimentMillis) {
        return terms.request(target, by, climb, epsilon, accuracy, seed, experimentMillis);
    }

    /** Rates with load from this process. */
    TargetResult local(Supplier<Target> chosen) throws InterruptedException {
        boolean auto = terms.experiment.equals(AUTO);
        long millis = auto
                ? DeltaAnalyzer.Probes.DEFAULT.firstMillis()
                : TimeSpan.parse("--experiment", terms.experiment).toMillis();
        // Report problems before anything is loaded.
        terms.checkUtilisation(auto);
        RatingRequest request = request(technique, millis);
        try (Target opened = chosen.get()) {
            return auto ? rate(opened, request(technique, analysed(opened, request))) : rate(opened, request);
        } catch (IllegalStateException | UncheckedIOException | JedisException e) {
            // The store is not empty, not there, or refuses.
            InputException problem = new InputException("target " + target + ": " + e.getMessage());
            problem.initCause(e);
            throw problem;
        }
    }

    private long analysed(Target opened, RatingRequest request) throws InterruptedException {
        DeltaStep.DeltaEnd found =
                DeltaAnalysis.run(request, opened, DeltaAnalyzer.Probes.DEFAULT, terms.utilisation(), probe -> {
                    err.printf(
                            Locale.ROOT,
                            "delta: load %d for %.0f s: %.0f requests/s, utilisation %.0f %%%n",
                            probe.load(),
                            probe.millis() / 1e3,
                            probe.throughput(),
                            100 * probe.utilisation());
                    err.flush();
                });
        err.printf(
                Locale.ROOT,
                "delta: experiments of %.0f s: %s%n",
                found.millis() / 1e3,
                found.ending().text());
        err.flush();
        return found.millis();
    }

    private TargetResult rate(Target opened, RatingRequest request) throws InterruptedException {
        Rating rating = LocalRating.run(request, opened, new RatingProgress(request, err));
        Optional<Rating> swept = Optional.empty();
        if (terms.sweep) {
            RatingRequest sweep =
                    request(RatingTechnique.SWEEP, request.experiments().millis());
            swept = Optional.of(LocalRating.run(sweep, opened, new RatingProgress(sweep, err)));
        }
        return new TargetResult(rating, swept);
    }

    /** Lets the rating job of a running system rate the target. */
    TargetResult remote(BrokerOptions kafka) throws InterruptedException {
        InputException.throwIf(terms.experiment.equals(AUTO), "--experiment is 'auto'; allowed with --remote: 5s, 1m");
        long millis = TimeSpan.parse("--experiment", terms.experiment).toMillis();
        RatingRequest request = request(technique, millis);
        try (RatingClient client = new RatingClient(kafka.connect(Topic.RATINGS))) {
            Rating rating = client.rate(request, this::printChange);
            Optional<Rating> swept = Optional.empty();
            if (terms.sweep) {
                swept = Optional.of(client.rate(request(RatingTechnique.SWEEP, millis), this::printChange));
            }
            return new TargetResult(rating, swept);
        }
    }

    private void printChange(Rating before, Rating now) {
        RatingView view = new RatingView(Rating.requested(now.request()));
        now.trials().stream().skip(before.trials().size()).forEach(trial -> err.println(view.line(trial)));
        if (!now.remark().isEmpty() && !now.remark().equals(before.remark())) {
            err.println(now.remark());
        }
        err.flush();
    }
}
