import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { LocalList, mailboxAt } from 'public-inbox/local/localList.ts';
import type { AskIndex } from 'public-inbox/local/mailSource.ts';
import { generatedMails, mailboxOfMails } from '../../../support/generatedMails.ts';
import { indexThread } from '../../../../src/machine/threads/indexThread.ts';
import { systemClock } from '../../../support/contractForge.ts';
import { quietLog } from '../../../support/quietLog.ts';

const never = new AbortController().signal;
const root = join(import.meta.dirname, '../../../..');

suite('thread of the indexes', function () {
	this.timeout(60_000);
	const mails = [...generatedMails(800, 5)];
	let folder: string;
	let thread: ReturnType<typeof started> | undefined;
	setup(() => {
		folder = mkdtempSync(join(tmpdir(), 'index-thread-'));
		writeFileSync(join(folder, 'mails.mbox'), mailboxOfMails(mails));
	});
	teardown(() => {
		thread?.dispose();
		thread = undefined;
		rmSync(folder, { recursive: true, force: true });
	});

	function started(limitMs: number) {
		const place = { programPath: join(root, 'src/mailParser.ts'), clock: systemClock, log: quietLog() };
		return indexThread(place, limitMs);
	}

	async function list(ask: AskIndex): Promise<LocalList> {
		return new LocalList(
			await mailboxAt(join(folder, 'mails.mbox'), Date.now),
			ask,
			join(folder, 'index.sqlite'),
			Date.now,
		);
	}

	test('loses nothing when it is killed in the middle, and works on', async () => {
		thread = started(60_000);
		const mailbox = await list(thread.ask);
		for (const most of [1, 300, 500]) {
			const stop = new AbortController();
			await assert.rejects(
				mailbox.refresh((count) => count >= most && stop.abort(), stop.signal),
				{ name: 'AbortError' },
			);
		}
		// Aborts a step that runs, not one that waits.
		const stop = new AbortController();
		const { ask } = thread;
		const stopping: AskIndex = (question, signal) => {
			const answer = ask(question, signal);
			if (question.kind === 'step' && question.added.length > 0) {
				setImmediate(() => stop.abort());
			}
			return answer;
		};
		await assert.rejects(
			(await list(stopping)).refresh(() => undefined, stop.signal),
			{ name: 'AbortError' },
		);
		await mailbox.refresh(() => undefined, never);
		const { total } = await mailbox.search({ query: '', from: 0, rows: 10 }, never);
		assert.equal(total, mails.length);
	});

	test('fails if it takes too long, and starts again', async () => {
		thread = started(1);
		await assert.rejects(
			(await list(thread.ask)).refresh(() => undefined, never),
			{ trouble: 'failed' },
		);
		thread.dispose();
		thread = started(60_000);
		const mailbox = await list(thread.ask);
		await mailbox.refresh(() => undefined, never);
		assert.equal((await mailbox.search({ query: '', from: 0, rows: 10 }, never)).total, mails.length);
	});

	test('prints no warning of Node, which calls its database experimental', async () => {
		const file = (path: string): string => JSON.stringify(pathToFileURL(join(root, path)).href);
		const warning = join(folder, 'warning.mjs');
		writeFileSync(
			warning,
			`export const indexAnswerer = () => () => new Promise((resolve) => {
				process.on('warning', () => setImmediate(resolve, { kind: 'done' }));
				process.emitWarning('experimental', 'ExperimentalWarning');
			});`,
		);
		const program = join(folder, 'program.mjs');
		writeFileSync(
			program,
			`const { indexThread } = await import(${file('src/machine/threads/indexThread.ts')});
			const { systemClock } = await import(${file('src/app/accounts/systemClock.ts')});
			const place = { programPath: ${JSON.stringify(warning)}, clock: systemClock, log: console };
			const { ask } = indexThread(place, 60_000);
			console.log(JSON.stringify(await ask({ kind: 'count', file: 'index' }, new AbortController().signal)));`,
		);
		const { stdout, stderr } = await promisify(execFile)(process.execPath, [program]);
		assert.deepEqual([stdout.trim(), stderr], ['{"kind":"done"}', '']);
	});
});
