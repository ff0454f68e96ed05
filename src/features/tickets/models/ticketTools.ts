import { LRUCache } from 'lru-cache';
import * as vscode from 'vscode';
import type { Clock } from '../../../base/clock.ts';
import type { LanguageTools, TicketToolName } from '../../../editor/models/languageTools.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { Connections } from '../../../state/connection.ts';
import { readingTool, toolAnswer } from '../../../editor/models/languageTool.ts';
import { getTicket, listTickets } from './readingTools.ts';
import { askedComment, askedResolve, carryOut, confirmation, type AskedWrite } from './writingTools.ts';

/** What the tools need of the rest of the program. */
export interface ToolsParts {
	readonly connections: Connections;
	readonly clock: Clock;
	readonly problems: Problems;
}

/** More questions than these are not open at once. */
const mostConfirmed = 50;

/**
 * Tickets for language models. Reading asks nobody; writing shows a person the exact text first. What comes from the
 * forge is marked as such, because anybody may have written it.
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
	parts: ToolsParts,
	asked: (connections: Connections, input: unknown) => AskedWrite,
): vscode.LanguageModelTool<unknown> {
	const { connections } = parts;
	/** What was shown, by what was asked for: accounts may come while a person reads, and the one shown is the one meant. */
	const shown = new LRUCache<string, AskedWrite>({ max: mostConfirmed });
	return {
		// Input that cannot be used throws here: without a question nothing is ever sent.
		prepareInvocation({ input }) {
			const write = asked(connections, input);
			shown.set(JSON.stringify(input), write);
			return confirmation(connections, write);
		},
		invoke: ({ input }, token) =>
			toolAnswer(parts.problems, token, (signal) => {
				const key = JSON.stringify(input);
				const write = shown.get(key) ?? asked(connections, input);
				shown.delete(key);
				return carryOut(connections, write, signal);
			}),
	};
}
