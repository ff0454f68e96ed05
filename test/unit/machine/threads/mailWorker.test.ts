import assert from 'node:assert/strict';
import { join } from 'node:path';
import { mailWorker } from '../../../../src/machine/threads/mailWorker.ts';
import { systemClock } from '../../../../src/app/accounts/systemClock.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import { largestMail } from 'patchmail/mail/largestMail.ts';
import type { MailReader } from 'patchmail/mail/mailReader.ts';
import { readMail as readHere } from 'patchmail/mail/readMail.ts';
import { cpuMsSince } from '../../../support/cpuTime.ts';
import { eventually } from '../../../support/eventually.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { turnsDuring } from '../../../support/turnsDuring.ts';
import { quietLog } from '../../../support/quietLog.ts';

const asUsual = { evenIfLarge: false } as const;
/** Too long for the main thread to join its lines. */
const flowed = `From: a@b.test\nContent-Type: text/plain; format=flowed\n\n${'flows \non\n'.repeat(4000)}`;
const withFile = `From: a@b.test\nContent-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n\nAP8K\n`;
const small = 'From: Bob <bob@forge.test>\n\nhello';
/** A parser needs minutes to turn this into text. */
const hostile = `From: a@b.test\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n--b\nContent-Type: text/html\n\n${'<a href="'.repeat(100_000)}`;

const limitMs = 60_000;

suite('mail worker', () => {
	let worker: (MailReader & Disposable) | undefined;
	/** Shared by tests that do not start or end a worker, because the parser loads slowly. */
	let shared: MailReader & Disposable;
	const logged: string[] = [];
	const made = (program: string, clock: Clock): MailReader & Disposable =>
		mailWorker(
			{
				programPath: join(import.meta.dirname, '../../../../src', program),
				clock,
				log: quietLog({ error: (message) => void logged.push(message) }),
			},
			limitMs,
			limitMs,
		);
	const started = (program = 'mailParser.ts', clock: Clock = systemClock): MailReader & Disposable =>
		(worker = made(program, clock));
	suiteSetup(() => void (shared = made('mailParser.ts', systemClock)));
	suiteTeardown(() => shared.dispose());
	setup(() => void (logged.length = 0));
	teardown(() => worker?.dispose());

	test('reads a common mail immediately, without the thread', async () => {
		const { readMail } = started('missing.ts');
		assert.equal((await readMail(small, asUsual)).kind, 'read');
		assert.deepEqual(logged, []);
	});

	test('reads all other mails one after another', async () => {
		const { readMail } = shared;
		const readings = await Promise.all([1, 2, 3].map((at) => readMail(other(`mail ${at}`), asUsual)));
		assert.deepEqual(readings, await Promise.all([1, 2, 3].map((at) => readHere(other(`mail ${at}`), asUsual))));
		assert.equal(readings[2]?.kind === 'read' && readings[2].mail.body, 'mail 3\n');
	}).timeout(60_000);

	test('may return different texts for people and for programs', async () => {
		const { readMail } = shared;
		const reading = await readMail(flowed, asUsual);
		assert.deepEqual(reading, await readHere(flowed, asUsual));
		assert.ok(reading.kind === 'read' && reading.mail.text !== reading.mail.body);
	}).timeout(60_000);

	test('returns attachments byte for byte, and undefined for a missing one', async () => {
		const { attachment } = shared;
		assert.deepEqual(await attachment(withFile, 0), new Uint8Array([0, 255, 10]));
		assert.equal(await attachment(withFile, 1), undefined);
		assert.equal(await attachment(small, 0), undefined);
	}).timeout(60_000);

	test('shows a slow mail as raw text after the time limit and reads the next one', async () => {
		const clock = fakeClock();
		const { readMail } = started('mailParser.ts', clock);
		// Loads the parser.
		await readMail(other('first'), asUsual);
		const slow = readMail(hostile, asUsual);
		const next = readMail(other('next'), asUsual);
		let isOver = false;
		void slow.then(() => (isOver = true));
		const before = process.cpuUsage();
		await eventually(async () => isOver || cpuMsSince(before) > 1000, true);
		assert.equal(isOver, false);
		clock.advance(limitMs);
		assert.deepEqual(await slow, { kind: 'raw', reason: 'tooSlow', text: hostile });
		assert.equal((await next).kind, 'read');
	}).timeout(60_000);

	test('shows an oversized mail as raw text, and normalizes its line ends in pieces', async () => {
		const { readMail } = started('missing.ts');
		for (const shift of [0, 1]) {
			const large = `${'x'.repeat(shift)}From: a@b.test\r\n\r\n${'0123456789abc\r\n'.repeat(300_000)}`;
			const turns = await turnsDuring(async () => {
				const reading = await readMail(large, asUsual);
				assert.deepEqual(reading, { kind: 'raw', reason: 'tooLarge', text: large.replaceAll('\r\n', '\n') });
			});
			assert.ok(turns >= 8, `${turns} turns`);
		}
	}).timeout(60_000);

	test('reads an oversized mail on request', async () => {
		const { readMail } = shared;
		const large = `From: a@b.test\nContent-Type: text/html\n\n${'0123456789abc\n'.repeat(80_000)}`;
		assert.ok(large.length > largestMail);
		const asked = await readMail(large, { evenIfLarge: true });
		// The thread has read it and found no plain text.
		assert.equal(asked.kind === 'raw' && asked.reason, 'noPlainText');
		assert.deepEqual(await readMail(large, asUsual), { kind: 'raw', reason: 'tooLarge', text: large });
	}).timeout(60_000);

	test('shows raw text and logs an error when the parser cannot be loaded', async () => {
		const { readMail, attachment } = started('missing.ts');
		const mail = other('x');
		assert.deepEqual(await readMail(mail, asUsual), { kind: 'raw', reason: 'unreadable', text: mail });
		assert.equal(logged.length, 1);
		assert.equal(await attachment(withFile, 0), undefined);
	}).timeout(60_000);

	test('gives up on pending mails on disposal and reads nothing afterwards', async () => {
		const reader = started();
		const reading = reader.readMail(hostile, asUsual);
		await new Promise(setImmediate);
		reader.dispose();
		assert.equal((await reading).kind, 'raw');
		assert.equal((await reader.readMail(other('x'), asUsual)).kind, 'raw');
	}).timeout(60_000);
});

/** A mail that needs the thread. */
function other(text: string): string {
	return `From: a@b.test\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n${text}\n--b--\n`;
}
