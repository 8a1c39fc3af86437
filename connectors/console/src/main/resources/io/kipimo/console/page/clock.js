// The server's clock, so that ages are right on a machine whose own clock is not.

let offsetMillis = 0;

/** Takes the server's time from one of its messages. */
export function setServerTime(millis) {
  offsetMillis = millis - Date.now();
}

/** Now, by the server's clock, epoch milliseconds. */
export const serverNow = () => Date.now() + offsetMillis;
