import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { AppliedFact } from '../../../../../src/features/lists/checks/appliedCommits.ts';
import type { ApplyContext } from '../../../../../src/features/patches/apply/savedApplied.ts';
import type { CommentThreads } from '../../../../../src/features/review/comments/commentThreads.ts';
import type { TypedComments } from '../../../../../src/features/review/reply/commentBoxes.ts';
import { eventually } from '../../../../support/eventually.ts';
import { fake } from '../../../../support/fake.ts';
import { fakeConnection, fakeConnections } from '../../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../../support/fakeForge.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { fakeMailDrafts } from '../../../../support/fakeMailDrafts.ts';
import { fakeMailer } from '../../../../support/fakeMailer.ts';
import { thanksName } from '../../../../../src/store/drafts/drafts.ts';
import { keptInMemory } from '../../../../support/keptInMemory.ts';
import { makeTicket, makeTracker, makeUser } from '../../../../support/makeTicket.ts';
import { patchsetWorld } from '../../../../support/patchsetWorld.ts';
import { commands, resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { finishApplied } = await import('../../../../../src/features/patches/apply/finishApplied.ts');
const { appliedCommits, appliedSentences } = await import('../../../../../src/features/lists/checks/appliedCommits.ts');
const { replyFeature } = await import('../../../../../src/features/review/reply/replyFeature.ts');
const { draftUri } = await import('../../../../../src/features/tickets/drafts/draftUri.ts');

const never = new AbortController().signal;
const [setApplied, resolve, thank] = ['Set Status to Applied', 'Resolve ~alice/lantern#121 as Fixed', 'Send Thanks'];
const [one, two] = ['1'.repeat(40), '2'.repeat(40)];

/** Patchset 2 with two of its three patches pushed, and tickets of two owners named by them. */
async function situation() {
	const { api, world, ref } = patchsetWorld();
	world.mails.forEach((mail, at, all) => {
		all[at] = { ...mail, envelope: `List-Post: <mailto:~alice/devel@lists.forge.test>\r\n${mail.envelope}` };
	});
	const trackers = fakeTrackers();
	const named = (owner: string, id: number) =>
		makeTicket({ id, title: 'Folds are slow', tracker: makeTracker({ owner: makeUser(owner), name: 'lantern' }) });
	trackers.world.trackers.push(
		makeTracker({ name: 'lantern' }),
		makeTracker({ owner: makeUser('eve'), name: 'lantern' }),
	);
	trackers.world.tickets.set('~alice/lantern', [named('alice', 121)]);
	trackers.world.tickets.set('~eve/lantern', [named('eve', 5)]);
	const ticketSide = fakeConnection(trackers.api);
	const connection = { ...listConnection(api), tickets: ticketSide.tickets, writes: ticketSide.writes };
	const parts = listsParts(fakeConnections(connection));
	const mailer = fakeMailer();
	const mailDrafts = fakeMailDrafts(parts.drafts);
	const replies = replyFeature(
		{ ...parts, mailer, mailDrafts },
		fake<CommentThreads>({}),
		fake<TypedComments>({ added: () => undefined, editEnded: () => undefined }),
	);
	const about = { kind: 'mail', connectionKey: connection.key, ref: ref.list, answers: 20, name: thanksName } as const;
	const send = async (): Promise<void> => replies.commands['forge.lists.sendMail']?.(draftUri(about), never, []);
	const subject = { kind: 'patchset', connectionKey: connection.key, ref } as const;
	const fact: AppliedFact = {
		subject,
		branch: 'main',
		commits: [
			{ id: one, subject: 'fold: find in a tree', index: 1 },
			{ id: two, subject: 'fold: a long line', index: 3 },
		],
		leftOut: [2],
		tickets: [
			{ tracker: { owner: '~alice', name: 'lantern' }, id: 121, trailer: 'Fixes' },
			{ tracker: { owner: '~eve', name: 'lantern' }, id: 5, trailer: 'Closes' },
		],
		appliedMs: Date.UTC(2026, 2, 1),
		pushed: {
			remote: 'origin',
			branch: 'main',
			address: 'git@git.forge.test:~alice/lantern',
			repository: { owner: '~alice', name: 'lantern' },
			atMs: Date.UTC(2026, 2, 1),
		},
		thanks: undefined,
	};
	await parts.appliedCommits.put(fact);
	const context = fake<ApplyContext>({ ...parts, mailer, mailDrafts });
	// Commands show their errors and never throw.
	commands.registerCommand('forge.lists.sendMail', () => send().catch(() => undefined));
	return {
		world,
		tickets: trackers.world,
		mailer,
		mailDrafts,
		about,
		send,
		subject,
		facts: parts.appliedCommits,
		fact,
		status: () => world.patchsets.get('~alice/devel')?.find(({ id }) => id === ref.id)?.status,
		writes: () => [...world.calls, ...trackers.world.calls].filter((call) => /^(?:status|update)/.test(call)),
		finish: (head: string, ...answers: readonly string[]) => {
			stubbed.answers.push(...answers);
			return finishApplied(context, subject, head, never);
		},
	};
}

suite('what is left to do after a push', () => {
	setup(resetStub);

	test('is one list with the target of each part, and a ticket of someone else starts unchecked', async () => {
		const { finish } = await situation();
		await finish('Pushed to main (origin).', '\n');
		assert.deepEqual(stubbed.asked, ['Choose what to do for "fold: ⟨U+202E⟩tsrif⟨U+202C⟩ open"']);
		assert.equal(stubbed.hints.at(-1), 'Pushed to main (origin).');
		assert.deepEqual(
			stubbed.offered.map(({ label, description, picked }) => [label, description, picked]),
			[
				['After the push', undefined, undefined],
				[setApplied, 'fold: ⟨U+202E⟩tsrif⟨U+202C⟩ open', true],
				[resolve, 'Folds are slow', true],
				['Resolve ~eve/lantern#5 as Closed', 'Folds are slow', false],
				[thank, 'Mallory <mallory@elsewhere.test>', true],
			],
		);
	});

	test('sets the status, resolves the ticket and sends the thanks, each once', async () => {
		const { finish, status, writes, mailer, facts, subject, tickets } = await situation();
		const changed: unknown[] = [];
		facts.onDidChange((each) => changed.push(each));
		await finish('', [setApplied, resolve, thank].join('\n'), 'Send');
		assert.equal(stubbed.hints[0], 'Pushed to main (origin).');
		assert.equal(stubbed.shown.at(-1), `Done: ${[setApplied, resolve, thank].join(', ')}.`);
		assert.equal(status(), 'applied');
		assert.deepEqual(
			tickets.tickets.get('~alice/lantern')?.map((ticket) => [ticket.status, ticket.resolution]),
			[['resolved', 'fixed']],
		);
		const [mail] = mailer.sent;
		assert.deepEqual(
			[mail?.to, mail?.cc],
			[['~alice/devel@lists.forge.test'], ['=?UTF-8?B?c2VjdXJpdHlAZm9yZ2UudGVzdA==?= <mallory@elsewhere.test>']],
		);
		assert.match(
			mail?.source ?? '',
			new RegExp(
				[
					'> Folds nest as deep as you like, see .*',
					'> \\[\\.\\.\\.\\]',
					'',
					'Applied to main, thanks!',
					'',
					'  \\[1/4\\] fold: find in a tree',
					`        https://git\\.forge\\.test/~alice/lantern/commit/${one}`,
					'  \\[3/4\\] fold: a long line',
					`        https://git\\.forge\\.test/~alice/lantern/commit/${two}`,
					'',
					'Not applied:',
					'',
					'  \\[2/4\\] fold: move the header',
					'',
					'Alice Archer',
				].join('\r?\n'),
			),
		);
		const before = writes();
		assert.equal(before.length, 2, before.join());
		assert.ok(facts.of(subject)?.thanks?.sentMs !== undefined && changed.length > 0);
		await finish('', '\n');
		assert.deepEqual(
			stubbed.offered.slice(1).map(({ label }) => label),
			['Resolve ~eve/lantern#5 as Closed'],
		);
		assert.deepEqual([writes(), mailer.sent.length], [before, 1]);
	});

	test('reports a failed part beside the others, and offers only this one again', async () => {
		const { finish, world, mailer, status, writes } = await situation();
		world.before = (call) => {
			if (call.startsWith('status')) {
				throw new ForgeError({ kind: 'notAllowed' });
			}
		};
		await finish('Pushed to main (origin).', [setApplied, resolve, thank].join('\n'), 'Send', 'Try Again…');
		assert.match(
			stubbed.shown.at(-1) ?? '',
			/^Pushed to main \(origin\)\. Done: Resolve ~alice\/lantern#121 as Fixed, Send Thanks\. Not done: Set Status to Applied: /,
		);
		await eventually(async () => stubbed.executed, ['forge.patchsets.finishApplied']);
		assert.equal(mailer.sent.length, 1);
		world.before = () => undefined;
		await finish('', setApplied);
		assert.equal(status(), 'applied');
		assert.equal(writes().filter((call) => call.startsWith('update')).length, 1);
	});

	test('keeps the thanks as a draft if the user does not send them, and notes it when they are sent later', async () => {
		const { finish, mailDrafts, mailer, facts, subject, about, send } = await situation();
		await finish('', thank);
		assert.equal(stubbed.shown.at(-1), 'Not done: Send Thanks: The draft is open. Send it when it is ready.');
		assert.deepEqual(stubbed.buttons.at(-1), ['Finish…']);
		assert.deepEqual(
			[mailDrafts.opened, mailer.sent, facts.of(subject)?.thanks],
			[[about], [], { to: 20, sentMs: undefined }],
		);
		mailDrafts.type(about, `${mailDrafts.textOf(about)}PS: Well done.\n`);
		stubbed.answers.push('Send');
		await send();
		assert.match(mailer.sent[0]?.source ?? '', /PS: Well done\./);
		assert.ok(facts.of(subject)?.thanks?.sentMs !== undefined);
	});

	test('leaves alone what the forge or another window did since the list was shown', async () => {
		const { finish, world, tickets, writes } = await situation();
		const answer = Promise.withResolvers<string>();
		stubbed.laterPicks.push(answer.promise);
		const finishing = finish('');
		const all = world.patchsets.get('~alice/devel') ?? [];
		await new Promise((done) => setImmediate(done));
		world.patchsets.set(
			'~alice/devel',
			all.map((each) => ({ ...each, status: 'applied' })),
		);
		const [ticket] = tickets.tickets.get('~alice/lantern') ?? [];
		tickets.tickets.set('~alice/lantern', ticket ? [{ ...ticket, status: 'resolved', resolution: 'fixed' }] : []);
		answer.resolve([setApplied, resolve].join('\n'));
		await finishing;
		assert.deepEqual(writes(), []);
	});

	test('needs a push, and closing the list after a push only postpones it', async () => {
		const { finish, facts, fact } = await situation();
		await finish('Pushed to main (origin).');
		assert.deepEqual([stubbed.shown.at(-1), stubbed.buttons.at(-1)], ['Pushed to main (origin).', ['Finish…']]);
		await assert.rejects(finish(''), isAbort);
		await facts.put({ ...fact, pushed: undefined });
		await assert.rejects(finish(''), isAbort);
		assert.equal(stubbed.shown.at(-1), 'This patchset was not pushed from here. Apply and push it first.');
	});

	test('is known in other windows, without damaged entries, until the user takes the patchset back', async () => {
		const { facts, fact, subject } = await situation();
		const place = keptInMemory();
		const other = appliedCommits(fakeConnections(), () => place);
		await other.put(fact);
		const again = appliedCommits(fakeConnections(), () => place);
		assert.deepEqual(again.of(subject), fact);
		const stored = String(place.read());
		await place.write(stored.replace('[', `[${stored.slice(1, -1).replace(one, '--output=x')},`));
		assert.deepEqual(again.of(subject), fact);
		await again.drop(subject);
		assert.equal(other.of(subject), undefined);
		assert.deepEqual(facts.of(subject), fact);
		assert.deepEqual(
			appliedSentences({ ...fact, thanks: { to: 20, sentMs: fact.appliedMs } }).map((text) =>
				text.replace(/ on .*\./, '.'),
			),
			['Applied to main as 2 commits.', 'Patches left out: 2.', 'Pushed to main (origin).', 'Thanks sent.'],
		);
	});
});
