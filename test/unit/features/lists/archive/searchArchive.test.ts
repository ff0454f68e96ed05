import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { MailSubject } from '../../../../../src/features/lists/subjects/subjects.ts';
import { largestArchiveBytes, listArchives } from '../../../../../src/store/lists/listArchives.ts';
import { eventually } from '../../../../support/eventually.ts';
import { fakeClock, type FakeClock } from '../../../../support/fakeClock.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { fakeLists, listConnection, type FakeListWorld } from '../../../../support/fakeLists.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { readerHere } from '../../../../support/mailStores.ts';
import { makeList, makeMail } from '../../../../support/makeMail.ts';
import { textsInMemory } from '../../../../support/textsInMemory.ts';
import { stubbedDocuments } from '../../../../support/stubbedDocuments.ts';
import { resetStub, stubbed, type StubbedBox } from '../../../../support/vscodeValues.ts';

const { archiveCommands } = await import('../../../../../src/features/lists/archive/searchArchive.ts');
const { mailFiles } = await import('../../../../../src/features/lists/mail/mailDocuments.ts');
const { archivedUri } = await import('../../../../../src/features/lists/mail/mailUri.ts');

const never = new AbortController().signal;
const devel = { owner: '~alice', name: 'devel' };
const row = { kind: 'list', connectionKey: 'sample-alice', ref: devel };
const dayMs = 86_400_000;

interface Mail {
	readonly subject: string;
	readonly text?: string;
	readonly from?: string;
	readonly answers?: string;
}

function envelope(at: number, { subject, text = 'Hello', from = 'Bob <bob@forge.test>', answers }: Mail): string {
	const inReply = answers === undefined ? '' : `In-Reply-To: <${answers}>\n`;
	return `From: ${from}\nSubject: ${subject}\nMessage-ID: <m${at}@forge.test>\n${inReply}Date: Thu, 05 Nov 2026 12:00:00 +0000\n\n${text}\n`;
}

const mails: readonly string[] = [
	envelope(1, { subject: 'Welcome' }),
	envelope(2, { subject: 'Re: Welcome', answers: 'm1@forge.test', text: 'It leaks memory' }),
	envelope(3, { subject: '[PATCH lamp] Mend the leak', from: 'Carol <carol@forge.test>', text: 'diff --git a/a b/a' }),
];

interface Desk {
	readonly world: FakeListWorld;
	readonly clock: FakeClock;
	readonly opened: MailSubject[];
	readonly run: (command: 'searchArchive' | 'removeArchive') => Promise<void>;
	/** The next opened box. */
	readonly nextBox: () => Promise<StubbedBox>;
	/** Requested days of each archive download. */
	readonly asked: (number | undefined)[];
	forge: 'there' | 'away' | 'tooMuch' | 'empty';
	/** The most days that fit into the size limit. */
	mostDays: number;
	readonly files: ReturnType<typeof mailFiles>;
}

function desk({ createdDaysAgo = 1000, hasArchives = true } = {}): Desk {
	const { world, api } = fakeLists();
	const clock = fakeClock();
	world.lists.push(makeList({ createdMs: clock.nowMs() - createdDaysAgo * dayMs }));
	world.mails.push(makeMail({ id: 12, messageId: '<m2@forge.test>' }));
	const bare = listConnection(api);
	const asked: (number | undefined)[] = [];
	const archives = listArchives(
		{
			list: (ref, signal) => api.list(ref, signal),
			async *archive(_, { sinceDays }) {
				asked.push(sinceDays);
				if (made.forge === 'away') {
					throw new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'lists.forge.test' });
				}
				if (made.forge === 'tooMuch' && (sinceDays ?? Infinity) > made.mostDays) {
					throw new ForgeError({ kind: 'tooLarge', limitBytes: largestArchiveBytes });
				}
				yield { bytes: 3_000_000, mails: made.forge === 'empty' ? [] : mails };
			},
		},
		readerHere,
		textsInMemory(),
		clock,
	);
	const connections = fakeConnections(hasArchives ? { ...bare, archives } : bare);
	const parts = listsParts(connections, clock);
	const opened: MailSubject[] = [];
	const commands = archiveCommands(parts, async (subject) => void opened.push(subject));
	let seen = 0;
	const made: Desk = {
		world,
		clock,
		opened,
		asked,
		forge: 'there',
		mostDays: 30,
		files: mailFiles(parts, never),
		run: async (command) => commands[`forge.lists.${command}`]?.(row, never, []),
		async nextBox() {
			await eventually(async () => stubbed.boxes.length > seen, true);
			const box = stubbed.boxes[seen];
			seen += 1;
			assert.ok(box);
			return box;
		},
	};
	return made;
}

