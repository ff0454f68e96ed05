import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { WantedArchive } from 'sourcehut/port/list.ts';
import { largestArchiveBytes, listArchives } from '../../../../src/store/lists/listArchives.ts';
import { fakeClock, type FakeClock } from '../../../support/fakeClock.ts';
import { readerHere } from '../../../support/mailStores.ts';
import { makeList } from '../../../support/makeMail.ts';
import { someTimeMs } from '../../../support/makeTicket.ts';
import { textsInMemory, type TextsInMemory } from '../../../support/textsInMemory.ts';

const never = new AbortController().signal;
const devel = { owner: '~alice', name: 'devel' };
const users = { owner: '~alice', name: 'users' };
const dayMs = 86_400_000;

function mail(at: number, text = 'Hello'): string {
	return `From: Bob <bob@forge.test>\nSubject: Mail ${at}\nMessage-ID: <m${at}@forge.test>\n\n${text}\n`;
}

interface Window {
	readonly archives: ReturnType<typeof listArchives>;
	readonly clock: FakeClock;
	readonly asked: WantedArchive[];
	/** The archive of the forge. */
	mails: readonly string[];
	/** Error after the messages, depending on the request. */
	failure: (wanted: WantedArchive) => Error | undefined;
}

function openWindow(disk: TextsInMemory | undefined, clock = fakeClock()): Window {
	const asked: WantedArchive[] = [];
	const made: Window = {
		clock,
		asked,
		mails: [mail(1), mail(2)],
		failure: () => undefined,
		archives: listArchives(
			{
				list: async () => makeList(),
				async *archive(_, wanted) {
					asked.push(wanted);
					let bytes = 0;
					for (const each of made.mails) {
						bytes += each.length;
						yield { bytes, mails: [each] };
					}
					const failure = made.failure(wanted);
					if (failure) {
						throw failure;
					}
				},
			},
			readerHere,
			disk,
			clock,
		),
	};
	return made;
}

const wish = { sinceDays: undefined, progressed: () => undefined };

async function subjects({ archives }: Window, list = devel): Promise<readonly string[] | undefined> {
	const mails = await archives.mails(list, never);
	return mails?.map(({ reading }) => (reading.kind === 'read' ? reading.mail.subject : reading.reason));
}

