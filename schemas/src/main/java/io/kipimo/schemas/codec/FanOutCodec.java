package io.kipimo.schemas.codec;

import io.kipimo.schemas.fanout.ContributionTable;
import io.kipimo.schemas.fanout.FanOutPublication;
import io.kipimo.schemas.fanout.FanOutState;
import io.kipimo.schemas.wire.ContributionTableProto;
import io.kipimo.schemas.wire.FanOutPublicationProto;

/** Publications of the choice of components on the wire. */
final class FanOutCodec {
    private static final RecordMapping<ContributionTable, ContributionTableProto> TABLE = RecordMapping.of(
                    ContributionTable.class, ContributionTableProto.getDefaultInstance())
            .check((path, table, wire) -> checkSizes(path, table));

    static final RecordMapping<FanOutPublication, FanOutPublicationProto> PUBLICATION = RecordMapping.partly(
                    FanOutPublication.class, FanOutPublicationProto.getDefaultInstance())
            .with("model", TABLE)
            .derived()
            .check((path, publication, wire) -> checkModel(publication));

    private FanOutCodec() {}

    private static void checkModel(FanOutPublication publication) throws InvalidRecordException {
        if (publication.model().isPresent() == (publication.state() == FanOutState.OFF)) {
            throw Checks.inconsistent("model is %s with state %s; allowed: a model with ON and SHADOW, none with OFF"
                    .formatted(publication.model().isPresent() ? "set" : "not set", publication.state()));
        }
    }

    private static void checkSizes(String path, ContributionTable table) throws InvalidRecordException {
        int components = table.components().size();
        long bytes = (long) components << table.rowBits();
        if (table.table().length != bytes) {
            throw Checks.inconsistent("%stable has %s bytes; allowed: %s, one for each component and row"
                    .formatted(path, table.table().length, bytes));
        }
        checkSize(path + "costs", table.costs().length, components);
        checkSize(path + "bias", table.bias().length, components);
    }

    private static void checkSize(String field, int size, int components) throws InvalidRecordException {
        if (size != components) {
            throw Checks.inconsistent(
                    field + " has " + size + " numbers; allowed: one for each component, " + components);
        }
    }
}
