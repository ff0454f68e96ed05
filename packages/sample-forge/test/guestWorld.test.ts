import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Patchset } from '../src/lists/mailModel.ts';
import { headerOf } from '../src/mail/message.ts';
import type { startSampleForge, World } from '../src/sampleForge.ts';
import type { Ticket } from '../src/tickets/ticketModel.ts';
import { startGuestForge, type GuestForge, type Timers } from '../../../test/support/guestForge.ts';

const endMs = Date.UTC(2026, 10, 20, 12);

for (const dialect of ['field', 'document', 'graphql'] as const) {
	suite(`guest world (${dialect})`, function () {
		this.timeout(30_000);
		let guest: GuestForge;
		let forge: Awaited<ReturnType<typeof startSampleForge>>;
		let timers: Timers;
		let world: World;
		/** Events that reached the webhooks. */
		const told: string[] = [];

		suiteSetup(async () => {
			guest = await startGuestForge(dialect, endMs);
			({ forge, timers } = guest);
			world = forge.world;
			world.areas.todo.room.hooks.listen({ ticketUpdated: ({ number }) => void told.push(`#${number}`) });
			world.areas.lists.room.hooks.listen({
				received: ({ patchset }) => void (patchset !== null && told.push(`${patchset.subject} v${patchset.version}`)),
			});
		});

		suiteTeardown(async () => {
			await guest.stop();
		});

		const ask = async (user: string): Promise<number> => {
			const path = dialect === 'graphql' ? '/query' : '/api/user';
			const { status } = await fetch(`${forge.ready.areas.todo}${path}`, {
				method: dialect === 'graphql' ? 'POST' : 'GET',
				headers: { Authorization: `Bearer ${forge.ready.tokens[user] ?? ''}`, 'Content-Type': 'application/json' },
				...(dialect === 'graphql' ? { body: JSON.stringify({ query: '{ me { canonicalName } }' }) } : {}),
			});
			return status;
		};
		const ticket = (number: number): Ticket => {
			const found = world.areas.todo.room.store.trackers[0]?.tickets[number - 1];
			assert.ok(found);
			return found;
		};
		const patchsets = (): readonly Patchset[] => world.areas.lists.room.store.lists.flatMap((list) => list.patchsets);
		const lastVersion = (subject: string): Patchset | undefined =>
			patchsets()
				.filter((each) => each.subject === subject)
				.at(-1);

		test('is a small project', async () => {
			const { todo, git, lists } = world.areas;
			assert.deepEqual(
				todo.room.store.trackers.map(({ name, tickets }) => [name, tickets.length]),
				[['pebble', 25]],
			);
			const ofGuest = [18, 21].map((number) => ticket(number));
			assert.deepEqual(
				ofGuest.map(({ status, assignees }) => [status, assignees.map(({ name }) => name)]),
				[
					['confirmed', ['alice']],
					['reported', ['alice']],
				],
			);
			assert.deepEqual(
				lists.room.store.lists.map(({ name, emails }) => [name, emails.length]),
				[
					['pebble-announce', 3],
					['pebble-devel', 38],
				],
			);
			assert.deepEqual(
				patchsets().map(({ subject, version, status }) => [subject, version, status]),
				[
					['config: take settings from the environment', 1, 'rejected'],
					['listing: show the size of each file', 1, 'superseded'],
					['listing: show the size of each file', 2, 'approved'],
					['serve: answer range requests', 1, 'needs_revision'],
					['doc: list the exit codes', 1, 'applied'],
					['Compress text answers', 1, 'proposed'],
				],
			);
			assert.deepEqual(
				git.room.store.all.map(({ name }) => name),
				['pebble', 'pebble-site'],
			);
			const [repository] = git.room.store.all;
			assert.ok(repository);
			const output = await git.room.git.run([
				'--git-dir',
				join(git.room.root, repository.folder),
				'for-each-ref',
				'--format=%(refname)',
			]);
			assert.deepEqual(output.toString().trim().split('\n'), [
				'refs/heads/master',
				'refs/heads/tls',
				'refs/tags/v0.1.0',
				'refs/tags/v0.2.0',
				'refs/tags/v0.3.0',
			]);
		});

		test('starts no timer before the guest’s first request', async () => {
			assert.equal(await ask('bob'), 200);
			assert.equal(timers.waiting(), 0);
		});

		test('adds a mention, an assignment, a review request and a new version after the first visit', async () => {
			const before = patchsets().length;
			assert.equal(await ask('alice'), 200);
			timers.pass(3000);
			assert.equal(await ask('alice'), 200);
			timers.pass(3000);
			assert.equal(patchsets().length, before, 'the look is not over');
			timers.pass(1000);
			assert.match(ticket(24).events.at(-2)?.comment?.text ?? '', /~alice/);
			assert.deepEqual(ticket(24).events.at(-1)?.types, ['user_mentioned']);
			assert.deepEqual(
				ticket(22).assignees.map(({ name }) => name),
				['alice'],
			);
			const asked = lastVersion('log: add a JSON format');
			assert.match(headerOf(asked?.patches[0]?.message.headers ?? [], 'To') ?? '', /Alice Moreau <alice@forge\.test>/);
			assert.deepEqual([lastVersion('serve: answer range requests')?.version, patchsets().length], [2, before + 2]);
			assert.equal(await ask('alice'), 200);
			assert.equal(timers.waiting(), 1, 'only one version is to come');
		});

		test('answers only the first comment of the guest', () => {
			const { store, hooks } = world.areas.todo.room;
			const alice = world.areas.todo.room.context.users.byName('alice');
			assert.ok(alice);
			const comment = (number: number): void =>
				hooks.events(store.update(ticket(number), { kind: 'user', user: alice }, { comment: 'I agree.' }, endMs));
			comment(25);
			comment(20);
			const quiet = ticket(20).events.length;
			timers.pass(8000);
			const said = ticket(25).events.find(({ comment: answer }) => answer?.text.includes('That would work for me'));
			assert.deepEqual(said?.comment?.submitter, {
				kind: 'user',
				user: world.areas.todo.room.context.users.byName('grace'),
			});
			assert.equal(ticket(20).events.length, quiet);
		});

		test('answers the first mail of the guest in its thread', () => {
			const { room } = world.areas.lists;
			const patch = lastVersion('Compress text answers')?.patches[0];
			assert.ok(patch);
			const raw = [
				'From: Alice Moreau <alice@forge.test>',
				'To: ~alice/pebble-devel@lists.forge.test',
				`In-Reply-To: ${patch.messageId}`,
				'Message-ID: <review.1@forge.test>',
				'Subject: Re: [PATCH pebble 1/2] gzip',
				'',
				'Please add a test.',
				'',
			].join('\r\n');
			assert.equal(
				world.areas.lists.smtp?.deliver(['~alice/pebble-devel@lists.forge.test'], Buffer.from(raw), ''),
				undefined,
			);
			timers.pass(10_000);
			const answer = room.store.lists[1]?.emails.at(-1);
			assert.deepEqual([answer?.sender?.name, answer?.parent?.messageId], ['dave', '<review.1@forge.test>']);
			assert.match(answer?.message.text ?? '', /> Please add a test\.\n\nThanks for looking at it!/);
		});

		test('sends a second version a minute after the answer', () => {
			timers.pass(60_000);
			assert.deepEqual([lastVersion('Compress text answers')?.version, timers.waiting()], [2, 0]);
			assert.deepEqual(told, [
				'#24',
				'#22',
				'log: add a JSON format v1',
				'serve: answer range requests v2',
				'#25',
				'Compress text answers v2',
			]);
		});

		test('stops its timers at a reset', async () => {
			const fresh = await forge.reset();
			assert.equal(await ask('alice'), 200);
			assert.equal(timers.waiting(), 2);
			await forge.reset();
			assert.equal(timers.waiting(), 0);
			assert.notEqual(fresh, world);
		});
	});
}
