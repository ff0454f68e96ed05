import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import { nextTurnBy } from '@forge-desk/base/timeSlice.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { movedFrom } from 'patchmail/review/reviewDraft.ts';
import { firstMailOfFormed } from 'patchmail/series/listedPatchset.ts';
import type { PatchsetRef } from 'sourcehut/port/list.ts';
import type { Connection } from './connection.ts';
import { draftKey, type DraftEntry, type Drafts } from './drafts/drafts.ts';
import { reviewKey, reviewSubject } from './drafts/reviewDrafts.ts';
import { watchedName, watchedNamed } from './inbox/watched.ts';
import { keptIn } from './shared/keptText.ts';

/**
 * Moves all that the user has of a patchset to its present number, with which a server or a fuller read replaced the
 * earlier one. A kill in between leaves a draft at both numbers, and the next move removes one.
 */
export function followNumbers(
	connection: Connection,
	drafts: Drafts,
	clock: Clock,
	log: (error: unknown) => void,
): Disposable {
	const { key, lists, reviews, snoozes, viewed, inbox, mailOutbox } = connection;
	const owned = new Disposables();
	let isDue = false;
	let isRunning = false;

	const isMoved = (ref: PatchsetRef): boolean => lists.nowOf(ref) !== ref;

	/** One text of one window. A newer text of the other number wins, and the older one stays beside it. */
	async function moveDraft({ about, draft }: DraftEntry): Promise<void> {
		if (about.kind !== 'review') {
			return;
		}
		const to = reviewSubject({ connectionKey: key, ref: lists.nowOf(about.ref) }, about.part);
		const origin = about.part.kind === 'movedFrom' ? keptIn(draft.text, movedFrom, undefined) : undefined;
		const patchset = origin && lists.nowOf({ list: about.ref.list, id: origin.patchset }).id;
		const text = origin && patchset !== origin.patchset ? JSON.stringify({ ...origin, patchset }) : draft.text;
		const there = draftKey(to) === draftKey(about) ? undefined : drafts.draft(to);
		if (draftKey(to) === draftKey(about) && text === draft.text) {
			return;
		}
		if (there && there.text !== text && there.atMs > draft.atMs) {
			await drafts.keepBeside(to, { ...draft, text });
		} else if (there?.text !== text) {
			await drafts.keep(to, { ...draft, text });
		}
		if (draftKey(to) !== draftKey(about)) {
			await drafts.forget({ about, draft });
		}
	}

	async function moveDrafts(): Promise<void> {
		const ofReviews = drafts.all().flatMap((entry) => {
			const { about } = entry;
			return about.kind === 'review' && about.connectionKey === key ? [{ entry, about }] : [];
		});
		const byReview = Map.groupBy(ofReviews, ({ about }) => reviewKey(about));
		for (const { about } of new Map(ofReviews.map((each) => [reviewKey(each.about), each])).values()) {
			const queued = isMoved(about.ref) ? mailOutbox.of({ kind: 'review', ref: about.ref }) : undefined;
			const held = queued && mailOutbox.hold(queued.id);
			// Another window sends these mails.
			if (queued && !held) {
				continue;
			}
			try {
				for (const { entry } of byReview.get(reviewKey(about)) ?? []) {
					await moveDraft(entry);
				}
				await held?.change({ of: { kind: 'review', ref: lists.nowOf(about.ref) } });
			} finally {
				held?.release();
			}
		}
	}

	async function follow(): Promise<void> {
		const snoozed = snoozes.all().filter(({ ref }) => isMoved(ref));
		if (snoozed.length > 0) {
			await snoozes.put(snoozed.flatMap(({ ref, snooze }) => [{ ref }, { ref: lists.nowOf(ref), snooze }]));
		}
		for (const { name, watching } of inbox.choices()) {
			const watched = watchedNamed(name);
			if (watched?.kind === 'patchset' && isMoved(watched.ref)) {
				inbox.choose(watchedName({ kind: 'patchset', ref: lists.nowOf(watched.ref) }), watching);
				inbox.choose(name, 'usual');
			}
		}
		await viewed.follow(lists.nowOf);
		await reviews.followNumbers();
		await moveDrafts();
	}

	async function due(): Promise<void> {
		isDue = true;
		if (isRunning) {
			return;
		}
		isRunning = true;
		try {
			while (isDue) {
				await nextTurnBy(clock);
				isDue = false;
				await follow();
			}
		} catch (error) {
			log(error);
		} finally {
			isRunning = false;
		}
	}

	owned.add(lists.onDidChange(() => void due()));
	owned.add(mailOutbox.onDidChange(() => void due()));
	owned.add(
		drafts.onDidChange((about) => {
			if (about.kind === 'review' && firstMailOfFormed(about.ref.id) !== undefined) {
				void due();
			}
		}),
	);
	void due();
	return owned;
}
