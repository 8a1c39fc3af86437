package io.kipimo.labs.reproductions;

import io.kipimo.simulator.report.LinePlot;
import io.kipimo.simulator.report.NamedRun;
import java.util.ArrayList;
import java.util.List;

/**
 * Result of an experiment.
 *
 * @param setting of the experiment
 * @param runs to plot over time; may be empty
 * @param plots over other quantities; may be empty
 */
public record Reproduction(String setting, List<Finding> findings, List<NamedRun> runs, List<LinePlot> plots) {
    /** A result without runs to plot over time. */
    Reproduction(String setting, List<Finding> findings, LinePlot... plots) {
        this(setting, findings, List.of(), List.of(plots));
    }

    /** A result without plots over other quantities. */
    Reproduction(String setting, List<Finding> findings, List<NamedRun> runs) {
        this(setting, findings, runs, List.of());
    }

    /** The findings as rows of cells, titles first. Columns about the paper are left out if it has no figures. */
    public List<List<String>> rows() {
        boolean compared = findings.stream().anyMatch(f -> !f.paper().isEmpty());
        boolean noted = findings.stream().anyMatch(f -> !f.note().isEmpty());
        List<List<String>> rows = new ArrayList<>();
        rows.add(row(compared, noted, "figure", "paper", "ours", "verdict", "note"));
        for (Finding f : findings) {
            rows.add(row(
                    compared, noted, f.what(), f.paper(), f.ours(), f.verdict().text(), f.note()));
        }
        return rows;
    }

    private static List<String> row(
            boolean compared, boolean noted, String what, String paper, String ours, String verdict, String note) {
        List<String> row = new ArrayList<>(List.of(what));
        if (compared) {
            row.add(paper);
        }
        row.add(ours);
        if (compared) {
            row.add(verdict);
        }
        if (noted) {
            row.add(note);
        }
        return row;
    }

    /** Number of figures with this verdict. */
    public long count(Finding.FindingVerdict verdict) {
        return findings.stream().filter(f -> f.verdict() == verdict).count();
    }

    /** Returns whether no figure differs from the paper. */
    public boolean matches() {
        return count(Finding.FindingVerdict.DIFFERS) == 0;
    }
}
