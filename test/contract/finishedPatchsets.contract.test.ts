import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sendMail } from 'hardened-git/sendMail.ts';
import type { ListsContext } from '../../src/features/lists/context/listsContext.ts';
import type { CommentThreads } from '../../src/features/review/comments/commentThreads.ts';
import type { TypedComments } from '../../src/features/review/reply/commentBoxes.ts';
import { allItems, protocolSuite, wanted } from '../support/contractForge.ts';
import { eventually } from '../support/eventually.ts';
import { fake } from '../support/fake.ts';
import { fakeConnection, fakeConnections } from '../support/fakeConnection.ts';
import { fakeGit, fakeRepository } from '../support/fakeGit.ts';
import { listConnection } from '../support/fakeLists.ts';
import { listsParts } from '../support/fakeListsParts.ts';
import { fakeMailDrafts } from '../support/fakeMailDrafts.ts';
import { testMachine, type TestMachine } from '../support/localMachine.ts';
import { commands, resetStub, stubbed } from '../support/vscodeValues.ts';

const { applyFeature } = await import('../../src/features/patches/apply/applyFeature.ts');
const { replyFeature } = await import('../../src/features/review/reply/replyFeature.ts');
const { draftUri } = await import('../../src/features/tickets/drafts/draftUri.ts');

const devel = { owner: '~alice', name: 'lantern-devel' };
const lantern = { owner: '~alice', name: 'lantern' };
const posting = '~alice/lantern-devel@lists.forge.test';

