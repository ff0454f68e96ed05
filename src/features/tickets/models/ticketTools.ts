import * as vscode from 'vscode';
import type { Clock } from '../../../base/clock.ts';
import type { LanguageTools } from '../../../editor/languageTools.ts';
import type { Problems } from '../../../editor/problems.ts';
import type { Connections } from '../../../state/connection.ts';
import { cancelWith } from '../references/cancelWith.ts';
import { failureText } from './failureText.ts';
import { getTicket, listTickets } from './readingTools.ts';
import { ToolInputError } from './toolInput.ts';
import { askedComment, askedResolve, carryOut, confirmation, type AskedWrite } from './writingTools.ts';

/** What the tools need of the rest of the program. */
export interface ToolsParts {
	readonly connections: Connections;
	readonly clock: Clock;
	readonly problems: Problems;
}

type Work = (input: unknown, signal: AbortSignal) => Promise<string>;

/** More questions than these are not open at once. */
const mostConfirmed = 50;

/**
 * Tickets for language models. Reading asks nobody; writing shows a person the exact text first. What comes from the
 * forge is marked as such, because anybody may have written it.
 */
export function ticketTools(parts: ToolsParts): LanguageTools {
	return {
		forge_listTickets: reading(
			parts,
			(input, signal) => listTickets(parts, input, signal),
			() => vscode.l10n.t('Listing tickets'),
		),
		forge_getTicket: reading(
			parts,
			(input, signal) => getTicket(parts.connections, input, signal),
			() => vscode.l10n.t('Reading a ticket'),
		),
		forge_commentOnTicket: writing(parts, askedComment),
		forge_resolveTicket: writing(parts, askedResolve),
	};
}

function reading(parts: ToolsParts, work: Work, message: () => string): vscode.LanguageModelTool<unknown> {
	return {
		prepareInvocation: () => ({ invocationMessage: message() }),
		invoke: ({ input }, token) => answer(parts, token, (signal) => work(input, signal)),
	};
}

function writing(
	parts: ToolsParts,
	asked: (connections: Connections, input: unknown) => AskedWrite,
): vscode.LanguageModelTool<unknown> {
	const { connections } = parts;
	/** What was shown, by what was asked for: accounts may come while a person reads, and the one shown is the one meant. */
	const shown = new Map<string, AskedWrite>();
	return {
		// Input that cannot be used throws here: without a question nothing is ever sent.
		prepareInvocation({ input }) {
			const write = asked(connections, input);
			shown.set(JSON.stringify(input), write);
			const [oldest] = shown.keys();
			if (shown.size > mostConfirmed && oldest !== undefined) {
				shown.delete(oldest);
			}
			return confirmation(connections, write);
		},
		invoke: ({ input }, token) =>
			answer(parts, token, (signal) => {
				const key = JSON.stringify(input);
				const write = shown.get(key) ?? asked(connections, input);
				shown.delete(key);
				return carryOut(connections, write, signal);
			}),
	};
}

/** An answer for the model, or an error whose words are for it. */
async function answer(
	{ problems }: ToolsParts,
	token: vscode.CancellationToken,
	work: (signal: AbortSignal) => Promise<string>,
): Promise<vscode.LanguageModelToolResult> {
	try {
		const text = await cancelWith(token, work);
		if (text === undefined) {
			throw new vscode.CancellationError();
		}
		return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
	} catch (error) {
		if (error instanceof ToolInputError || error instanceof vscode.CancellationError) {
			throw error;
		}
		problems.log(error);
		throw new Error(failureText(error, problems), { cause: error });
	}
}
