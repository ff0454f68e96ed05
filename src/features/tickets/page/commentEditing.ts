import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import { isForgeError, type ForgeError } from 'sourcehut/port/forgeError.ts';
import type { Comment, TicketRef } from 'sourcehut/port/ticket.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { EditAnswer, CommentView } from '../../../pages/protocol/ticketProtocol.ts';
import type { Connection } from '../../../store/connection.ts';
import { isInDoubt } from '../../../store/shared/sentOnce.ts';
import type { CommentChange } from '../../../store/tickets/writing/ticketEdits.ts';
import { webAddress } from '../../../editor/links/webOf.ts';

/** Where an account can change a comment: its own ones only. */
export function editPlace({ me, writes, instance }: Connection, ref: TicketRef, comment: Comment): CommentView['edit'] {
	const { submitter } = comment;
	if (comment.id === undefined || submitter.kind !== 'user' || submitter.canonicalName !== me) {
		return undefined;
	}
	return writes.editComment
		? { kind: 'here' }
		: { kind: 'web', href: webAddress(instance, { kind: 'editComment', ref: ref, comment: comment.id }) };
}

/** Sends an edited comment. If the forge refuses, offers the web page. */
export async function editComment(
	{ writes, instance }: Connection,
	problems: Problems,
	change: CommentChange,
	signal: AbortSignal,
): Promise<EditAnswer> {
	const { id } = change.comment;
	const href =
		id === undefined
			? webAddress(instance, { kind: 'ticket', ref: change.ref })
			: webAddress(instance, { kind: 'editComment', ref: change.ref, comment: id });
	if (!writes.editComment) {
		return { kind: 'failed', text: onlyOnWeb(), href };
	}
	try {
		await writes.editComment(change, signal);
		return { kind: 'done' };
	} catch (error) {
		if (isAbort(error) || !isForgeError(error)) {
			throw error;
		}
		problems.log(error);
		return { kind: 'failed', text: failureText(problems, error), href };
	}
}

function failureText(problems: Problems, error: ForgeError): string {
	if (isInDoubt(error)) {
		return vscode.l10n.t('The response was lost. Your edit may or may not have been saved; it is kept here.');
	}
	const { kind } = error.problem;
	if (kind === 'notOffered') {
		return onlyOnWeb();
	}
	// Each change gives a comment another id, so that the old one is missing.
	return kind === 'notFound'
		? vscode.l10n.t('This comment was changed or deleted elsewhere. Check it before you edit it.')
		: problems.explain(error).message;
}

function onlyOnWeb(): string {
	return vscode.l10n.t('On this forge, comments can only be edited on the web.');
}
