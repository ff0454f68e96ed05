import * as vscode from 'vscode';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { isOnlyTyped } from 'patchmail/review/typedDraft.ts';
import { draftKey, type ReviewSubject } from '../../../store/drafts/drafts.ts';
import { reviewDraft, reviewSubject } from '../../../store/drafts/reviewDrafts.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';
import type { PatchsetSubject } from '../../lists/subjects/subjects.ts';

/**
 * The comment on the series that its page has a box for: a draft of the review, on the cover letter or the first patch.
 * Without a box of its own while its document is open, because the document would override it.
 */
export function seriesComment(context: ListsContext, of: PatchsetSubject) {
	const { connections, drafts, mailDrafts, clock } = context;
	/** Its draft, even after it became empty. */
	let begun: ReviewSubject | undefined;

	function about(): ReviewSubject | undefined {
		const series = connections.byKey(of.connectionKey)?.reviews.known(of.ref)?.series;
		const messageId = (series?.cover ?? series?.patches[0]?.mail)?.messageId;
		if (messageId === undefined) {
			return undefined;
		}
		const known = reviewDraft(drafts, of).comments.find(
			({ id, place }) => place.kind === 'mail' && place.messageId === messageId && !isOnlyTyped({ id }),
		);
		if (known) {
			begun = reviewSubject(of, { kind: 'comment', id: known.id, place: known.place });
		}
		begun ??= reviewSubject(of, { kind: 'comment', id: context.newName(), place: { kind: 'mail', messageId } });
		return begun;
	}

	return {
		text(): string {
			const draft = about();
			return (draft && drafts.draft(draft)?.text) ?? '';
		},
		/** Resolves to a sentence if it was not stored. */
		async keep(text: string, signal: AbortSignal): Promise<string | undefined> {
			await connectionOf(connections, of).reviews.read(of.ref, signal);
			const draft = about();
			if (!draft) {
				return vscode.l10n.t('This patchset has no message to comment on.');
			}
			const isDocument = vscode.workspace.textDocuments.some(({ uri, isClosed }) => {
				const other = isClosed ? undefined : mailDrafts.aboutOf(uri);
				return other !== undefined && draftKey(other) === draftKey(draft);
			});
			if (isDocument) {
				return vscode.l10n.t('This comment is open as a document. Write it there.');
			}
			await drafts.keep(draft, { text: text.trim() === '' ? '' : text, atMs: clock.nowMs() });
			return undefined;
		},
	};
}
