import assert from 'node:assert/strict';
import { ForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { makeList, makeMail, makeSubscription } from '../../../support/makeMail.ts';
import { makeUser } from '../../../support/makeTicket.ts';
import { passTime } from '../support/passTime.ts';
import { watchedForge } from '../../../support/watchedForge.ts';
import { watchingWindow } from '../../../support/watchingWindow.ts';

const minuteMs = 60_000;
const others = makeList({ name: 'others', owner: makeUser('bob'), id: 2 });

/** Own messages fail to load `times` times, and then succeed. */
function open(problem: Problem, times: number) {
	const clock = fakeClock();
	const forge = watchedForge(clock);
	const { world } = forge.lists;
	world.lists.push(makeList(), others);
	world.subscriptions.push(makeSubscription(others, 1));
	world.mails.push(makeMail({ id: 2, subject: '[PATCH] Mine', sender: makeUser('alice'), list: others }));
	let left = times;
	world.before = (call) => {
		if (call.startsWith('emails (own)') && left > 0) {
			left -= 1;
			throw new ForgeError(problem);
		}
	};
	const window = watchingWindow({ forge, clock, perHour: 600 });
	return {
		forge,
		window,
		watched: () => window.readings.all().flatMap(({ watched }) => (watched.kind === 'list' ? [watched.ref.name] : [])),
		answer: (id: number): void => {
			world.mails.push(
				makeMail({ id, threadId: 2, subject: 'Re: [PATCH] Mine', list: others, createdMs: clock.nowMs() }),
			);
		},
		told: () => window.inbox.items().map(({ entry: { reason } }) => reason),
		pass: async (totalMs: number): Promise<void> => {
			await passTime(clock, totalMs);
		},
	};
}

suite('lists while own messages fail to load', function () {
	this.timeout(20_000);

	for (const problem of [
		{ kind: 'tooLarge', limitBytes: 1 },
		{ kind: 'incomplete' },
		{ kind: 'notUnderstood', where: 'results[0].subject', why: 'no text' },
	] satisfies readonly Problem[]) {
		test(`join the watch anyway: ${problem.kind}`, async () => {
			const { forge, window, watched, told, pass } = open(problem, Infinity);
			await pass(minuteMs);
			assert.deepEqual(watched(), ['devel', 'others']);
			forge.mail('~alice/devel');
			await pass(20 * minuteMs);
			assert.deepEqual(told(), ['followed']);
			window.dispose();
		});
	}

	test('wait for a while, to recognize replies to the account', async () => {
		const { window, watched, answer, told, pass } = open({ kind: 'serverError', status: 500 }, 2);
		await pass(9 * minuteMs);
		assert.deepEqual(watched(), []);
		await pass(6 * minuteMs);
		assert.deepEqual(watched(), ['devel', 'others']);
		answer(3);
		await pass(20 * minuteMs);
		assert.deepEqual(told(), ['answered']);
		window.dispose();
	});

	test('stop waiting if the server keeps failing', async () => {
		const { window, watched, pass } = open({ kind: 'serverError', status: 500 }, Infinity);
		await pass(15 * minuteMs);
		assert.deepEqual(watched(), ['devel', 'others']);
		window.dispose();
	});
});
