/**
 * Records to Protobuf bytes and back, with every check of what a field may hold; what is refused
 * carries its reason, so that nothing is lost in silence. Read {@link
 * io.kipimo.schemas.codec.Codecs} first, then {@link io.kipimo.schemas.codec.Checks}.
 */
package io.kipimo.schemas.codec;
