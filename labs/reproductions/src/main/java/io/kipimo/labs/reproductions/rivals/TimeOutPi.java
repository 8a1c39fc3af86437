package io.kipimo.labs.reproductions.rivals;

/**
 * A PI controller of the share of answers that lack a component, which acts each second.
 *
 * @param setPoint of that share, 0..1
 * @param kp gain on the change of the error
 * @param ki gain on the error, a second
 * @param opening admitted share of the lower classes, 0..1
 * @param error of the last second
 */
public record TimeOutPi(double setPoint, double kp, double ki, double opening, double error) implements RivalLaw {
    public TimeOutPi(double setPoint, double kp, double ki) {
        this(setPoint, kp, ki, 1, 0);
    }

    @Override
    public TimeOutPi after(Signals signals) {
        double now = setPoint - signals.timeOutShare();
        double next = opening + kp * (now - error) + ki * now;
        return new TimeOutPi(setPoint, kp, ki, Math.max(0, Math.min(1, next)), now);
    }

    @Override
    public boolean admits(Entry entry) {
        return entry.level() < opening;
    }
}
