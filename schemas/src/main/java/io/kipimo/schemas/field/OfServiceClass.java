package io.kipimo.schemas.field;

/** A fact about one priority class of one service. */
public interface OfServiceClass {
    String service();

    String queryClass();

    default ServiceClass serviceClass() {
        return new ServiceClass(service(), queryClass());
    }

    /** The text {@code service/class}. */
    default String scope() {
        return serviceClass().toString();
    }
}
