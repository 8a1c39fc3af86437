package io.kipimo.core.invalidation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kipimo.schemas.caching.InvalidationMode;
import org.junit.jupiter.api.Test;

class InvalidationRuleTest {
    @Test
    void idListsSurviveChangesOfContentAndObjectListsDoNot() {
        InvalidationRule ids = InvalidationRule.hard(Representation.ID_LIST);
        InvalidationRule objects = InvalidationRule.soft(Representation.OBJECT_LIST, 5_000);
        assertThat(ids.on(ChangeKind.CHANGE)).isEmpty();
        assertThat(objects.on(ChangeKind.CHANGE)).contains(InvalidationMode.SOFT);
        for (ChangeKind kind : new ChangeKind[] {ChangeKind.ADD, ChangeKind.REMOVE, ChangeKind.CHANGE_INDEX}) {
            assertThat(ids.on(kind)).contains(InvalidationMode.HARD);
            assertThat(objects.on(kind)).contains(InvalidationMode.SOFT);
        }
    }

    @Test
    void onlySoftInvalidationServesWhatIsStale() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> InvalidationRule.soft(Representation.ID_LIST, 0))
                .withMessageContaining("from 1 with SOFT");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new InvalidationRule(Representation.ID_LIST, InvalidationMode.HARD, 1));
    }
}
