/**
 * How many tickets are asked for at once by their numbers, at two points each: so it stays below what servers count to
 * (docs/protocol.md#many-things-in-one-question).
 */
export const mostNumbers = 98;
