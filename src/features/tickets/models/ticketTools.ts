import * as vscode from 'vscode';
import type { Clock } from '../../../base/clock.ts';
import type { LanguageTools, TicketToolName } from '../../../editor/models/languageTools.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { Connections } from '../../../state/connection.ts';
import { readingTool, writingTool } from '../../../editor/models/languageTool.ts';
import { getTicket, listTickets } from './readingTools.ts';
import { askedComment, askedResolve, carryOut, confirmation, type AskedWrite } from './writingTools.ts';

export interface ToolsParts {
	readonly connections: Connections;
	readonly clock: Clock;
	readonly problems: Problems;
}

/**
 * Ticket tools for language models. Reads need no confirmation; writes show the exact text first. Forge text carries a
 * mark, because anybody may have written it.
 */
export function ticketTools(parts: ToolsParts): Pick<LanguageTools, TicketToolName> {
	return {
		forge_listTickets: readingTool(
			parts.problems,
			(input, signal) => listTickets(parts, input, signal),
			() => vscode.l10n.t('Listing tickets'),
		),
		forge_getTicket: readingTool(
			parts.problems,
			(input, signal) => getTicket(parts.connections, input, signal),
			() => vscode.l10n.t('Loading a ticket'),
		),
		forge_commentOnTicket: writing(parts, askedComment),
		forge_resolveTicket: writing(parts, askedResolve),
	};
}

function writing(
	{ connections, problems }: ToolsParts,
	asked: (connections: Connections, input: unknown) => AskedWrite,
): vscode.LanguageModelTool<unknown> {
	return writingTool(problems, {
		asked: (input) => asked(connections, input),
		question: (write) => confirmation(connections, write),
		carryOut: (write, signal) => carryOut(connections, write, signal),
	});
}
