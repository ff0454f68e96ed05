import type * as vscode from 'vscode';

/** Every tool for language models that package.json contributes; a test compares the two lists. */
const ticketToolNames = [
	'forge_listTickets',
	'forge_getTicket',
	'forge_commentOnTicket',
	'forge_resolveTicket',
] as const;
export type TicketToolName = (typeof ticketToolNames)[number];

/** The same for those on mailing lists. */
const listToolNames = ['forge_getPatchset', 'forge_getThread', 'forge_addDraftComment'] as const;
export type ListToolName = (typeof listToolNames)[number];

/** The same for those on repositories. */
const repositoryToolNames = ['forge_readFile', 'forge_listFolder'] as const;
export type RepositoryToolName = (typeof repositoryToolNames)[number];

/** The same for the inbox. */
const inboxToolNames = ['forge_readInbox'] as const;
export type InboxToolName = (typeof inboxToolNames)[number];

export const toolNames = [...inboxToolNames, ...ticketToolNames, ...listToolNames, ...repositoryToolNames] as const;
export type ToolName = (typeof toolNames)[number];

/** Tools by their registered names. Input comes from a model and may have any shape. */
export type LanguageTools = Readonly<Record<ToolName, vscode.LanguageModelTool<unknown>>>;
