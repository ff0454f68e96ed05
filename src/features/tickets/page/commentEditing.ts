import * as vscode from 'vscode';
import { isAbort } from '../../../base/abort.ts';
import { isForgeError, type ForgeError } from '../../../forge/forgeError.ts';
import type { Comment, TicketEvent, TicketRef } from '../../../forge/ticket.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { EditAnswer } from '../../../protocol/ticketProtocol.ts';
import type { CommentView } from '../../../protocol/ticketView.ts';
import type { Connection } from '../../../state/connection.ts';
import { commentEditLink } from './webPlaces.ts';

/** Where an account can change a comment: its own ones only. */
export function editPlace({ me, forge, instance }: Connection, ref: TicketRef, comment: Comment): CommentView['edit'] {
	const { submitter } = comment;
	if (submitter.kind !== 'user' || submitter.canonicalName !== me) {
		return undefined;
	}
	return forge.trackers.editComment
		? { kind: 'here' }
		: { kind: 'web', href: commentEditLink(instance, ref, comment.id) };
}

/** A change of a comment. */
export interface CommentChange {
	readonly ref: TicketRef;
	readonly event: TicketEvent;
	readonly comment: Comment;
	readonly text: string;
}

/**
 * Sends a changed comment once. It comes back with a new id (docs/protocol.md#comment-edits). When the answer is lost,
 * the timeline tells whether it arrived. Where the forge refuses, the way to its page is offered.
 */
export async function editComment(
	{ connection, problems }: { readonly connection: Connection; readonly problems: Problems },
	{ ref, event, comment, text }: CommentChange,
	signal: AbortSignal,
): Promise<EditAnswer> {
	const { tickets, forge, instance } = connection;
	const href = commentEditLink(instance, ref, comment.id);
	try {
		const changed = await forge.trackers.editComment?.(ref, comment.id, text, signal);
		if (!changed) {
			return { kind: 'failed', text: vscode.l10n.t('On this forge, comments can only be edited on the web.'), href };
		}
		tickets.apply({ kind: 'eventsAdded', ticket: ref, events: [{ ...event, comment: changed }] });
		return { kind: 'done' };
	} catch (error) {
		if (isAbort(error) || !isForgeError(error)) {
			throw error;
		}
		problems.log(error);
		const now = await commentNow(connection, { ref, event }, signal);
		return now === text ? { kind: 'done' } : { kind: 'failed', text: failureText(problems, error), href };
	}
}

/** Each change gives a comment another id, so that the old one is missing. */
function failureText(problems: Problems, error: ForgeError): string {
	return error.problem.kind === 'notFound'
		? vscode.l10n.t('This comment was changed or deleted elsewhere. Check it before you edit it.')
		: problems.explain(error).message;
}

async function commentNow(
	{ tickets }: Connection,
	{ ref, event }: Pick<CommentChange, 'ref' | 'event'>,
	signal: AbortSignal,
): Promise<string | undefined> {
	try {
		const { items } = await tickets.renewEvents(ref, signal);
		return items.find(({ id }) => id === event.id)?.comment?.text;
	} catch (error) {
		if (isForgeError(error)) {
			return undefined;
		}
		throw error;
	}
}
