package io.kipimo.labs.reproductions.rivals;

/** The control that always admits one share of the lower classes' queries. */
public record FixedShare(double share) implements RivalLaw {
    @Override
    public FixedShare after(Signals signals) {
        return this;
    }

    @Override
    public boolean admits(Entry entry) {
        return entry.level() < share;
    }
}
