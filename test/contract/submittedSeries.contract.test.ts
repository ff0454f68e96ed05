import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { patchesOf } from '../../src/features/patches/submit/commitMails.ts';
import type { ListRef, Patchset } from 'sourcehut/port/list.ts';
import { sendMail } from 'hardened-git/sendMail.ts';
import { mailForGit } from 'patchmail/mail/outgoingMail.ts';
import type { ListsContext } from '../../src/features/lists/context/listsContext.ts';
import { sendWaiting } from 'patchmail/review/sending.ts';
import { outgoingSeries } from 'patchmail/series/outgoingSeries.ts';
import { ListStore } from '../../src/store/lists/listStore.ts';
import { sentBy } from '../../src/store/people/sentBy.ts';
import { protocolSuite, wanted } from '../support/contractForge.ts';
import { fake } from '../support/fake.ts';
import { keptNames } from '../support/fakeConnection.ts';
import { testMachine, type TestMachine } from '../support/localMachine.ts';
import { mailStores, readerHere } from '../support/mailStores.ts';
import { journalInMemory } from '../support/journalInMemory.ts';

const devel: ListRef = { owner: '~alice', name: 'lantern-devel' };
const alice = { name: 'Alice Ärcher', address: 'alice@forge.test' };
const posting = { name: '', address: '~alice/lantern-devel@lists.forge.test' };

protocolSuite('a submitted series', { firstIn: 'graphql' }, ({ forge }) => {
	let machine: TestMachine;
	let root: string;
	let base: string;
	const git = (...args: readonly string[]): string => machine.plain(root, ...args).trim();

	setup(() => {
		machine = testMachine();
		const { smtp } = forge().sample;
		assert.ok(smtp);
		for (const [name, value] of [
			['smtpServer', smtp.host],
			['smtpServerPort', String(smtp.port)],
			['smtpDomain', 'alice.test'],
		] as const) {
			machine.plain(machine.home, 'config', '--global', `sendemail.${name}`, value);
		}
		root = join(machine.folder, 'lantern');
		mkdirSync(root);
		git('init', '-q', '-b', 'main');
		base = commit('a', 'one\n', 'Begin');
		commit('a', 'one\ntwo é \n', 'Write two\n\nFrom here on.\n\nSigned-off-by: Älice <alice@forge.test>');
		commit('b', `.\n${'wide '.repeat(300)}\nFrom b\n`, 'Write b');
		// Bytes that servers and mail programs have changed before.
		commit('c', Buffer.from('dos\r\npage\f\nred \u001B[31m\ncaf\u00E9\n', 'latin1'), 'Write c');
	});
	teardown(() => machine.remove());

	function commit(name: string, content: string | Uint8Array, message: string): string {
		writeFileSync(join(root, name), content);
		git('add', '-A');
		git('commit', '-q', '-m', message);
		return git('rev-parse', 'HEAD');
	}

	async function send(tag: string, cover: string | undefined): Promise<void> {
		const made = { root, base, tip: git('rev-parse', 'HEAD'), tag, from: alice };
		const { patches } = await patchesOf(
			fake<ListsContext>({ git: machine.git, mailReader: readerHere }),
			made,
			true,
			wanted(),
		);
		const written = patches.flatMap(({ read }) => read?.patch ?? []);
		const messageIds = Array.from({ length: 4 }, (_, at) => `<${tag.replaceAll(' ', '-')}-${at}@alice.test>`);
		const mails = outgoingSeries(
			{
				...made,
				to: [posting],
				cc: [],
				cover: cover === undefined ? undefined : { subject: cover, body: 'For a reason.\n' },
				messageIds,
			},
			written,
		);
		const sent = await sendWaiting(
			mails.map(({ messageId }) => ({ messageId, progress: { kind: 'waiting' } as const })),
			{
				send: async (messageId, signal) => {
					const mail = mails.find((each) => each.messageId === messageId);
					const forGit = mail && mailForGit(mail);
					assert.ok(forGit);
					return await sendMail({ git: machine.git, tempFolder: machine.folder, askPass: undefined }, forGit, signal);
				},
				keep: async () => undefined,
			},
			wanted(),
		);
		assert.deepEqual(new Set(sent.map(({ progress }) => progress.kind)), new Set(['sent']));
	}

	async function own(): Promise<{ readonly lists: ListStore; readonly found: readonly Patchset[] }> {
		const lists = new ListStore({
			journal: journalInMemory(),
			api: forge().as('alice').lists,
			me: '~alice',
			followed: keptNames(),
		});
		const { items } = await lists.patchsets(devel).first(wanted());
		const isOwn = sentBy({ account: '~alice', address: alice.address, mails: [] });
		return { lists, found: items.filter((each) => isOwn(each) && each.subject.startsWith('Write')) };
	}

	test('sent by git is a patchset of its sender with the commits as patches; the next version is separate', async () => {
		await send('PATCH lantern', 'Write all of it');
		const first = await own();
		assert.deepEqual(
			first.found.map(({ subject, prefix, version }) => [subject, prefix, version]),
			[['Write all of it', 'lantern', 1]],
		);
		const [patchset] = first.found;
		assert.ok(patchset);
		const reviews = mailStores({ lists: first.lists, forge: forge().as('alice') }).reviews;
		const { series } = await reviews.read({ list: devel, id: patchset.id }, wanted());
		assert.deepEqual(
			[series.problems, series.patches.map(({ patch }) => patch.subject), series.patches[0]?.patch.baseCommit],
			[[], ['Write two', 'Write b', 'Write c'], base],
		);
		git('checkout', '-q', '-b', 'again', base);
		for (const { mail } of series.patches) {
			machine.feed(
				root,
				(await first.lists.mails.mail(mail.id, wanted())).envelope.replaceAll('\r\n', '\n'),
				'am',
				'-q',
			);
		}
		assert.equal(git('rev-parse', 'HEAD^{tree}'), git('rev-parse', 'main^{tree}'));
		assert.match(git('log', '-1', '--format=%B', 'HEAD~2'), /^Signed-off-by: Älice <alice@forge\.test>$/m);

		git('checkout', '-q', 'main');
		await send('PATCH lantern v2', 'Write all of it');
		assert.deepEqual(
			new Set((await own()).found.map(({ version }) => version)),
			new Set([1, 2]),
			'a thread of its own',
		);
	});
});
