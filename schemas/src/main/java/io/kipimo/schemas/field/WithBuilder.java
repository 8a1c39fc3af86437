package io.kipimo.schemas.field;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a record that is built by the names of its components: the annotation processor writes a class {@code XBuilder}
 * beside the record {@code X}.
 */
@RecordBuilder.Template(
        options = @RecordBuilder.Options(enableGetters = false, inheritComponentAnnotations = false, fileComment = ""))
@Retention(RetentionPolicy.SOURCE)
@Target(ElementType.TYPE)
public @interface WithBuilder {}
