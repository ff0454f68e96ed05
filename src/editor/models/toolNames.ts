/** Tools for language models in package.json, in its order; a test compares the two lists. */
export const toolNames = [
	'forge_readInbox',
	'forge_listTickets',
	'forge_getTicket',
	'forge_commentOnTicket',
	'forge_resolveTicket',
	'forge_getPatchset',
	'forge_getThread',
	'forge_addDraftComment',
	'forge_readFile',
	'forge_listFolder',
] as const;
export type ToolName = (typeof toolNames)[number];
