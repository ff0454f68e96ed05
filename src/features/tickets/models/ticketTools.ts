import * as vscode from 'vscode';
import { assertNever } from '../../../base/assertNever.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import { readingTool, writingTool, type ToolContext } from '../../../editor/models/languageTool.ts';
import { accountText, textField, ToolInputError } from '../../../editor/models/toolInput.ts';
import { ticketRefText } from '../../../forge/port/ticket.ts';
import { ticketLimits } from '../../../forge/port/ticketLimits.ts';
import type { Deviation, TicketRequest } from '../../../forge/port/ticketRequest.ts';
import type { Connections } from '../../../store/connection.ts';
import type { WriteOutcome } from '../../../store/tickets/writing/writeOutcome.ts';
import { codeBlock } from '../../../engine/text/codeBlock.ts';
import { escapeMarkdown } from '../../../engine/text/escapeMarkdown.ts';
import { untrustedFrame } from '../../../engine/text/untrustedFrame.ts';
import { forgeName, visibleLine } from '../../../engine/text/visible.ts';
import type { TicketSubject } from '../subjects/subjects.ts';
import { offeredResolution, offeredResolutions, resolutionText, type OfferedResolution } from '../subjects/words.ts';
import { getTicket, listTickets, ticketField } from './readingTools.ts';
import { stateOf } from './ticketTexts.ts';

/** Upper limit of an outcome text in bytes. */
const largestOutcomeBytes = 2048;

/**
 * Ticket tools for language models. Reads need no confirmation; writes show the exact text first. Forge text carries a
 * mark, because anybody may have written it.
 */
export const ticketTools = {
	forge_listTickets: readingTool(() => vscode.l10n.t('Listing tickets'), listTickets),
	forge_getTicket: readingTool(() => vscode.l10n.t('Loading a ticket'), getTicket),
	forge_commentOnTicket: writingTool(askedComment, confirmation, writeAsked),
	forge_resolveTicket: writingTool(askedResolve, confirmation, writeAsked),
};

function writeAsked({ connections }: ToolContext, write: AskedWrite, signal: AbortSignal): Promise<string> {
	return carryOut(connections, write, signal);
}

/** A write requested by a language model. */
export interface AskedWrite {
	readonly subject: TicketSubject;
	readonly comment: string | undefined;
	readonly resolution: OfferedResolution | undefined;
}

/** Input of the comment tool. */
export function askedComment(connections: Connections, input: unknown): AskedWrite {
	const comment = commentField(input, 'text');
	if (comment === undefined) {
		throw new ToolInputError('The field "text" is missing.');
	}
	return { subject: ticketField(input, connections), comment, resolution: undefined };
}

/** Input of the resolve tool. */
export function askedResolve(connections: Connections, input: unknown): AskedWrite {
	return {
		subject: ticketField(input, connections),
		comment: commentField(input, 'comment'),
		resolution: resolutionField(input),
	};
}

/** A comment of a length that forges take. */
function commentField(input: unknown, name: string): string | undefined {
	const text = textField(input, name);
	const { shortestComment, longestComment } = ticketLimits;
	if (text !== undefined && (text.trim().length < shortestComment || text.length > longestComment)) {
		throw new ToolInputError(`The field "${name}" has to have ${shortestComment} to ${longestComment} characters.`);
	}
	return text;
}

/** A resolution that the tool offers. */
function resolutionField(input: unknown): OfferedResolution {
	const resolution = offeredResolution(textField(input, 'resolution') ?? '');
	if (!resolution) {
		throw new ToolInputError(`The field "resolution" has to be one of: ${offeredResolutions.join(', ')}.`);
	}
	return resolution;
}

/**
 * Confirmation before a write. Shows the exact text in a code block that the text cannot close, with hidden characters
 * escaped.
 */
export function confirmation(connections: Connections, write: AskedWrite): vscode.PreparedToolInvocation {
	const { subject, comment, resolution } = write;
	const reference = forgeName(ticketRefText(subject.ref));
	const account = accountText(connections.byKey(subject.connectionKey));
	return {
		invocationMessage: vscode.l10n.t('Writing to {0}', reference),
		confirmationMessages: {
			title:
				resolution === undefined
					? vscode.l10n.t('Comment on {0}?', reference)
					: vscode.l10n.t('Resolve {0} as {1}?', reference, resolutionText(resolution)),
			message: untrustedMarkdown([
				escapeMarkdown(visibleLine(account)),
				...(comment === undefined
					? []
					: [escapeMarkdown(vscode.l10n.t('This comment will be posted:')), codeBlock(comment)]),
			]),
		},
	};
}

/** Sends the write once and returns the outcome for the model. */
export async function carryOut(connections: Connections, write: AskedWrite, signal: AbortSignal): Promise<string> {
	const { subject, comment, resolution } = write;
	const connection = connections.byKey(subject.connectionKey);
	if (!connection) {
		throw new ToolInputError('That account is no longer signed in.');
	}
	const wish: TicketRequest = {
		...(comment === undefined ? {} : { comment }),
		...(resolution === undefined ? {} : { move: { kind: 'resolve', resolution } }),
	};
	return outcomeText(ticketRefText(subject.ref), await connection.writes.write(subject.ref, wish, signal));
}

/** Outcome of a write as text for a model. The model should report it and never retry on its own. */
export function outcomeText(reference: string, outcome: WriteOutcome): string {
	switch (outcome.kind) {
		case 'done':
			return outcome.deviations.length === 0
				? answered(`Done. ${reference} is now ${stateOf(outcome.ticket)}.`)
				: answered(
						`The forge took it, but its answer differs from what was asked for: ${outcome.deviations.map(deviationText).join('; ')}. ${reference} is now ${stateOf(outcome.ticket)}.`,
					);
		case 'arrived':
			return answered(
				`Done. The answer was lost, but a look showed that all of it is there${differences(outcome.deviations ?? [])}. ${reference} is now ${stateOf(outcome.ticket)}.`,
			);
		case 'missing':
			return `The answer was lost, and a look showed that not all of it is on ${reference}. Do not send it again by yourself: ask the person.`;
		case 'unclear':
			return `The answer was lost, and it is not known whether it is on ${reference}. Do not send it again by yourself: ask the person to look.`;
		default:
			return assertNever(outcome);
	}
}

/** Deviations after a lost response: other users changed the ticket at the same moment. */
function differences(deviations: readonly Deviation[]): string {
	return deviations.length === 0
		? ''
		: `, but the ticket differs from what it should be: ${deviations.map(deviationText).join('; ')}`;
}

function answered(text: string): string {
	return untrustedFrame(text, largestOutcomeBytes);
}

function deviationText(deviations: Deviation): string {
	switch (deviations.kind) {
		case 'status':
		case 'resolution':
			return `${deviations.kind} ${deviations.got} instead of ${deviations.wanted}`;
		case 'labelMissing':
			return `label ${deviations.name} is missing`;
		case 'labelLeft':
			return `label ${deviations.name} is still there`;
		case 'assigneeMissing':
			return `${deviations.name} is not assigned`;
		case 'assigneeLeft':
			return `${deviations.name} is still assigned`;
		case 'comment':
			return 'the comment is not there';
		default:
			return assertNever(deviations);
	}
}
