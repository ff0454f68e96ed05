/** Tools for language models in package.json, in its order; a test compares the two lists. */
export const toolNames = ['forge_listTickets', 'forge_getTicket', 'forge_getPatchset', 'forge_readFile'] as const;
export type ToolName = (typeof toolNames)[number];
