package io.kipimo.cli.conform;

/** Rules for a service's records, the most important one first. */
enum Rule {
    UNREADABLE(
            true,
            "records cannot be read",
            "They become dead letters. Write the Protobuf message of the topic, no envelope."),
    OPEN_TRANSACTION(
            true,
            "records wait behind open transactions of silent producers",
            "No job reads them, and none was checked here. End the producer, or abort its transaction."),
    NO_COMPONENTS(
            true, "answers name no component", "They are NOT_MEASURABLE. Name every component that the query invoked."),
    EVENT_TIME(
            true,
            "event times differ from the append time by more than 60 s",
            "Times ahead are bounded; times behind are late. Check units and clocks."),
    LATE_FOR_COUNTS(
            true,
            "events come when counts have moved event time past their query's window",
            "They are late, or will be when the job starts. Let the counts of a second follow the answers up to it, "
                    + "hold answers for less time, or raise expiration_window or source.out-of-orderness."),
    MERGE_DIFFERS(
            true,
            "answers are not the merge of their in-time results by the policy",
            "Degraded ones are NOT_MEASURABLE. Set the policy's merge to the service's own; if no kind is, set "
                    + "REPLAYED_ANSWERS and emit both answers."),
    WRONG_KEY(
            true, "keys are wrong", "Answers and partials are keyed by query id, observations by service/tier/server."),
    WRONG_PARTITION(
            true,
            "partitions are not those of the key",
            "Use Kafka's default partitioner; in librdkafka partitioner=murmur2_random."),
    SAMPLING(
            true,
            "sampled queries are not those of the sampling rule",
            "Emitters must all sample the same queries. Test the emitter against the vectors in"
                    + " clients/vectors/sampling.json."),
    PARTIALS_WITHOUT_ANSWER(
            true,
            "queries have results and no answer",
            "They are ORPHAN rows. Front end and components must sample the same queries."),
    ANSWER_WITHOUT_PARTIALS(
            true,
            "degraded answers have no result of any component",
            "Their quality is an interval of 0..1. Emit ONLINE results of degraded answers, and late ones."),
    UNNAMED_COMPONENT(
            true,
            "results are of components that their answer does not name",
            "They do not affect the quality. Name the component in the answer's invocations."),
    START_DIFFERS(
            true,
            "results have another start than their answer",
            "The sampling rate and the expiration window follow the start. Pass it with the request."),
    NO_START(
            true,
            "MATURE results have no start",
            "A result before its answer may become a late event. Set started_at_millis."),
    NO_OBSERVATIONS(
            true,
            "classes with answers have no observations",
            "Without counts of all queries estimates are not stratified, and admission has no figures of the traffic."),
    OBSERVATION_GAPS(
            true, "seconds of observations are missing", "Write one per second and class, even if all counts are 0."),
    COUNTS(true, "observations count fewer answers than were sampled", "Count every answer, sampled or not."),
    UNCOUNTED_VARIANT(
            true,
            "answers are of variants without observations",
            "The gate has no verdict on the variant. Write observations with the same variant."),
    REPEATED_IDS(
            true,
            "query ids occur in more than one answer",
            "Only the first is measured. Draw a new id for each query; do not take those of clients."),
    SKEWED_IDS(true, "query ids are not random", "All or none are sampled. Draw the low 56 bits at random."),
    TOO_MANY_ITEMS(
            true,
            "records have more than 10,000 items",
            "Readers keep the first 10,000. Keep the best items, and set truncated."),
    UNMEASURABLE(false, "answers are marked unmeasurable", "They are counted, not measured; see docs/measurable.md.");

    private final boolean wrong;
    private final String text;
    private final String advice;

    Rule(boolean wrong, String text, String advice) {
        this.wrong = wrong;
        this.text = text;
        this.advice = advice;
    }

    /** Tells whether a finding fails the check. Otherwise the finding is a remark. */
    boolean isWrong() {
        return wrong;
    }

    String text() {
        return text;
    }

    String advice() {
        return advice;
    }
}
