/** Server limits for tickets, in characters (docs/protocol.md#ticket-limits). */
export const ticketLimits = {
	shortestTitle: 3,
	longestTitle: 2048,
	longestDescription: 16_383,
	shortestComment: 3,
	longestComment: 16_384,
	longestTrackerDescription: 4095,
	longestTrackerName: 255,
} as const;
