package io.kipimo.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParametersTest {
    private static final Set<String> EACH_TIME = Set.of("NOW", "rid");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "q=a+b&NOW=17&rid=h-1&fl=id | q=a+b&fl=id",
                "NOW=17 | ''",
                "N%4FW=17&q=%C3%A9 | q=%C3%A9",
                "now=17&x | now=17&x",
                "'' | ''",
                "%zz=1&NOW | %zz=1"
            })
    void namedParametersAreLeftOut(String all, String kept) {
        assertThat(Parameters.without(all, EACH_TIME::contains)).isEqualTo(kept);
    }

    @ParameterizedTest
    @CsvSource({"/select?NOW=1&q=a, /select?q=a", "/select, /select", "/NOW=1?q=NOW, /NOW=1?q=NOW"})
    void ofATargetOnlyTheQueryStringHasParameters(String target, String kept) {
        assertThat(Parameters.ofTargetWithout(target, EACH_TIME::contains)).isEqualTo(kept);
    }

    @Test
    void aFormIsKnownByItsType() {
        assertThat(Parameters.isForm("Application/X-www-form-urlencoded; charset=UTF-8"))
                .isTrue();
        assertThat(Parameters.isForm("application/json")).isFalse();
        assertThat(Parameters.isForm(null)).isFalse();
    }
}
