import assert from 'node:assert/strict';
import { existsSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { fakeClock } from '../../../../test/support/fakeClock.ts';
import { testMachine, type TestMachine } from '../../../../test/support/localMachine.ts';
import type { ArchiveReads } from '../../src/http/archiveReads.ts';
import { heldLists } from '../../src/local/heldLists.ts';
import { MailboxError, type AskIndex } from '../../src/local/mailSource.ts';
import { heldReads, problemOf } from '../../src/port/heldReads.ts';
import { mailboxSite } from '../../src/read/archivePlace.ts';
import { epochServer, localPlace, mail, mbox, never } from '../../../../test/support/localMailbox.ts';

const inboxUrl = 'https://archive.test/list/';
const dayMs = 86_400_000;
const facts = {
	url: inboxUrl,
	name: 'list',
	description: 'A list',
	addresses: ['list@archive.test'],
	listId: undefined,
	newsgroups: [],
	mirrors: [],
	repositories: [],
};

suite('lists on this machine', function () {
	this.timeout(60_000);
	let place: ReturnType<typeof localPlace>;
	let machine: TestMachine;
	let server: ReturnType<typeof epochServer>;
	let clock: ReturnType<typeof fakeClock>;
	let epoch: string | undefined;
	let requests: string[];
	let isTrusted: boolean;
	setup(() => {
		place = localPlace();
		machine = testMachine();
		server = epochServer(machine);
		clock = fakeClock();
		epoch = 'ssh://archive.test/list/0';
		requests = [];
		isTrusted = true;
	});
	teardown(async () => {
		await place.remove();
		machine.remove();
	});

	/** As a window does. */
	function opened(ask: AskIndex = place.ask) {
		const folder = join(place.folder, 'held');
		const epochOf = async (): Promise<string | undefined> => epoch;
		return heldLists({ folder, git: server.git, hasGit: () => isTrusted, ask }, epochOf, () => clock.nowMs());
	}

	/** An archive that counts its requests and fails. */
	function offline(): ArchiveReads {
		const failing = (name: string) => (): Promise<never> => {
			requests.push(name);
			return Promise.reject(new Error('offline'));
		};
		return {
			inboxes: failing('inboxes'),
			inbox: failing('inbox'),
			prefixes: failing('prefixes'),
			newest: failing('newest'),
			search: failing('search'),
			mail: failing('mail'),
			thread: failing('thread'),
			threads: failing('threads'),
		};
	}

	type Lists = ReturnType<typeof opened>;
	const open = (lists: Lists, path: string) => lists.openMailbox(path, () => undefined, never);

	const ownError = (own: string) => (error: unknown) =>
		isForgeError(error) && error.problem.kind === 'invalid' && error.problem.errors[0]?.own === own;

	async function subjects(reads: ArchiveReads, url: string, query = ''): Promise<readonly string[]> {
		const { rows } = await reads.search(url, { query, from: 0, rows: 50 }, never);
		return rows.map(({ subject }) => subject);
	}

	test('opens a mailbox as a list, also in the next window, with a name of its own', async () => {
		const [one, other] = ['a', 'b'].map((name) => join(place.folder, name, 'my list.mbox'));
		for (const path of [one ?? '', other ?? '']) {
			machine.script(place.folder, 'mkdir -p "$(dirname "$1")"', path);
			writeFileSync(path, mbox(mail(path === one ? 'one' : 'two')));
		}
		const lists = opened();
		const first = await open(lists, one ?? '');
		assert.equal(first.url, `${mailboxSite}my-list.mbox/`);
		const second = await open(lists, other ?? '');
		assert.equal((await open(lists, one ?? '')).url, first.url);
		const reads = heldReads(opened().all, offline(), clock);
		assert.deepEqual((await reads.inboxes(mailboxSite, never)).map(({ name }) => name).toSorted(), [
			'my-list.mbox',
			'my-list.mbox-2',
		]);
		assert.deepEqual(await subjects(reads, first.url), ['Subject of one']);
		assert.deepEqual(await subjects(reads, second.url), ['Subject of two']);
		assert.equal((await reads.inbox(second.url, never)).description, other);
		await assert.rejects(open(lists, join(place.folder, 'nothing')), { trouble: 'noMailbox' });
	});

	test('sees mails that come, and forgets a list without its file', async () => {
		const path = join(place.folder, 'list.mbox');
		writeFileSync(path, mbox(mail('one')));
		const lists = opened();
		const own = await open(lists, path);
		const reads = heldReads(lists.all, offline(), clock);
		assert.deepEqual(await subjects(reads, own.url), ['Subject of one']);
		writeFileSync(path, mbox(mail('one'), mail('two')));
		clock.advance(1);
		assert.deepEqual(await subjects(reads, own.url, 's:two'), ['Subject of two']);
		assert.equal((await reads.newest(own.url, never)).length, 2);
		assert.equal((await reads.mail(own.url, '<two@x>', 1_000_000, never)).mails.length, 1);
		assert.equal((await reads.thread(own.url, '<one@x>', 1_000_000, never)).mails.length, 1);
		await assert.rejects(reads.mail(own.url, '<none@x>', 1_000_000, never), (error) => isForgeError(error));
		await lists.remove(own.url);
		assert.deepEqual(await lists.all(), []);
		assert.deepEqual(readdirSync(join(place.folder, 'held')), []);
		assert.ok(existsSync(path));
		await assert.rejects(subjects(reads, own.url), (error) => isForgeError(error) && error.problem.kind === 'notFound');
	});

	test('shows the mails that were read so far, while the rest is read', async () => {
		const path = join(place.folder, 'list.mbox');
		writeFileSync(path, mbox(mail('first')));
		const gate = Promise.withResolvers<void>();
		let steps = 0;
		const lists = opened(async (question, signal) => {
			if (question.kind === 'step' && question.added.length > 0) {
				steps += 1;
				// The first step was that of the opening.
				if (steps === 3) {
					clock.advance(500);
					await gate.promise;
				}
			}
			return await place.ask(question, signal);
		});
		const own = await open(lists, path);
		writeFileSync(path, mbox(mail('first'), ...Array.from({ length: 300 }, (_, at) => mail(`m${at}`))));
		const reads = heldReads(lists.all, offline(), clock);
		const all = { query: '', from: 0, rows: 500 };
		assert.equal((await reads.search(own.url, all, never)).rows.length, 128);
		gate.resolve();
		assert.equal((await reads.search(own.url, all, never)).rows.length, 301);
	});

	test('tells of a mailbox that is away, and of an index that fails', async () => {
		const path = join(place.folder, 'list.mbox');
		writeFileSync(path, mbox(mail('one')));
		const own = await open(opened(), path);
		const reads = heldReads(opened().all, offline(), clock);
		renameSync(path, `${path}.away`);
		await assert.rejects(subjects(reads, own.url), ownError('mailboxMissing'));
		renameSync(`${path}.away`, path);
		assert.deepEqual(await subjects(reads, own.url), ['Subject of one']);
		for (const [trouble, text] of [
			['unsupported', 'noMailIndex'],
			['disk', 'diskFails'],
			['failed', 'mailIndexFails'],
		] as const) {
			const failing = heldReads(opened(async () => ({ kind: 'trouble', trouble })).all, offline(), clock);
			await assert.rejects(subjects(failing, own.url), ownError(text));
		}
		assert.ok(ownError('mailIndexFails')(problemOf(new MailboxError('lost'), 'x')));
	});

	test('asks the archive each question about another list, and none about a mailbox', async () => {
		const path = join(place.folder, 'list.mbox');
		writeFileSync(path, mbox(mail('one')));
		const lists = opened();
		const own = await open(lists, path);
		const reads = heldReads(lists.all, offline(), clock);
		const other = 'https://other.test/list/';
		const all = { query: '', from: 0, rows: 5 };
		const questions = [
			(url: string) => reads.inbox(url, never),
			(url: string) => reads.prefixes(url, never),
			(url: string) => reads.newest(url, never),
			(url: string) => reads.search(url, all, never),
			(url: string) => reads.mail(url, '<none@x>', 100, never),
			(url: string) => reads.thread(url, '<none@x>', 100, never),
		];
		const names = ['inbox', 'prefixes', 'newest', 'search', 'mail', 'thread'];
		for (const [at, ask] of questions.entries()) {
			await assert.rejects(ask(other), { message: 'offline' });
			assert.deepEqual(requests, names.slice(0, at + 1));
		}
		requests.length = 0;
		assert.equal((await reads.inboxes(mailboxSite, never)).length, 1);
		for (const ask of questions.slice(4)) {
			await assert.rejects(ask(own.url), (error) => {
				assert.ok(isForgeError(error));
				return error.problem.kind === 'notFound' && error.about === own.url && error.isUnsent;
			});
		}
		const gone = `${mailboxSite}gone/`;
		for (const ask of questions) {
			await assert.rejects(ask(gone), (error) => isForgeError(error) && error.about === gone);
		}
		assert.deepEqual(requests, []);
		// A mail that is too large is not missing.
		assert.equal((await reads.mail(own.url, '<one@x>', 1, never)).isCut, true);
		assert.equal((await reads.thread(own.url, '<one@x>', 1, never)).isCut, true);
		assert.deepEqual(await heldReads(async () => [], offline(), clock).inboxes(mailboxSite, never), []);
	});

	test('names the mailbox that fails', () => {
		for (const trouble of ['noMailbox', 'unsupported', 'disk', 'lost', 'failed'] as const) {
			const { problem } = problemOf(new MailboxError(trouble), '/mails');
			assert.ok(problem.kind === 'invalid');
			assert.deepEqual(
				problem.errors.map(({ field, about }) => [field, about]),
				[['mailbox', '/mails']],
			);
		}
	});

	async function kept(...ids: readonly string[]) {
		server.commit(
			'0',
			ids.map((id) => ['m', mail(id)]),
		);
		const lists = opened();
		const progress: number[] = [];
		await lists.keep(facts, { depth: undefined, mostMebibytes: 10 }, (mails) => progress.push(mails), never);
		assert.equal(progress.at(-1), ids.length);
		return lists;
	}

	test('answers for a kept list without a request, and asks the archive for all others', async () => {
		const lists = await kept('one', 'two');
		const reads = heldReads(lists.all, offline(), clock);
		assert.deepEqual(await subjects(reads, inboxUrl), ['Subject of two', 'Subject of one']);
		assert.deepEqual(await reads.inbox(inboxUrl, never), facts);
		assert.ok((await reads.prefixes(inboxUrl, never)).some(({ name }) => name === 'dfn'));
		assert.equal((await reads.thread(inboxUrl, 'one@x', 1_000_000, never)).mails.length, 1);
		assert.equal((await reads.newest(inboxUrl, never)).length, 2);
		assert.deepEqual(requests, []);
		// It may name more lists than are kept.
		const names = await reads.inboxes('https://archive.test/', never);
		assert.deepEqual(
			names.map(({ name }) => name),
			['list'],
		);
		await assert.rejects(reads.inboxes('https://other.test/', never), { message: 'offline' });
		await assert.rejects(subjects(reads, 'https://archive.test/other/'), { message: 'offline' });
		// A mail of an earlier epoch.
		await assert.rejects(reads.mail(inboxUrl, '<none@x>', 1_000_000, never), { message: 'offline' });
		assert.deepEqual(requests, ['inboxes', 'inboxes', 'search', 'mail']);
	});

	test('asks the archive where git may not run', async () => {
		const lists = await kept('one');
		isTrusted = false;
		await assert.rejects(subjects(heldReads(lists.all, offline(), clock), inboxUrl), { message: 'offline' });
	});

	test('asks the archive for a thread that began before its mails, and has its part without the network', async () => {
		server.commit('0', [['m', mail('two', { 'In-Reply-To': '<one@x>' })]]);
		const lists = opened();
		await lists.keep(facts, { depth: 1, mostMebibytes: 10 }, () => undefined, never);
		const thread = (archive: ArchiveReads) =>
			heldReads(lists.all, archive, clock).thread(inboxUrl, '<two@x>', 1_000_000, never);
		assert.equal((await thread(offline())).mails.length, 1);
		assert.deepEqual(requests, ['thread']);
		const whole = { mails: [mail('one'), mail('two')], isCut: false };
		assert.equal((await thread({ ...offline(), thread: async () => whole })).mails.length, 2);
	});

	test('brings new mails, and follows the archive into its next epoch', async () => {
		const lists = await kept('one');
		const reads = heldReads(lists.all, offline(), clock);
		server.commit('0', [['m', mail('two')]]);
		server.commit('1', [['m', mail('three')]]);
		epoch = 'ssh://archive.test/list/1';
		await (await lists.at(inboxUrl))?.fetch?.(never);
		clock.advance(1);
		assert.deepEqual(await subjects(reads, inboxUrl), ['Subject of two', 'Subject of one']);
		for (const asked of [undefined, epoch]) {
			clock.advance(dayMs);
			epoch = asked;
			await (await lists.at(inboxUrl))?.fetch?.(never);
		}
		clock.advance(1);
		const all = ['Subject of three', 'Subject of two', 'Subject of one'];
		assert.deepEqual(await subjects(reads, inboxUrl), all);
		server.commit('1', [['m', mail('four')]]);
		assert.deepEqual(await subjects(heldReads(opened().all, offline(), clock), inboxUrl), ['Subject of four', ...all]);
	});

	test('keeps its mails when the archive begins an epoch, also the last ones of the epoch before', async () => {
		const lists = await kept('one');
		const reads = heldReads(lists.all, offline(), clock);
		server.commit('0', [['m', mail('two')]]);
		server.commit('1', [['m', mail('three')]]);
		epoch = 'ssh://archive.test/list/1';
		clock.advance(dayMs);
		assert.deepEqual(await subjects(reads, inboxUrl), ['Subject of three', 'Subject of two', 'Subject of one']);
	});

	test('looks for new mails while its list is looked at, and works on without the network', async () => {
		const lists = await kept('one');
		const reads = heldReads(lists.all, offline(), clock);
		server.commit('0', [['m', mail('two')]]);
		assert.deepEqual(await subjects(reads, inboxUrl), ['Subject of two', 'Subject of one']);
		server.commit('0', [['m', mail('three')]]);
		clock.advance(59_999);
		assert.equal((await subjects(reads, inboxUrl)).length, 2);
		clock.advance(1);
		assert.equal((await subjects(reads, inboxUrl)).length, 3);
		renameSync(server.folder, `${server.folder}.away`);
		clock.advance(60_000);
		assert.equal((await reads.newest(inboxUrl, never)).length, 3);
		renameSync(`${server.folder}.away`, server.folder);
		server.commit('0', [['m', mail('four')]]);
		clock.advance(1);
		assert.equal((await subjects(reads, inboxUrl)).length, 4);
		rmSync(server.folder, { recursive: true });
		clock.advance(60_000);
		assert.equal((await reads.newest(inboxUrl, never)).length, 4);
		await assert.rejects(lists.keep(facts, { depth: 1, mostMebibytes: 1 }, () => undefined, never));
		assert.equal((await lists.all()).length, 1);
	});

	test('does not answer from a list whose download was stopped, and finishes it later', async () => {
		server.commit('0', [['m', mail('one')]]);
		const lists = opened();
		const stop = new AbortController();
		const size = { depth: undefined, mostMebibytes: 10 };
		await assert.rejects(
			lists.keep(facts, size, () => stop.abort(new Error('enough')), stop.signal),
			{
				message: 'enough',
			},
		);
		assert.deepEqual(await lists.all(), []);
		await lists.keep(facts, size, () => undefined, never);
		assert.equal((await lists.all()).length, 1);
		await lists.remove(inboxUrl);
		assert.deepEqual(readdirSync(join(place.folder, 'held')), []);
	});

	test('removes a download that nobody finished for a week', async () => {
		server.commit('0', [['m', mail('one')]]);
		const lists = opened();
		const other = { ...facts, url: 'https://archive.test/other/' };
		const stop = new AbortController();
		const size = { depth: undefined, mostMebibytes: 10 };
		await assert.rejects(lists.keep(other, size, () => stop.abort(), stop.signal));
		const [left = ''] = readdirSync(join(place.folder, 'held'));
		await lists.keep(facts, size, () => undefined, never);
		assert.ok(existsSync(join(place.folder, 'held', left)));
		utimesSync(join(place.folder, 'held', left), 1, 1);
		await lists.keep(facts, size, () => undefined, never);
		assert.ok(!existsSync(join(place.folder, 'held', left)));
		rmSync(join(place.folder, 'held'), { recursive: true });
	});
});
