import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { ticketLookups, type TicketLookups } from '../../../../../src/features/tickets/references/ticketLookups.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import type { TrackerApi } from 'sourcehut/port/forge.ts';
import { fakeConnection, fakeConnections, type FakeConnections } from '../../../../support/fakeConnection.ts';
import { fakeTrackers, type FakeTrackerWorld } from '../../../../support/fakeForge.ts';
import { hostileTexts } from '../../../../support/hostileTexts.ts';
import { makeTicket, makeTracker } from '../../../../support/makeTicket.ts';

const { ticketCard } = await import('../../../../../src/features/tickets/references/ticketCard.ts');

const never = new AbortController().signal;
const tracker = { owner: '~alice', name: 'alpha' };
const subject = (id: number) => ({ kind: 'ticket', connectionKey: 'sample-alice', ref: { tracker, id } }) as const;

interface Looking {
	readonly connections: FakeConnections;
	readonly api: TrackerApi;
	readonly world: FakeTrackerWorld;
	readonly clock: ReturnType<typeof fakeClock>;
	readonly looks: TicketLookups;
	/** Looks up a ticket, and lets the delay pass. */
	readonly look: (id: number) => ReturnType<TicketLookups['look']>;
}

function looking(): Looking {
	const { world, api } = fakeTrackers();
	world.trackers.push(makeTracker());
	world.tickets.set('~alice/alpha', [makeTicket({ id: 2, title: 'There' })]);
	const clock = fakeClock();
	const connections = fakeConnections(fakeConnection(api));
	const looks = ticketLookups(connections, clock);
	return {
		connections,
		api,
		world,
		clock,
		looks,
		look(id) {
			const answer = looks.look(subject(id), never);
			clock.advance(200);
			return answer;
		},
	};
}

suite('ticket lookup for a card', () => {
	test('requests an unknown ticket once, and a known one never', async () => {
		const { world, looks, look } = looking();
		assert.equal(looks.known(subject(2)), undefined);
		const first = await look(2);
		assert.equal(first?.kind === 'known' && first.ticket.title, 'There');
		await look(2);
		assert.equal(looks.known(subject(2))?.kind, 'known');
		assert.equal(world.calls.filter((call) => call.startsWith('ticket ')).length, 1);
	});

	test('requests nothing when the pointer moves on within a moment', async () => {
		const { world, looks } = looking();
		const moving = new AbortController();
		const answer = looks.look(subject(2), moving.signal);
		moving.abort();
		await assert.rejects(answer, { name: 'AbortError' });
		assert.deepEqual(world.calls, []);
	});

	test('reports a missing ticket, and does not request it again for a while', async () => {
		const { world, clock, look } = looking();
		assert.deepEqual(await look(9), { kind: 'missing' });
		const calls = world.calls.length;
		assert.deepEqual(await look(9), { kind: 'missing' });
		assert.equal(world.calls.length, calls);
		clock.advance(6 * 60_000);
		await look(9);
		assert.equal(world.calls.length, calls + 1);
	});

	test('returns nothing after a failure, and retries sooner', async () => {
		const { world, clock, look } = looking();
		world.before = () => {
			throw new ForgeError({ kind: 'serverError', status: 502 });
		};
		assert.equal(await look(2), undefined);
		assert.equal(await look(2), undefined);
		assert.equal(world.calls.length, 1);
		world.before = () => undefined;
		clock.advance(31_000);
		assert.equal((await look(2))?.kind, 'known');
	});

	test('requests a missing ticket again after a new sign-in', async () => {
		const { world, look, connections, api } = looking();
		assert.deepEqual(await look(9), { kind: 'missing' });
		world.tickets.get('~alice/alpha')?.push(makeTicket({ id: 9, title: 'There now' }));
		connections.replace(fakeConnection(api));
		const found = await look(9);
		assert.equal(found?.kind === 'known' && found.ticket.title, 'There now');
	});

	test('returns nothing for a removed account', async () => {
		const looks = ticketLookups(fakeConnections(), fakeClock());
		assert.equal(await looks.look(subject(2), never), undefined);
	});
});

suite('ticket card', () => {
	const nowMs = Date.UTC(2026, 10, 20, 12);

	test('shows reference, title, labels, submitter, update and age', () => {
		const ticket = makeTicket({ id: 2, title: 'A *bold* title', labels: ['bug', 'ui'] });
		const { value } = ticketCard(
			{ tracker, id: 2 },
			{ kind: 'known', ticket, checkedAtMs: nowMs - 12 * 60_000 },
			nowMs,
		);
		for (const part of [
			'\\~alice\\/alpha\\#2',
			'A \\*bold\\* title',
			'bug, ui',
			'Submitted by',
			'Updated',
			'Data from 12 minutes ago',
		]) {
			assert.ok(value.includes(part), `${part} in ${value}`);
		}
	});

	test('contains no command and no link, whatever strangers wrote', () => {
		for (const text of hostileTexts) {
			const ticket = makeTicket({
				title: text,
				labels: [text],
				submitter: { kind: 'email', address: text, name: text },
			});
			const card = ticketCard({ tracker, id: 2 }, { kind: 'known', ticket, checkedAtMs: nowMs }, nowMs);
			assert.equal(card.isTrusted, false);
			assert.equal(card.supportHtml, false);
			assert.equal(card.supportThemeIcons, false);
			assert.doesNotMatch(card.value, /(?<!\\)[[<]|\]\(|(?<!\\)`/, text);
		}
	});

	test('says that a missing ticket does not exist', () => {
		assert.match(ticketCard({ tracker, id: 9 }, { kind: 'missing' }, nowMs).value, /This ticket doesn't exist/);
	});
});
