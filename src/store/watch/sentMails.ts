import type { Clock } from '@forge-desk/base/clock.ts';
import { isAbort } from '@forge-desk/base/abort.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { unlessMissing } from 'sourcehut/port/isAway.ts';
import { listKey, refOfList, type ListRef } from 'sourcehut/port/list.ts';
import type { Background } from '../background/backgroundLoop.ts';
import { schedule, type Schedule } from '../background/schedule.ts';
import type { ListStore } from '../lists/listStore.ts';

interface Expected {
	readonly list: ListRef;
	readonly messageId: string;
	readonly tries: Schedule;
}

const secondMs = 1000;
/** Retry delays. After the last one, the regular poll finds the mail, or `lacking` does. */
const [firstMs = 0, ...restsMs] = [10, 20, 30, 60, 180, 300].map((seconds) => seconds * secondMs);
/** May use the whole budget: the user is waiting. */
const share = 1;

/** Own mails that the forge may not have yet. */
export type SentMails = ReturnType<typeof sentMails>;

/**
 * Polls for sent mails, so visible lists, threads and patchsets show them without a delivery. Of several mails, only
 * the last one costs requests: the others precede it.
 */
export function sentMails(lists: ListStore, background: Background, clock: Clock) {
	const owned = new Disposables();
	const waiting = new Set<Expected>();
	const spend = (): void => background.budget.spend();

	owned.add(
		background.loop.add({
			tasks: () =>
				[...waiting]
					.filter(({ tries }) => tries.failures <= restsMs.length)
					.map((expected) => ({
						dueMs: expected.tries.dueMs,
						share,
						area: 'lists',
						read: async (signal) => {
							if (!(await isThere(expected, signal))) {
								expected.tries.failed();
							}
						},
						failed: () => expected.tries.failed(),
					})),
			hurry: () => waiting.forEach(({ tries }) => tries.hurry()),
		}),
	);

	/** The next try repeats all steps. */
	async function isThere(expected: Expected, signal: AbortSignal): Promise<boolean> {
		const { messageId, list } = expected;
		spend();
		const mail = await unlessMissing(lists.mails.mailNamed({ messageId, list }, signal));
		if (mail === undefined) {
			return false;
		}
		// A mail to several lists may come back with another list.
		lists.apply({ kind: 'mailArrived', list: mail.list ? refOfList(mail.list) : list, mail });
		if (mail.isPatch) {
			// Views without a read load on demand.
			if (lists.posts(list).known()) {
				await lists.newest.reread(list, 'posts', spend, signal);
			}
			if (lists.patchsets(list).known()) {
				await lists.newest.reread(list, 'patchsets', spend, signal);
			}
		} else if (mail.patchsetId !== undefined && lists.knownPatchset({ list, id: mail.patchsetId })) {
			// A reply may set the status.
			spend();
			await lists.renewPatchset({ list, id: mail.patchsetId }, signal);
		}
		waiting.delete(expected);
		return true;
	}

	return {
		/** Call after a mail went to the list. The Message-ID has angle brackets. */
		wentOut(list: ListRef, messageId: string) {
			const dueMs = clock.nowMs() + firstMs;
			waiting.add({ list, messageId, tries: schedule(clock, dueMs, (failures) => restsMs[failures] ?? 0) });
			background.loop.plan(dueMs);
		},
		/** Looks again for own mails to a list. Returns the number of those that the forge lacks, or may lack. */
		async lacking(list: ListRef, signal: AbortSignal): Promise<number> {
			let count = 0;
			for (const expected of [...waiting].filter((each) => listKey(each.list) === listKey(list))) {
				try {
					count += (await isThere(expected, signal)) ? 0 : 1;
				} catch (error) {
					if (isAbort(error)) {
						throw error;
					}
					count += 1;
				}
			}
			return count;
		},
		dispose: () => owned.dispose(),
	};
}