suite('list archives', () => {
	test('download once, and load in the next window without the forge', async () => {
		const disk = textsInMemory();
		const first = openWindow(disk);
		assert.equal(await first.archives.facts(devel), undefined);
		assert.equal(await subjects(first), undefined);
		const told: number[] = [];
		const facts = await first.archives.download(devel, { ...wish, progressed: (bytes) => told.push(bytes) }, never);
		const bytes = mail(1).length + mail(2).length;
		assert.deepEqual(facts, { readAtMs: first.clock.nowMs(), sinceMs: undefined, mails: 2, bytes });
		assert.deepEqual(told, [mail(1).length, bytes]);
		assert.deepEqual(await subjects(first), ['Mail 1', 'Mail 2']);
		const next = openWindow(disk);
		assert.deepEqual(await next.archives.facts(devel), facts);
		assert.deepEqual(await subjects(next), ['Mail 1', 'Mail 2']);
		assert.deepEqual([(await next.archives.mail(devel, 1))?.place, await next.archives.mail(devel, 2)], [1, undefined]);
		assert.deepEqual([first.asked.length, next.asked.length], [1, 0]);
		assert.equal(await next.archives.facts(users), undefined);
	});

	test('keep every byte of a message, even invalid UTF-8', async () => {
		const disk = textsInMemory();
		const window = openWindow(disk);
		const odd = mail(1, 'caf\udce9');
		window.mails = [odd];
		await window.archives.download(devel, wish, never);
		const [read] = (await openWindow(disk).archives.mails(devel, never)) ?? [];
		assert.equal(read?.envelope, odd);
	});

	test('with a lot of text are stored in several files, and are lost without one', async () => {
		const disk = textsInMemory();
		const window = openWindow(disk);
		window.mails = [1, 2, 3].map((at) => mail(at, 'x'.repeat(1_500_000)));
		await window.archives.download(devel, wish, never);
		assert.equal(disk.texts.size, 4);
		assert.deepEqual(
			(await openWindow(disk).archives.mails(devel, never))?.map(({ envelope }) => envelope),
			window.mails,
		);
		const second = [...disk.texts.keys()].find((name) => name.endsWith(' 1')) ?? '';
		assert.ok(disk.texts.delete(second));
		assert.equal(await openWindow(disk).archives.mails(devel, never), undefined);
	});

	test('get only newer messages, once each, with a request for the days since', async () => {
		const disk = textsInMemory();
		const window = openWindow(disk);
		await window.archives.download(devel, wish, never);
		window.clock.advance(2.5 * dayMs);
		window.mails = [mail(2), mail(3)];
		const facts = await window.archives.update(devel, never);
		assert.deepEqual(window.asked.at(-1), { sinceDays: 4, mostBytes: largestArchiveBytes });
		assert.deepEqual([facts?.mails, facts?.readAtMs], [3, window.clock.nowMs()]);
		assert.deepEqual(await subjects(window), ['Mail 1', 'Mail 2', 'Mail 3']);
		window.mails = [mail(4)];
		await window.archives.update(devel, never);
		assert.deepEqual(await subjects(openWindow(disk)), ['Mail 1', 'Mail 2', 'Mail 3', 'Mail 4']);
		assert.equal(await window.archives.update(users, never), undefined);
	});

	test('stay unchanged after a failed or cancelled download', async () => {
		const disk = textsInMemory();
		const window = openWindow(disk);
		const facts = await window.archives.download(devel, wish, never);
		window.mails = [mail(7)];
		const failure = new ForgeError({ kind: 'tooLarge', limitBytes: 1 });
		window.failure = () => failure;
		await assert.rejects(window.archives.download(devel, wish, never), failure);
		await assert.rejects(window.archives.update(devel, never), failure);
		window.failure = () => undefined;
		const ending = new AbortController();
		ending.abort();
		await assert.rejects(window.archives.download(devel, wish, ending.signal), isAbort);
		assert.deepEqual(await window.archives.facts(devel), facts);
		assert.deepEqual(await subjects(openWindow(disk)), ['Mail 1', 'Mail 2']);
	});

	test('know their date and the size of the last days', async () => {
		const window = openWindow(undefined);
		const sample = await window.archives.sample(devel, never);
		assert.deepEqual(sample, { days: 30, bytes: mail(1).length + mail(2).length, createdMs: someTimeMs });
		assert.deepEqual(window.asked, [{ sinceDays: 30, mostBytes: largestArchiveBytes }]);
		assert.equal(await subjects(window), undefined);
		const { sinceMs } = await window.archives.download(devel, { ...wish, sinceDays: 365 }, never);
		assert.equal(sinceMs, window.clock.nowMs() - 365 * dayMs);
	});

	test('shorten their sample if it is too large, down to two days', async () => {
		const window = openWindow(undefined);
		const tooLarge = new ForgeError({ kind: 'tooLarge', limitBytes: largestArchiveBytes });
		window.failure = ({ sinceDays = Infinity }) => (sinceDays > 7 ? tooLarge : undefined);
		assert.equal((await window.archives.sample(devel, never)).days, 7);
		window.failure = ({ sinceDays = Infinity }) => (sinceDays > 2 ? tooLarge : undefined);
		assert.equal((await window.archives.sample(devel, never)).days, 2);
		window.failure = () => tooLarge;
		await assert.rejects(window.archives.sample(devel, never), tooLarge);
		const days = window.asked.map(({ sinceDays }) => sinceDays);
		assert.deepEqual(days, [30, 7, 30, 7, 2, 30, 7, 2]);
		const broken = new ForgeError({ kind: 'serverError', status: 500 });
		window.failure = () => broken;
		await assert.rejects(window.archives.sample(devel, never), broken);
		assert.equal(window.asked.length, days.length + 1);
	});

	test('disappear from memory and disk when removed, and without a disk last as long as the window', async () => {
		const disk = textsInMemory();
		const window = openWindow(disk);
		await window.archives.download(devel, wish, never);
		window.archives.remove(devel);
		assert.deepEqual([await subjects(window), disk.texts.size], [undefined, 0]);
		const other = openWindow(undefined);
		await other.archives.download(devel, wish, never);
		other.clock.advance(dayMs);
		assert.deepEqual(await subjects(other), ['Mail 1', 'Mail 2']);
	});
});
