import * as vscode from 'vscode';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import type { Drafts } from '../../../store/drafts/drafts.ts';
import { reviewKey, type Reviewed } from '../../../store/drafts/reviewDrafts.ts';
import type { ReviewPart } from 'patchmail/review/reviewDraft.ts';
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
		known ??= countsOf(drafts);
		return known.get(reviewKey(review)) ?? nothing;
	}

	owned.add(
		drafts.onDidChange((about) => {
			if (about.kind === 'review' && isCounted(about.part)) {
				const before = known && countOf(about);
				known = undefined;
				if (!before || !isSame(countOf(about), before)) {
					changed.fire(about);
				}
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

/** Excludes suggested files, which are no comments yet, and edits of mails. */
function isCounted({ kind }: ReviewPart): boolean {
	return kind === 'comment' || kind === 'suggestion' || kind === 'trailer' || kind === 'status';
}

function isSame(a: DraftCount, b: DraftCount): boolean {
	return a.comments === b.comments && a.trailers === b.trailers && a.status === b.status;
}

interface Counted {
	readonly comments: Set<string>;
	readonly trailers: Set<string>;
	status: string | undefined;
}

function countsOf(drafts: Drafts): ReadonlyMap<string, DraftCount> {
	const counted = new Map<string, Counted>();
	for (const { about, draft } of drafts.all()) {
		if (about.kind === 'review') {
			const key = reviewKey(about);
			const review = counted.get(key) ?? { comments: new Set(), trailers: new Set(), status: undefined };
			counted.set(key, review);
			count(review, about.part, draft.text);
		}
	}
	return new Map(
		Array.from(counted, ([key, { comments, trailers, status }]) => [
			key,
			{ comments: comments.size, trailers: trailers.size, status },
		]),
	);
}

/** The latest draft comes first: of several windows that chose a status, the last one counts. */
function count(review: Counted, part: ReviewPart, text: string): void {
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
			review.status ??= text;
			break;
		case 'suggestedFile':
		case 'mail':
		case 'mailMadeFrom':
		case 'sending':
			break;
	}
}

function draftCountText(count: number): string {
	return count === 1 ? vscode.l10n.t('1 draft comment') : vscode.l10n.t('{0} draft comments', count);
}

/** Unsent parts of a review as texts; empty if there are none. */
export function draftCountTexts({ comments, trailers, status }: DraftCount): readonly string[] {
	return [
		...(comments === 0 ? [] : [draftCountText(comments)]),
		...(trailers === 0 ? [] : [draftTrailersText(trailers)]),
		...(status === undefined ? [] : [draftStatusText(status)]),
	];
}

function draftTrailersText(count: number): string {
	return count === 1 ? vscode.l10n.t('1 draft trailer') : vscode.l10n.t('{0} draft trailers', count);
}

function draftStatusText(status: string): string {
	return vscode.l10n.t('draft status: {0}', statusLook(settableStatus(status) ?? `other:${status}`).text);
}
