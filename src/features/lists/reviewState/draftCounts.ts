import { isSameValue } from '../../../base/isSameValue.ts';
import * as vscode from 'vscode';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import type { PatchsetRef } from 'sourcehut/port/list.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { Connection } from '../../../store/connection.ts';
import type { Drafts } from '../../../store/drafts/drafts.ts';
import { reviewKey, type Reviewed } from '../../../store/drafts/reviewDrafts.ts';
import { isOnlyTyped } from 'patchmail/review/typedDraft.ts';
import { settableStatus } from '../status/setStatus.ts';
import { statusLook } from '../subjects/words.ts';

/** Unsent parts of a review. */
export interface DraftCount {
	readonly comments: number;
	readonly trailers: number;
	/** Stored status for the patchset; `undefined` for none. */
	readonly status: string | undefined;
}

const nothing: DraftCount = { comments: 0, trailers: 0, status: undefined };

/** Counts of unsent review parts. Drafts are files: each change reloads them once. */
export type DraftCounts = ReturnType<typeof draftCounts>;

export function draftCounts(drafts: Drafts) {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<Reviewed>());
	let known: ReadonlyMap<string, DraftCount> | undefined;

	function countOf(review: Reviewed): DraftCount {
		known ??= allCounts(drafts);
		return known.get(reviewKey(review)) ?? nothing;
	}

	owned.add(
		drafts.onDidChange((about) => {
			// Suggested files are no comments yet, and edits of mails never are.
			if (about.kind !== 'review' || !['comment', 'suggestion', 'trailer', 'status'].includes(about.part.kind)) {
				return;
			}
			const before = known && countOf(about);
			known = undefined;
			if (!before || !isSameValue(countOf(about), before)) {
				changed.fire(about);
			}
		}),
	);
	return {
		of: countOf,
		/** The unsent parts of a review changed. */
		onDidChange: changed.event,
		dispose: () => owned.dispose(),
	};
}

function allCounts(drafts: Drafts): ReadonlyMap<string, DraftCount> {
	const counted = new Map<string, { comments: Set<string>; trailers: Set<string>; status: string | undefined }>();
	for (const { about, draft } of drafts.all()) {
		if (about.kind === 'review') {
			const key = reviewKey(about);
			const review = counted.get(key) ?? { comments: new Set(), trailers: new Set(), status: undefined };
			counted.set(key, review);
			const { part } = about;
			switch (part.kind) {
				case 'comment':
				case 'suggestion':
					if (!isOnlyTyped(part)) {
						review.comments.add(part.id);
					}
					break;
				case 'trailer':
					review.trailers.add(part.messageId);
					break;
				case 'status':
					// The latest draft comes first: of several windows that chose a status, the last one counts.
					review.status ??= draft.text;
					break;
				case 'movedFrom':
				case 'suggestedFile':
				case 'mail':
				case 'mailMadeFrom':
				case 'sending':
					break;
			}
		}
	}
	return new Map(
		Array.from(counted, ([key, { comments, trailers, status }]) => [
			key,
			{ comments: comments.size, trailers: trailers.size, status },
		]),
	);
}

/** As of the last change of the outbox. */
export function isReviewQueued({ mailOutbox }: Connection, { list, id }: PatchsetRef): boolean {
	return mailOutbox
		.shown()
		.some(({ of }) => of.kind === 'review' && of.ref.id === id && refText(of.ref.list) === refText(list));
}

/** Unsent parts of a review as texts; empty if there are none. `isQueued`: the outbox sends them. */
export function draftCountTexts({ comments, trailers, status }: DraftCount, isQueued = false): readonly string[] {
	const texts: string[] = isQueued ? [vscode.l10n.t('review in the outbox')] : [];
	if (comments > 0) {
		texts.push(comments === 1 ? vscode.l10n.t('1 draft comment') : vscode.l10n.t('{0} draft comments', comments));
	}
	if (trailers > 0) {
		texts.push(trailers === 1 ? vscode.l10n.t('1 draft trailer') : vscode.l10n.t('{0} draft trailers', trailers));
	}
	if (status !== undefined) {
		const { text } = statusLook(settableStatus(status) ?? `other:${status}`);
		texts.push(vscode.l10n.t('draft status: {0}', text));
	}
	return texts;
}
