import * as vscode from 'vscode';
import { isDescriptionUnsent, unsentText } from '../../../editor/ask/extraFields.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import { isBareRefusal, isForgeError } from '../../../forge/forgeError.ts';
import { ticketLimits } from '../../../forge/ticketLimits.ts';
import type { TicketRef } from '../../../forge/ticket.ts';
import type { TextAnswer, TextStart, TicketText } from '../../../protocol/ticketProtocol.ts';
import type { Connection } from '../../../state/connection.ts';
import { saysAll } from '../../../state/tickets/writing/ticketEdits.ts';
import { refusedText } from '../subjects/permissions.ts';
import type { PageDrafts } from './pageDrafts.ts';

/** Initial title and description of an edit: the draft if one exists, otherwise the ticket's text. */
export function textStartOf(
	{ tickets }: Pick<Connection, 'tickets'>,
	ref: TicketRef,
	drafts: Pick<PageDrafts, 'text'>,
): TextStart {
	const known = tickets.knownTicket(ref);
	const now = { title: known?.title ?? '', description: known?.description ?? '' };
	const draft = drafts.text();
	return draft ? { ...draft, from: undefined } : { ...now, from: now };
}

/**
 * Sends the changed title and description if the ticket still has the text that the edit began with. Otherwise returns
 * a conflict with the newer text, and keeps both texts.
 */
export async function editText(
	{ connection, problems, ref }: EditTextParts,
	{ from, ...typed }: TextStart,
	signal: AbortSignal,
): Promise<TextAnswer> {
	const { tickets, writes } = connection;
	const wanted = { title: typed.title.trim(), description: typed.description.replaceAll('\r\n', '\n').trimEnd() };
	const fault = writes.editTicket ? faultOf(wanted) : onlyOnWeb();
	if (fault !== undefined || !writes.editTicket) {
		return { kind: 'failed', text: fault ?? onlyOnWeb() };
	}
	try {
		const now = await tickets.renewTicket(ref, signal);
		if (isDescriptionUnsent(now)) {
			return { kind: 'failed', text: unsentText([now]) };
		}
		if (saysAll(now, wanted)) {
			return { kind: 'done' };
		}
		if (!from || !saysAll(now, from)) {
			const { title, description } = now;
			return { kind: 'conflict', text: conflictText(from), now: { title, description } };
		}
		await writes.editTicket(ref, changeOf(now, wanted), signal);
		return { kind: 'done' };
	} catch (error) {
		if (!isForgeError(error)) {
			throw error;
		}
		problems.log(error);
		const text = isBareRefusal(error) ? refusedText('edit', ref.tracker.owner) : problems.explain(error).message;
		return { kind: 'failed', text };
	}
}

export interface EditTextParts {
	readonly connection: Connection;
	readonly problems: Pick<Problems, 'explain' | 'log'>;
	readonly ref: TicketRef;
}

function changeOf(now: TicketText, { title, description }: TicketText): Partial<TicketText> {
	return {
		...(saysAll(now, { title }) ? {} : { title }),
		...(saysAll(now, { description }) ? {} : { description }),
	};
}

function faultOf({ title }: TicketText): string | undefined {
	const { shortestTitle, longestTitle } = ticketLimits;
	const length = Array.from(title).length;
	return length < shortestTitle || length > longestTitle
		? vscode.l10n.t('A title must have {0} to {1} characters. Change it and try again.', shortestTitle, longestTitle)
		: undefined;
}

function conflictText(from: TicketText | undefined): string {
	return from
		? vscode.l10n.t(
				'Someone has changed the title or description since you began. It is shown below, and your text is kept. Save again to replace it.',
			)
		: vscode.l10n.t(
				'The ticket may have changed since you began. Its title and description are shown below, and your text is kept. Save again to replace them.',
			);
}

function onlyOnWeb(): string {
	return vscode.l10n.t('On this forge, tickets can only be edited on the web.');
}
