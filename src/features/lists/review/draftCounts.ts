import * as vscode from 'vscode';
import { Emitter, type Event } from '../../../base/event.ts';
import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import { refText } from '../../../forge/namedRef.ts';
import type { Drafts } from '../../../state/drafts/drafts.ts';
import type { Reviewed } from '../../../state/drafts/reviewDrafts.ts';
import { isOnlyTyped } from '../../../review/typedDraft.ts';

/** How many comments on patchsets are written and not sent. Drafts are files: all are read once for each change. */
export interface DraftCounts extends Disposable {
	of(review: Reviewed): number;
	/** A patchset has more of them, or fewer. */
	readonly onDidChange: Event<Reviewed>;
}

export function draftCounts(drafts: Pick<Drafts, 'all' | 'onDidChange'>): DraftCounts {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<Reviewed>());
	let known: ReadonlyMap<string, number> | undefined;

	function countOf(review: Reviewed): number {
		known ??= countsOf(drafts);
		return known.get(keyOf(review)) ?? 0;
	}

	owned.add(
		drafts.onDidChange((about) => {
			if (about.kind === 'review' && about.part.kind === 'comment') {
				const before = known && countOf(about);
				known = undefined;
				if (countOf(about) !== before) {
					changed.fire(about);
				}
			}
		}),
	);
	return { of: countOf, onDidChange: changed.event, dispose: () => owned.dispose() };
}

function countsOf(drafts: Pick<Drafts, 'all'>): ReadonlyMap<string, number> {
	const ids = new Map<string, Set<string>>();
	for (const { about } of drafts.all()) {
		if (about.kind === 'review' && about.part.kind === 'comment' && !isOnlyTyped(about.part)) {
			const key = keyOf(about);
			ids.set(key, (ids.get(key) ?? new Set()).add(about.part.id));
		}
	}
	return new Map(Array.from(ids, ([key, { size }]) => [key, size]));
}

function keyOf({ connectionKey, ref, patchsetId }: Reviewed): string {
	return `${connectionKey} ${refText(ref)} ${patchsetId}`;
}

/** Empty where there is none. */
export function draftCountText(count: number): string {
	if (count === 0) {
		return '';
	}
	return count === 1 ? vscode.l10n.t('1 draft comment') : vscode.l10n.t('{0} draft comments', count);
}
