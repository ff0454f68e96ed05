import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import { fakeClock } from '../../../../test/support/fakeClock.ts';
import { localPlace, mail, mbox, never } from '../../../../test/support/localMailbox.ts';
import { testMachine, type TestMachine } from '../../../../test/support/localMachine.ts';
import type { ArchiveTransport } from '../../src/http/archiveTransport.ts';
import type { AskIndex } from '../../src/local/mailSource.ts';
import { MailboxError } from '../../src/local/mailSource.ts';
import { openArchives } from '../../src/port/archiveForge.ts';
import { mailboxSite } from '../../src/read/archivePlace.ts';

const site = 'https://archive.example/';

suite('archives as forges', function () {
	this.timeout(60_000);
	let place: ReturnType<typeof localPlace>;
	let machine: TestMachine;
	let asked: string[];
	setup(() => {
		place = localPlace();
		machine = testMachine();
		asked = [];
	});
	teardown(async () => {
		await place.remove();
		machine.remove();
	});

	/** Answers paths below the site with these texts. */
	function opened(pages: Readonly<Record<string, string>> = {}, ask: AskIndex = place.ask) {
		const clock = fakeClock();
		const transport: ArchiveTransport = async ({ path }) => {
			asked.push(path);
			const text = pages[path];
			return {
				status: text === undefined ? 404 : 200,
				header: () => '',
				chunks: (async function* () {
					yield Buffer.from(text ?? 'Not Found');
				})(),
				dispose: () => undefined,
			};
		};
		const hasty = {
			...clock,
			// Pauses between requests end at once, and limits never.
			after: (ms: number, work: () => void) => {
				if (ms <= 10_000) {
					clock.advance(ms);
					queueMicrotask(work);
				}
				return { dispose: () => undefined };
			},
		};
		const folder = join(place.folder, 'held');
		return openArchives(transport, hasty, () => ({}), { folder, git: machine.git, hasGit: () => true, ask });
	}

	function fails(kind: Problem['kind'], own?: string) {
		return (error: unknown): boolean => {
			assert.ok(isForgeError(error), String(error));
			const { problem } = error;
			assert.deepEqual([problem.kind, problem.kind === 'invalid' ? problem.errors[0]?.own : undefined], [kind, own]);
			return true;
		};
	}

	test('know their reader by the first address only, and nobody by name', async () => {
		const use = { inboxes: () => [], clock: fakeClock() };
		const forge = opened().forge(site, { ...use, ownAddresses: async () => ['ann@a.example', 'ann@b.example'] });
		const nobody = { canonicalName: '', name: '', url: undefined, location: undefined, bio: undefined };
		assert.equal(forge.me, '');
		assert.deepEqual(await forge.users.user('lists', undefined, never), { ...nobody, email: 'ann@a.example' });
		const unknown = opened().forge(site, { ...use, ownAddresses: async () => [] });
		assert.deepEqual(await unknown.users.user('lists', undefined, never), { ...nobody, email: undefined });
		await assert.rejects(forge.users.user('lists', '~bob', never), (error) => {
			assert.ok(isForgeError(error));
			return error.problem.kind === 'notFound' && error.isUnsent;
		});
		assert.deepEqual(asked, []);
	});

	test('find the kind of an address over the network', async () => {
		const config = '[publicinbox "devel"]\n\taddress = devel@a.example\n';
		const archives = opened({ '/devel/_/text/config/raw': config, '/devel/description': 'All of it\n' });
		assert.deepEqual(await archives.findPlace(`${site}devel/`, never), { kind: 'inbox', url: `${site}devel/` });
		await assert.rejects(archives.findPlace(`${site}none/`, never), fails('notFound'));
		const forge = archives.forge(site, { inboxes: () => [], ownAddresses: async () => [], clock: fakeClock() });
		const { description, address } = await forge.lists.list({ owner: 'archive.example', name: 'devel' }, never);
		assert.deepEqual([description, address], ['All of it', 'devel@a.example']);
	});

	test('have mailboxes of this machine as lists, without a request', async () => {
		const path = join(place.folder, 'own.mbox');
		writeFileSync(path, mbox(mail('one')));
		const archives = opened();
		let count = 0;
		const { url, name } = await archives.openMailbox(path, (mails) => (count = mails), never);
		assert.deepEqual([url, count], [`${mailboxSite}own.mbox/`, 1]);
		assert.deepEqual(
			(await archives.inboxesOf(mailboxSite, never)).map((inbox) => inbox.name),
			[name],
		);
		const forge = archives.forge(mailboxSite, {
			inboxes: () => [name],
			ownAddresses: async () => [],
			clock: fakeClock(),
		});
		const found = await forge.lists.email({ messageId: '<one@x>', list: undefined }, never);
		assert.equal(found.subject, 'Subject of one');
		assert.deepEqual(asked, []);
	});

	test('name mailboxes in any letters', async () => {
		const archives = opened();
		const names: string[] = [];
		for (const file of ['рассылка.mbox', '一覧', 'Liste für \u202eA&B', 'рассылка', '\u202e', 'РАССЫЛКА']) {
			const path = join(place.folder, file);
			writeFileSync(path, mbox(mail('one')));
			names.push((await archives.openMailbox(path, () => undefined, never)).name);
		}
		assert.deepEqual(names, ['рассылка.mbox', '一覧', 'Liste-für-A-B', 'рассылка', 'mailbox', 'РАССЫЛКА-2']);
		const inboxes = await archives.inboxesOf(mailboxSite, never);
		assert.deepEqual(inboxes.map(({ name }) => name).toSorted(), names.toSorted());
	});

	test('name the reason for a mailbox or a copy without an answer', async () => {
		const path = join(place.folder, 'own.mbox');
		writeFileSync(path, mbox(mail('one')));
		const full: AskIndex = () => Promise.reject(new MailboxError('disk'));
		const broken: AskIndex = () => Promise.reject(new RangeError('broken'));
		const open = (archives: ReturnType<typeof opened>, at: string) => archives.openMailbox(at, () => undefined, never);
		await assert.rejects(open(opened(), join(place.folder, 'none')), fails('invalid', 'mailboxMissing'));
		await assert.rejects(open(opened({}, full), path), fails('invalid', 'diskFails'));
		await assert.rejects(open(opened({}, broken), path), RangeError);
		const size = { depth: undefined, mostMebibytes: 1 };
		await assert.rejects(
			opened().keep(`${site}none/`, size, () => undefined, never),
			fails('notFound'),
		);
	});
});
