import type { Clock } from '../../base/clock.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import { unlessMissing } from '../../forge/isAway.ts';
import { refOfList, type Email, type ListRef } from '../../forge/list.ts';
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
	/** These went out to the list, in this order, as far as anybody knows. Message-IDs with angle brackets. */
	wentOut(list: ListRef, messageIds: readonly string[]): void;
}

interface Expected {
	readonly list: ListRef;
	readonly messageIds: readonly string[];
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
/** Of one sending; the rest of a larger one comes as the mails of others do. */
const mostAsked = 20;

/**
 * Asks the forge for what was sent until it has it, so that lists, conversations and patchsets that are shown have it
 * without a delivery, in whatever window it was sent. Asks for the last mail of a sending by its Message-ID, one request a
 * try, because the others are there before it.
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

	async function look(expected: Expected, signal: AbortSignal): Promise<void> {
		const { list, messageIds } = expected;
		const last = await found(list, messageIds.at(-1), signal);
		if (last === undefined) {
			later(expected);
			return;
		}
		waiting.delete(expected);
		if (last.isPatch) {
			await rereadRows(list, signal);
			return;
		}
		const before = messageIds.slice(0, -1).slice(-mostAsked);
		const mails = [last];
		for (const messageId of before) {
			const mail = await found(list, messageId, signal);
			mails.push(...(mail ? [mail] : []));
		}
		// A mail may say which status its patchset has from now on.
		for (const id of new Set(mails.flatMap(({ patchsetId }) => patchsetId ?? []))) {
			if (lists.knownPatchset({ list, id })) {
				spend();
				await lists.renewPatchset({ list, id }, signal);
			}
		}
	}

	/** Takes a mail in that the forge has; `undefined` as long as it has not. */
	async function found(list: ListRef, messageId: string | undefined, signal: AbortSignal): Promise<Email | undefined> {
		if (messageId === undefined) {
			return undefined;
		}
		spend();
		const mail = await unlessMissing(lists.named.mailNamed({ messageId, list }, signal));
		if (mail) {
			// Where it went to several lists, it may be that of another one.
			lists.apply({ kind: 'mailArrived', list: mail.list ? refOfList(mail.list) : list, mail });
		}
		return mail;
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
		wentOut(list, messageIds) {
			waiting.add({ list, messageIds, tries: 0, dueMs: clock.nowMs() + (restsMs[0] ?? 0) });
			background.loop.plan();
		},
		dispose: () => owned.dispose(),
	};
}
