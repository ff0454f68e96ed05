import assert from 'node:assert/strict';
import { join } from 'node:path';
import { mailWorker } from '../../../src/app/mailWorker.ts';
import { systemClock } from '../../../src/app/systemClock.ts';
import type { Disposable } from '../../../src/base/lifecycle.ts';
import type { MailReader } from '../../../src/features/lists/listsParts.ts';

const asUsual = { evenIfLarge: false } as const;
const small = 'From: Bob <bob@forge.test>\n\nhello';
/** Turning this into text takes a parser minutes. */
const hostile = `From: a@b.test\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n--b\nContent-Type: text/html\n\n${'<a href="'.repeat(100_000)}`;

suite('the thread that reads mails', () => {
	let worker: (MailReader & Disposable) | undefined;
	const logged: string[] = [];
	const started = (limitMs: number, program = 'mailParser.ts'): MailReader & Disposable => {
		worker = mailWorker({
			programPath: join(import.meta.dirname, '../../../src', program),
			limitMs,
			wholeLimitMs: limitMs,
			clock: systemClock,
			log: {
				debug: () => undefined,
				info: () => undefined,
				warn: () => undefined,
				error: (message) => void logged.push(message),
			},
		});
		return worker;
	};
	setup(() => void (logged.length = 0));
	teardown(() => worker?.dispose());

	test('mails are read one after another, each with its own answer', async () => {
		const { readMail } = started(60_000);
		const readings = await Promise.all([1, 2, 3].map((at) => readMail(`From: a@b.test\n\nmail ${at}`, asUsual)));
		assert.deepEqual(
			readings.map((reading) => reading.kind === 'read' && reading.mail.text.trim()),
			['mail 1', 'mail 2', 'mail 3'],
		);
	}).timeout(60_000);

	test('a mail that keeps the parser busy is given up and shown as it came, and the next one is read', async () => {
		const { readMail } = started(3000);
		const slow = readMail(hostile, asUsual);
		const next = readMail(small, asUsual);
		assert.deepEqual(await slow, { kind: 'raw', reason: 'tooSlow', text: hostile });
		assert.equal((await next).kind, 'read');
	}).timeout(60_000);

	test('where the reader cannot be loaded mails are shown as they came, and the log says so', async () => {
		const { readMail } = started(60_000, 'missing.ts');
		assert.deepEqual(await readMail(small, asUsual), { kind: 'raw', reason: 'unreadable', text: small });
		assert.equal(logged.length, 1);
	}).timeout(60_000);

	test('ending gives up what is being read, and nothing is read after it', async () => {
		const reader = started(60_000);
		const reading = reader.readMail(hostile, asUsual);
		await new Promise(setImmediate);
		reader.dispose();
		assert.equal((await reading).kind, 'raw');
		assert.equal((await reader.readMail(small, asUsual)).kind, 'raw');
	}).timeout(60_000);
});
