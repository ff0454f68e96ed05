/**
 * Tickets per query by number, at two fields each: below the servers' limit
 * (docs/protocol.md#many-things-in-one-question).
 */
export const mostNumbers = 98;
