package io.kipimo.console.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.console.model.Places.Claim;
import org.junit.jupiter.api.Test;

class PlacesTest {
    private final Places<String> places = new Places<>(4, 2, name -> "the " + name);

    @Test
    void inventedNamesDisplaceOnlyEachOther() {
        places.claim("policy", Claim.POLICY);
        places.claim("measured", Claim.MEASURED);
        for (int i = 0; i < 1_100; i++) {
            assertThat(places.claim("invented-" + i, Claim.NAMED)).isPresent();
        }
        assertThat(places.all())
                .containsExactly("the invented-1098", "the invented-1099", "the measured", "the policy");
        assertThat(places.claim("late policy", Claim.POLICY)).contains("the late policy");
        assertThat(places.passedOver()).isEqualTo(1_098);
    }

    @Test
    void namesThatAreSeenAgainStay() {
        places.claim("a", Claim.NAMED);
        places.claim("b", Claim.NAMED);
        places.claim("a", Claim.NAMED);
        places.claim("c", Claim.NAMED);
        assertThat(places.all()).containsExactly("the a", "the c");
    }

    @Test
    void policiesDisplaceNamesThatWereOnlyMeasured() {
        for (int i = 0; i < 6; i++) {
            places.claim("measured-" + i, Claim.MEASURED);
        }
        assertThat(places.all()).hasSize(4).contains("the measured-5");
        for (int i = 0; i < 4; i++) {
            places.claim("policy-" + i, Claim.POLICY);
        }
        assertThat(places.all()).allMatch(name -> name.startsWith("the policy-"));
        assertThat(places.claim("policy-4", Claim.POLICY)).isEmpty();
        assertThat(places.claim("measured-0", Claim.MEASURED)).isEmpty();
        // Records of services still contain it.
        places.claim("policy-0", Claim.NAMED);
        places.disclaim("policy-0");
        assertThat(places.claim("policy-4", Claim.POLICY)).isPresent();
        assertThat(places.find("policy-0")).isEmpty();
    }

    @Test
    void aNameThatProvesRealFreesItsPlace() {
        places.claim("a", Claim.NAMED);
        places.claim("b", Claim.NAMED);
        places.claim("a", Claim.MEASURED);
        places.claim("c", Claim.NAMED);
        assertThat(places.all()).containsExactly("the a", "the b", "the c");
    }
}
