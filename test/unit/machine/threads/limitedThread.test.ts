import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { limitedThread, type LimitedThread } from '../../../../src/machine/threads/limitedThread.ts';
import { fakeClock, type FakeClock } from '../../../support/fakeClock.ts';
import { quietLog } from '../../../support/quietLog.ts';

const { signal } = new AbortController();
const limitMs = 1000;
const run = promisify(execFile);
const sourceFile = join(import.meta.dirname, '../../../../src/machine/threads/limitedThread.ts');

/** On this channel a thread crashes after it has answered; otherwise the error may overtake the answer. */
const channelName = 'a thread that rests';

/** Echoes each question; some are commands. */
const program = `
const channel = new BroadcastChannel('${channelName}');
channel.onmessage = ({ data }) => {
	if (data === 'breakLater') throw new Error('broke at rest');
	process.exit();
};
channel.unref();
export function mailAnswerer() {
	return (question) => {
		if (question === 'break') throw new Error('broke at work');
		if (question === 'leave') process.exit();
		return question === 'hang' ? new Promise(() => undefined) : question;
	};
}`;

suite('worker thread with a time limit', () => {
	let folder = '';
	let clock: FakeClock;
	let thread: LimitedThread<string, string>;
	const logged: string[] = [];
	let nextLine = Promise.withResolvers<void>();

	suiteSetup(async () => {
		folder = await mkdtemp(join(tmpdir(), 'limited-thread-'));
		await writeFile(join(folder, 'program.mjs'), program);
	});
	suiteTeardown(() => rm(folder, { recursive: true }));
	setup(() => {
		logged.length = 0;
		nextLine = Promise.withResolvers();
		clock = fakeClock();
		const place = {
			programPath: join(folder, 'program.mjs'),
			clock,
			log: quietLog({
				error(message) {
					logged.push(message);
					nextLine.resolve();
				},
			}),
		};
		thread = limitedThread(place, 'mailAnswerer', 'The thread', { maxOldGenerationSizeMb: 64 });
	});
	teardown(() => thread.dispose());

	const ask = (question: string, wanted = signal): ReturnType<typeof thread.ask> =>
		thread.ask(question, limitMs, wanted);
	const answer = (text: string): object => ({ kind: 'answer', answer: text });

	for (const [question, why] of [
		['breakLater', 'broke at rest'],
		['leaveLater', 'it ended by itself'],
	] as const) {
		test(`is replaced after ${question}, with a log entry, and the next question gets an answer`, async () => {
			const channel = new BroadcastChannel(channelName);
			assert.deepEqual(await ask(question), answer(question));
			// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel between threads has no origin
			channel.postMessage(question);
			channel.close();
			await nextLine.promise;
			assert.deepEqual(await ask('again'), answer('again'));
			assert.deepEqual(logged, [`The thread failed: ${why}`]);
		}).timeout(60_000);
	}

	for (const [question, why] of [
		['break', 'broke at work'],
		['leave', 'it ended by itself'],
	] as const) {
		test(`fails only the question ${question} and answers the next one`, async () => {
			const broken = ask(question);
			const next = ask('next');
			assert.deepEqual([await broken, await next], [{ kind: 'failed' }, answer('next')]);
			assert.deepEqual(logged, [`The thread failed: ${why}`]);
		}).timeout(60_000);
	}

	test('times out and answers the next question', async () => {
		const slow = ask('hang');
		const next = ask('next');
		await new Promise(setImmediate);
		clock.advance(limitMs);
		assert.deepEqual([await slow, await next], [{ kind: 'tooSlow' }, answer('next')]);
		assert.deepEqual(logged, []);
	}).timeout(60_000);

	test('drops an aborted question and answers the next one', async () => {
		const giving = new AbortController();
		const unwanted = ask('hang', giving.signal);
		const next = ask('next');
		await new Promise(setImmediate);
		giving.abort(new Error('enough'));
		await assert.rejects(unwanted, { message: 'enough' });
		assert.deepEqual(await next, answer('next'));
		assert.deepEqual(logged, []);
	}).timeout(60_000);

	test('does not keep an idle process alive', async () => {
		const ending = new AbortController();
		const code = `
			import { limitedThread } from ${JSON.stringify(pathToFileURL(sourceFile).href)};
			const after = (ms, work) => {
				const timer = setTimeout(work, ms);
				return { dispose: () => clearTimeout(timer) };
			};
			const place = {
				programPath: ${JSON.stringify(join(folder, 'program.mjs'))},
				clock: { nowMs: Date.now, after },
				log: console,
			};
			const thread = limitedThread(place, 'mailAnswerer', 'The thread', { maxOldGenerationSizeMb: 64 });
			const { answer } = await thread.ask('a', 600_000, new AbortController().signal);
			console.log(answer);`;
		try {
			// In a file: threads would inherit a program from node’s command line.
			const program = join(folder, 'process.mjs');
			await writeFile(program, code);
			const { stdout } = await run(process.execPath, [program], { signal: ending.signal });
			assert.equal(stdout, 'a\n');
		} finally {
			ending.abort();
		}
	});

	test('fails all questions after disposal', async () => {
		const given = ask('hang');
		await new Promise(setImmediate);
		thread.dispose();
		assert.deepEqual([await given, await ask('next')], [{ kind: 'failed' }, { kind: 'failed' }]);
		assert.deepEqual(logged, []);
	}).timeout(60_000);
});
