import { isEarlierText, isSameText } from '../../../store/shared/isSameText.ts';
import type { SentDraft } from '../../../store/shared/writeRecord.ts';
import type { ForgetDrafts } from '../../../store/shared/writeJournal.ts';
import type { Connection } from '../../../store/connection.ts';
import { draftKey, type DraftSubject, type Drafts } from '../../../store/drafts/drafts.ts';
import type { TicketText } from '../../../pages/protocol/ticketProtocol.ts';
import type { DraftDocuments } from './draftDocuments.ts';
import type { DocumentSubject } from './draftUri.ts';

/** Removes the draft of a delivered write, unless the user typed more since. */
export function forgetArrived(drafts: Drafts, documents: DraftDocuments, connection: Connection): ForgetDrafts {
	const { key: connectionKey } = connection;

	async function forget(about: DraftSubject, isSent: (text: string) => boolean): Promise<readonly SentDraft[]> {
		const draft = drafts.draft(about);
		if (!draft || !isSent(draft.text)) {
			return [];
		}
		await drafts.keep(about, { ...draft, text: '' });
		return [{ key: draftKey(about), atMs: draft.atMs }];
	}

	/** Remembers the text of a document, because the editor may restore its own copy after a crash. */
	async function finish(about: DocumentSubject, sent: string): Promise<readonly SentDraft[]> {
		const text = documents.textOf(about);
		if (text !== undefined && !isEarlierText(text, sent)) {
			return [];
		}
		const atMs = drafts.draft(about)?.atMs ?? 0;
		await documents.finish(about);
		return text === undefined ? [] : [{ key: draftKey(about), atMs, text: sent }];
	}

	return async (write) => {
		if (write.kind === 'ticket') {
			const { comment } = write.wish;
			return comment === undefined
				? []
				: forget({ kind: 'comment', connectionKey, ref: write.ref }, (text) => text === comment);
		}
		if (write.kind === 'editComment') {
			const { ref, eventId, commentId } = write;
			const isSent = (text: string): boolean => isSameText(text, write.text);
			return [
				...(await forget({ kind: 'editedEntry', connectionKey, ref, eventId }, isSent)),
				...(commentId === undefined
					? []
					: await forget({ kind: 'editedComment', connectionKey, ref, commentId }, isSent)),
			];
		}
		if (write.kind === 'editTicket') {
			const now = connection.tickets.knownTicket(write.ref);
			return forget({ kind: 'ticketText', connectionKey, ref: write.ref }, (text) => isSaid(partedText(text), now));
		}
		if (write.kind === 'newTicket') {
			const { tracker, draft } = write;
			return draft ? finish({ kind: 'newTicket', connectionKey, tracker, name: draft.name }, draft.text) : [];
		}
		if (write.kind === 'describeTracker') {
			return finish({ kind: 'description', connectionKey, tracker: write.ref }, write.description);
		}
		if (write.kind === 'describeList') {
			return finish({ kind: 'listDescription', connectionKey, ref: write.ref }, write.description);
		}
		return write.kind === 'changeRepository' && write.changes.description !== undefined
			? finish({ kind: 'repositoryDescription', connectionKey, ref: write.ref }, write.changes.description)
			: [];
	};
}

/** True if the ticket already has this title and description. */
export function isSaid({ title, description }: TicketText, now: TicketText | undefined): boolean {
	return now !== undefined && title.trim() === now.title && isSameText(description, now.description);
}

/** Title, an empty line, then the description. */
export function joinedText({ title, description }: TicketText): string {
	return title === '' && description === '' ? '' : `${title}\n\n${description}`;
}

export function partedText(text: string): TicketText {
	const [title = ''] = text.split('\n', 1);
	return { title, description: text.slice(title.length + 2) };
}
