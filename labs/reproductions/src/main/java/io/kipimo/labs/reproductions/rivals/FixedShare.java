package io.kipimo.labs.reproductions.rivals;

/** No law: the same share of the lower classes' queries is always admitted. */
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
