import type { Clock } from '../../base/clock.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import { unlessMissing } from '../../forge/isAway.ts';
import { refOfList, type ListRef } from '../../forge/list.ts';
import type { Background } from '../background/backgroundLoop.ts';
import { budgetedTask } from '../background/budgetedTask.ts';
import type { ListStore } from '../lists/listStore.ts';

/** What waiting for one's own mails needs. */
export interface SentMailsParts {
	readonly lists: Pick<
		ListStore,
		'apply' | 'knownPatchset' | 'knownPatchsets' | 'knownPosts' | 'named' | 'newest' | 'renewPatchset'
	>;
	readonly background: Background;
	readonly clock: Clock;
}

/** Mails that this window sent and that the forge may not have yet. */
export interface SentMails extends Disposable {
	/** This mail went out to the list, after others or alone. Its Message-ID has angle brackets. */
	wentOut(list: ListRef, messageId: string): void;
}

interface Expected {
	readonly list: ListRef;
	readonly messageId: string;
	/** How often the forge was asked. */
	tries: number;
	/** Milliseconds since 1970. */
	dueMs: number;
}

const secondMs = 1000;
/** From one try to the next; a mail that is not there after the last comes as the mails of others do. */
const restsMs = [10, 20, 30, 60, 180, 300].map((seconds) => seconds * secondMs);
/** Somebody waits for it. */
const share = 1;

/**
 * Asks the forge for what was sent until it has it, so that lists, conversations and patchsets that are shown have it
 * without a delivery, in whatever window it was sent. Of several mails only the last is asked for, one request a try: with
 * it the conversation is read anew where it is shown, and the others are there before it.
 */
export function sentMails({ lists, background, clock }: SentMailsParts): SentMails {
	const owned = new Disposables();
	const waiting = new Set<Expected>();
	const spend = (): void => background.budget.spend();

	owned.add(
		background.loop.add({
			tasks: (times) =>
				[...waiting].map((expected) =>
					budgetedTask(times, {
						budget: background.budget,
						share,
						wishedMs: expected.dueMs,
						isApart: true,
						read: (signal) => look(expected, signal),
						failed: () => later(expected),
					}),
				),
			hurry: () => waiting.forEach((expected) => (expected.dueMs = Math.min(expected.dueMs, clock.nowMs()))),
			clockWentBack: (byMs) => waiting.forEach((expected) => (expected.dueMs -= byMs)),
		}),
	);

	function later(expected: Expected): void {
		expected.tries += 1;
		const restMs = restsMs[expected.tries];
		if (restMs === undefined) {
			waiting.delete(expected);
		} else {
			expected.dueMs = clock.nowMs() + restMs;
		}
	}

	/** What of this fails is done again as a whole by the next try. */
	async function look(expected: Expected, signal: AbortSignal): Promise<void> {
		const { messageId, list } = expected;
		spend();
		const mail = await unlessMissing(lists.named.mailNamed({ messageId, list }, signal));
		if (mail === undefined) {
			later(expected);
			return;
		}
		// Where it went to several lists, it may be that of another one.
		lists.apply({ kind: 'mailArrived', list: mail.list ? refOfList(mail.list) : list, mail });
		if (mail.isPatch) {
			await rereadRows(list, signal);
		} else if (mail.patchsetId !== undefined && lists.knownPatchset({ list, id: mail.patchsetId })) {
			// Replies may say which status it has from now on.
			spend();
			await lists.renewPatchset({ list, id: mail.patchsetId }, signal);
		}
		waiting.delete(expected);
	}

	/** What nobody has looked at is read when somebody does. */
	async function rereadRows(list: ListRef, signal: AbortSignal): Promise<void> {
		if (lists.knownPosts(list)) {
			await lists.newest.reread(list, 'posts', spend, signal);
		}
		if (lists.knownPatchsets(list)) {
			await lists.newest.reread(list, 'patchsets', spend, signal);
		}
	}

	return {
		wentOut(list, messageId) {
			waiting.add({ list, messageId, tries: 0, dueMs: clock.nowMs() + (restsMs[0] ?? 0) });
			background.loop.plan();
		},
		dispose: () => owned.dispose(),
	};
}