protocolSuite('a patchset from mail to thanks', {}, ({ forge }) => {
	let machine: TestMachine;
	setup(() => {
		resetStub();
		machine = testMachine();
		const { smtp } = forge().sample;
		assert.ok(smtp);
		for (const [name, value] of [
			['sendemail.smtpServer', smtp.host],
			['sendemail.smtpServerPort', String(smtp.port)],
			['sendemail.smtpDomain', 'alice.test'],
			['sendemail.confirm', 'never'],
			['user.name', 'Alice Archer'],
			['user.email', 'alice@forge.test'],
		] as const) {
			machine.plain(machine.home, 'config', '--global', name, value);
		}
	});
	teardown(() => machine.remove());

	test('has one change of status, one of its ticket and one message after apply, push and finish', async function () {
		this.timeout(120_000);
		const { sample, instance } = forge();
		const client = forge().as('alice');
		const remote = `${sample.areas.git}/ssh/~alice/lantern`;
		const withToken = remote.replace('://', `://git:${encodeURIComponent(sample.tokens.alice)}@`);
		machine.plain(machine.folder, 'clone', '-q', withToken, 'lantern');
		const root = join(machine.folder, 'lantern');
		const git = (...args: readonly string[]): string => machine.plain(root, ...args).trim();
		const base = git('rev-parse', 'HEAD');
		const branch = git('rev-parse', '--abbrev-ref', 'HEAD');
		const ticket = await client.trackers.submit(lantern, { title: 'The wick is short', description: '' }, wanted());
		for (const [at, trailer] of [`Fixes: ~alice/lantern#${ticket.id}`, 'References: ~alice/lantern#1'].entries()) {
			writeFileSync(join(root, `wick-${at}`), `${at}\n`);
			git('add', '-A');
			git('commit', '-q', '-m', `wick: longer by ${at}\n\nIt was short.\n\n${trailer}`);
		}
		git(
			'send-email',
			'--quiet',
			'--subject-prefix=PATCH lantern',
			'--from=Alice Archer <alice@forge.test>',
			`--to=${posting}`,
			`${base}..HEAD`,
		);
		git('reset', '-q', '--hard', base);

		const sent: string[] = [];
		const ticketSide = fakeConnection({
			...client.trackers,
			updateTicket(ref, wish, signal) {
				sent.push(`ticket ${ref.id}`);
				return client.trackers.updateTicket(ref, wish, signal);
			},
		});
		const connection = {
			...listConnection({
				...client.lists,
				setPatchsetStatus(ref, status, signal) {
					sent.push(`status ${status}`);
					return client.lists.setPatchsetStatus(ref, status, signal);
				},
			}),
			tickets: ticketSide.tickets,
			writes: ticketSide.writes,
			instance,
		};
		const { items } = await connection.lists.patchsets(devel).first(wanted());
		const patchset = items.find((each) => each.subject.startsWith('wick: longer by 0'));
		assert.ok(patchset);
		const ref = { list: devel, id: patchset.id };
		const subject = { kind: 'patchset', connectionKey: connection.key, ref } as const;

		const opened = fakeRepository(root);
		opened.head = { name: branch, commit: base, upstream: { remote: 'origin', name: branch } };
		opened.remotes.push({ name: 'origin', fetchUrl: remote });
		const parts = listsParts(fakeConnections(connection));
		const context: ListsContext = {
			...parts,
			git: machine.git,
			tempFolder: machine.home,
			findGit: fakeGit(opened),
			mailDrafts: fakeMailDrafts(parts.drafts),
			mailer: {
				isTrusted: () => true,
				identity: async () => ({ name: 'Alice Archer', address: 'alice@forge.test' }),
				send: (mail, _, signal) => {
					sent.push('mail');
					return sendMail({ git: machine.git, tempFolder: machine.folder, askPass: undefined }, mail, signal);
				},
			},
		};
		const applying = applyFeature(context);
		const replies = replyFeature(
			context,
			fake<CommentThreads>({}),
			fake<TypedComments>({ added: () => undefined, editEnded: () => undefined }),
		);
		const series = (await connection.reviews.read(ref, wanted())).series;
		const answers = series.patches[0]?.mail.id;
		const about = { kind: 'mail', connectionKey: connection.key, ref: devel, answers, name: 'thanks' } as const;
		const registered = commands.registerCommand('forge.lists.sendMail', async () =>
			replies.commands['forge.lists.sendMail']?.(draftUri(about), wanted(), []),
		);
		stubbed.answers.push(`Current Branch ${branch}`);
		await applying.commands['forge.patchsets.apply']?.(subject, wanted(), []);
		assert.match(stubbed.shown.at(-1) ?? '', /^Applied 2 patches of /);
		const chosen = ['Set Status to Applied', `Resolve ~alice/lantern#${ticket.id} as Fixed`, 'Send Thanks'];
		stubbed.answers.push('Another Branch…', `wick-${patchset.id}`, 'Push', 'git', sample.tokens.alice);
		stubbed.answers.push(chosen.join('\n'), 'Send');
		await applying.commands['forge.patchsets.push']?.({ folder: root }, wanted(), []);
		assert.equal(stubbed.shown.at(-1), `Pushed to wick-${patchset.id} (origin). Done: ${chosen.join(', ')}.`);
		assert.deepEqual(sent, ['status applied', `ticket ${ticket.id}`, 'mail']);

		const fresh = listConnection(forge().as('alice').lists);
		assert.equal((await fresh.lists.patchset(ref, wanted())).status, 'applied');
		const now = await client.trackers.ticket({ tracker: lantern, id: ticket.id }, wanted());
		assert.deepEqual([now.status, now.resolution], ['resolved', 'fixed']);
		const events = await allItems(client.trackers.events({ tracker: lantern, id: ticket.id }, wanted()));
		assert.equal(events.filter(({ newStatus }) => newStatus === 'resolved').length, 1);
		const thanks = async (): Promise<readonly string[]> =>
			(await listConnection(forge().as('alice').lists).reviews.read(ref, wanted())).mails.flatMap(
				({ parentId, reading }) =>
					parentId === answers && reading.kind === 'read' && reading.mail.text.includes('thanks!')
						? [reading.mail.text]
						: [],
			);
		await eventually(async () => (await thanks()).length, 1);
		const [text = ''] = await thanks();
		for (const id of git('rev-list', `${base}..HEAD`).split('\n')) {
			assert.ok(text.includes(id), text);
		}

		await applying.commands['forge.patchsets.finishApplied']?.(subject, wanted(), []);
		assert.match(stubbed.shown.at(-1) ?? '', /^Nothing is left to do for "wick: longer by 0"\.$/);
		assert.deepEqual([sent.length, (await thanks()).length], [3, 1]);
		registered.dispose();
		applying.dispose();
	});
});
