package io.kipimo.schemas.tails;

/**
 * What servers can process (sPARE, sec. V-A1).
 *
 * @param cores M * V, mean over the window
 * @param requestsPerSecond M * V * mu: above this rate, copies included, queues grow without end
 * @param load arrivals over that rate; 1 and above is overload
 */
public record ProcessingCapacity(double cores, double requestsPerSecond, double load) {}