/** Opens the search and searches for a text. */
async function searchFor(
	made: Desk,
	text: string,
): Promise<{ readonly rows: StubbedBox; readonly ended: Promise<void> }> {
	const ended = made.run('searchArchive');
	ended.catch(() => undefined);
	const box = await made.nextBox();
	box.type(text);
	await eventually(async () => box.items[0]?.description?.startsWith('messages: '), true);
	box.accept();
	return { rows: await made.nextBox(), ended };
}

function labels({ items }: StubbedBox): readonly string[] {
	return items.map(({ label }) => label);
}

suite('list archive search', () => {
	setup(() => resetStub());

	test('estimates the size, downloads the chosen range, and searches the text of all messages', async () => {
		const made = desk();
		stubbed.answers.push('All messages');
		const ended = made.run('searchArchive');
		const box = await made.nextBox();
		assert.deepEqual(
			stubbed.offered.map(({ label, description }) => [label, description]),
			[
				['All messages', 'about 100 MB; more than 50.3 MB is not downloaded'],
				['The last year', 'about 36.5 MB'],
				['The last 30 days', '3 MB'],
			],
		);
		assert.deepEqual(made.asked, [30, undefined]);
		assert.match(box.prompt, /^Messages: 3, updated less than a minute ago\./);
		box.type('leak');
		await eventually(async () => box.items[0]?.description, 'messages: 2 of 3');
		box.accept();
		const rows = await made.nextBox();
		assert.deepEqual(
			rows.items.map(({ label, description }) => [label, description]),
			[
				['[PATCH lamp] Mend the leak', 'Carol · 6d'],
				['Re: Welcome', 'Bob · 6d'],
			].map(([label, description]) => [label, description?.replace('6d', ageOf(made))]),
		);
		rows.accept('Re: Welcome');
		await ended;
		assert.deepEqual(made.opened, [
			{ kind: 'mail', connectionKey: 'sample-alice', list: devel, id: 12, messageId: '<m2@forge.test>' },
		]);
	});

	/** Age as rows show it. */
	function ageOf({ clock }: Desk): string {
		return `${Math.floor((clock.nowMs() - Date.UTC(2026, 10, 5, 12)) / dayMs)}d`;
	}

	test('keeps the last query, and downloads only newer messages', async () => {
		const made = desk();
		stubbed.answers.push('The last 30 days');
		const { rows } = await searchFor(made, 'is:reply');
		assert.match(
			stubbed.boxes[0]?.prompt ?? '',
			/^Messages since Oct 2\d, 2026: 3, updated less than a minute ago\. Words/,
		);
		assert.deepEqual(labels(rows), ['Re: Welcome']);
		rows.press('Back');
		const again = await made.nextBox();
		assert.equal(again.value, 'is:reply');
		again.hide();
		const ended = made.run('searchArchive');
		assert.equal((await made.nextBox()).value, 'is:reply');
		assert.deepEqual(made.asked, [30, 30]);
		stubbed.boxes.at(-1)?.hide();
		await assert.rejects(ended, { name: 'AbortError' });
		made.clock.advance(dayMs);
		const later = made.run('searchArchive');
		assert.match((await made.nextBox()).prompt, /: 3, updated less than a minute ago/);
		assert.deepEqual(made.asked, [30, 30, 2]);
		stubbed.boxes.at(-1)?.hide();
		await assert.rejects(later, { name: 'AbortError' });
	});

	test('finds patches, senders and prefixes, and explains terms that an archive cannot answer', async () => {
		const made = desk();
		stubbed.answers.push('All messages');
		const ended = made.run('searchArchive');
		ended.catch(() => undefined);
		const box = await made.nextBox();
		for (const [text, count] of [
			['is:patch', 1],
			['prefix:lamp from:carol', 1],
			['from:bob !is:reply', 1],
			['is:thread', 2],
		] as const) {
			box.type(text);
			await eventually(async () => box.items[0]?.description, `messages: ${count} of 3`);
		}
		for (const text of ['status:applied', 'is:unread', 'from:~bob']) {
			box.type(text);
			assert.match(box.prompt, /archive/, text);
			assert.equal(box.items[0]?.description, 'not in an archive', text);
		}
		box.type('');
		assert.deepEqual(
			labels(box).filter((label) => /status|unread/.test(label)),
			[],
		);
		assert.ok(labels(box).includes('is:request-pull') && labels(box).includes('from:'));
		box.hide();
		await assert.rejects(ended, { name: 'AbortError' });
	});

	test('works offline after the download, and opens messages from the archive', async () => {
		const made = desk();
		stubbed.answers.push('All messages');
		(await searchFor(made, 'memory')).rows.hide();
		made.clock.advance(3 * dayMs);
		made.forge = 'away';
		made.world.before = () =>
			Promise.reject(new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'lists.forge.test' }));
		const place = { connectionKey: 'sample-alice', list: devel, place: 1 };
		const uri = archivedUri(place, { subject: 'Re: Welcome', isPatch: false });
		stubbedDocuments.open.push({ uri, isDirty: false, getText: () => '', save: () => Promise.resolve(true) });
		const { rows, ended } = await searchFor(made, 'memory');
		assert.match(stubbed.boxes.at(-2)?.prompt ?? '', /updated 3 days ago/);
		rows.accept();
		await ended;
		assert.deepEqual([made.opened, stubbed.documents.length], [[], 1]);
		const text = new TextDecoder().decode(await made.files.readFile(uri));
		assert.match(text, /^From: Bob <bob@forge.test>\n/);
		assert.match(text, /Subject: Re: Welcome\n\nIt leaks memory\n$/);
		assert.ok(!text.includes('Account'));
	});

	test('asks for a new search to open a message of a removed archive', async () => {
		const made = desk();
		const uri = archivedUri({ connectionKey: 'sample-alice', list: devel, place: 7 }, { subject: 'x', isPatch: true });
		await assert.rejects(async () => made.files.readFile(uri), /Search it again/);
	});

	test('reports an archive that is too large, empty or unavailable', async () => {
		const made = desk();
		made.forge = 'tooMuch';
		stubbed.answers.push('All messages');
		await made.run('searchArchive');
		assert.match(stubbed.shown.at(-1) ?? '', /^The archive of devel is larger than 50\.3 MB\. Search fewer/);
		made.forge = 'empty';
		stubbed.answers.push('The last year');
		await made.run('searchArchive');
		assert.match(stubbed.shown.at(-1) ?? '', /sent no messages of devel/);
		await desk({ hasArchives: false }).run('searchArchive');
		assert.match(stubbed.shown.at(-1) ?? '', /no archives to download/);
	});

	test('offers as many days of a busy list as fit into the size limit', async () => {
		const made = desk();
		made.forge = 'tooMuch';
		made.mostDays = 7;
		stubbed.answers.push('The last 7 days');
		const ended = made.run('searchArchive');
		(await made.nextBox()).hide();
		await assert.rejects(ended, { name: 'AbortError' });
		assert.deepEqual(
			stubbed.offered.map(({ label, description }) => [label, description]),
			[
				['All messages', 'about 428.6 MB; more than 50.3 MB is not downloaded'],
				['The last year', 'about 156.4 MB; more than 50.3 MB is not downloaded'],
				['The last 7 days', '3 MB'],
			],
		);
		assert.deepEqual(made.asked, [30, 7, 7]);
		await made.run('removeArchive');
		made.mostDays = 1;
		await made.run('searchArchive');
		assert.match(
			stubbed.shown.at(-1) ?? '',
			/^The messages of devel from the last days alone are larger than 50\.3 MB/,
		);
	});

	test('offers no year for a young list, and removes the archive on request', async () => {
		const made = desk({ createdDaysAgo: 10 });
		stubbed.answers.push('All messages');
		(await searchFor(made, 'leak')).rows.hide();
		assert.deepEqual(
			stubbed.asked.filter((title) => title.startsWith('How much')),
			['How much of the archive of devel should be downloaded for searching?'],
		);
		await made.run('removeArchive');
		await made.run('removeArchive');
		assert.match(stubbed.shown.at(-1) ?? '', /No archive of devel/);
	});
});
