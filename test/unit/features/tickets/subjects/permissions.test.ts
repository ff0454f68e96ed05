import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Tellable } from '../../../../../src/features/tickets/page/pageState.ts';
import type { Permissions } from 'sourcehut/port/tracker.ts';
import type { Ticket } from 'sourcehut/port/ticket.ts';
import type { Refusals } from '../../../../../src/features/tickets/subjects/permissions.ts';
import type { HeadView, Possibility } from '../../../../../src/pages/protocol/ticketProtocol.ts';
import { fake } from '../../../../support/fake.ts';
import { fakeConnection } from '../../../../support/fakeConnection.ts';
import { withAssigning } from '../../../../support/fakeAssigning.ts';
import type { TreeContext } from '../../../../../src/features/tickets/tree/treeContext.ts';
import type { TreeNode } from '../../../../../src/editor/trees/treeNode.ts';
import { standFor } from '../../../../support/standFor.ts';
import { withEditing } from '../../../../support/fakeEditing.ts';
import { fakeTrackers } from '../../../../support/fakeForge.ts';
import { makeParticipant, makeTicket, makeTracker, makeUser } from '../../../../support/makeTicket.ts';

const { noRefusals, possibility, ticketRights } =
	await import('../../../../../src/features/tickets/subjects/permissions.ts');
const { shownRow } = await import('../../../../../src/features/tickets/tree/ticketRows.ts');
const { headView } = await import('../../../../../src/features/tickets/page/pageState.ts');

const bobs = makeTracker({ owner: makeUser('bob'), name: 'beta' });
const told: Permissions = { anonymous: ['browse'], submitter: ['browse', 'triage'], user: ['browse', 'comment'] };

async function triage(change: Partial<Ticket>, defaults?: Permissions): Promise<Possibility> {
	const { world, api } = fakeTrackers();
	const tracker = { ...bobs, defaultPermissions: defaults };
	world.trackers.push(tracker);
	const connection = fakeConnection(api);
	await connection.tickets.tracker({ owner: '~bob', name: 'beta' }, new AbortController().signal);
	return possibility('triage', connection, makeTicket({ tracker, ...change }), noRefusals);
}

suite('permissions on a ticket', () => {
	test('an owner may do everything', async () => {
		assert.deepEqual(await triage({ tracker: makeTracker() }, told), { kind: 'possible' });
	});

	test('a missing permission is only a warning, since forges do not list grants to single accounts', async () => {
		assert.equal((await triage({}, told)).kind, 'possible');
		assert.ok('warning' in (await triage({}, told)));
	});

	test('the account’s own permissions leave no doubt', async () => {
		const mine = (...words: readonly ('browse' | 'triage')[]): Permissions => ({ ...told, mine: words });
		assert.deepEqual(await triage({}, mine('triage')), { kind: 'possible' });
		assert.equal((await triage({}, mine('browse'))).kind, 'impossible');
		assert.deepEqual(await triage({ permissions: mine('triage') }, mine('browse')), { kind: 'possible' });
	});

	test('assigning needs the forge’s support, and a missing permission disables it before the click', async () => {
		const rights = (mine: readonly ('browse' | 'triage')[], assigns: boolean): Possibility | undefined => {
			const trackers = fakeTrackers();
			const connection = fakeConnection(assigns ? withAssigning(trackers, []) : trackers.api);
			return ticketRights(connection, makeTicket({ tracker: bobs, permissions: { ...told, mine } })).canAssign;
		};
		assert.equal(rights(['triage'], false), undefined);
		assert.deepEqual(rights(['triage'], true), { kind: 'possible' });
		assert.deepEqual(rights(['browse'], true), {
			kind: 'impossible',
			reason: 'Only some people can change the status here. Ask ~bob for permission to triage.',
		});
	});

	test('rows state the actions for menus, and known refusals', () => {
		const context = (mine: readonly ('browse' | 'comment' | 'triage' | 'edit')[], can: boolean): unknown => {
			const trackers = fakeTrackers();
			const api = can
				? { ...withEditing({ ...trackers, api: withAssigning(trackers, []) }), removeTicket: async () => undefined }
				: trackers.api;
			const ticket = makeTicket({ id: 3, tracker: bobs, permissions: { ...told, mine } });
			const drawing = standFor<TreeContext>({
				ages: { short: () => '', spoken: () => '' },
				shelves: standFor<TreeContext['shelves']>({}),
			});
			const connection = fakeConnection(api);
			const from = { connection, ref: { owner: '~bob', name: 'beta' } };
			return shownRow(standFor<TreeNode>({ id: 'row' }), from, ticket, drawing).item.contextValue;
		};
		const all = ['browse', 'comment', 'triage', 'edit'] as const;
		assert.equal(context(all, false), 'forge.ticket.open');
		assert.equal(context(all, true), 'forge.ticket.open.assigns.edits.deletes');
		assert.equal(context(['browse', 'comment'], true), 'forge.ticket.open.noTriage');
		assert.equal(context(['browse'], false), 'forge.ticket.open.noTriage.noComment');
	});

	test('a doubt uses the same sentence as the refusal, and offers no move', async () => {
		const { world, api } = fakeTrackers();
		const tracker = { ...bobs, defaultPermissions: told };
		world.trackers.push(tracker);
		const connection = fakeConnection(api);
		const ticket = makeTicket({ tracker });
		const ref = { tracker: { owner: '~bob', name: 'beta' }, id: ticket.id };
		await connection.tickets.tracker(ref.tracker, new AbortController().signal);
		const head = (refusals: Refusals): HeadView =>
			headView(fake<Tellable>({ connection, ref, html: (text) => text, refusals }), ticket, 0);
		const doubted = head(noRefusals);
		const refused = head({ comment: false, triage: true });
		assert.ok(doubted.canTriage.kind === 'possible' && refused.canTriage.kind === 'impossible');
		assert.equal(doubted.canTriage.warning, refused.canTriage.reason);
		assert.match(refused.canTriage.reason, /^Only some people .* Ask ~bob for permission to triage\.$/);
		assert.deepEqual(doubted.moves, []);
	});

	test('a successful triage removes the doubt in that tracker', async () => {
		const { world, api } = fakeTrackers();
		const tracker = { ...bobs, defaultPermissions: told };
		const ticket = makeTicket({ tracker });
		world.trackers.push(tracker);
		world.tickets.set('~bob/beta', [ticket]);
		const connection = fakeConnection(api);
		const ref = { tracker: { owner: '~bob', name: 'beta' }, id: ticket.id };
		const { signal } = new AbortController();
		await connection.tickets.tracker(ref.tracker, signal);
		const may = (): Possibility => possibility('triage', connection, ticket, noRefusals);
		assert.ok('warning' in may());
		await connection.writes.write(ref, { comment: 'No triage in this' }, signal);
		assert.ok('warning' in may());
		await connection.writes.write(ref, { move: { kind: 'resolve', resolution: 'fixed' } }, signal);
		assert.deepEqual(may(), { kind: 'possible' });
	});

	test('a submitter has the permissions of submitters', async () => {
		assert.deepEqual(await triage({ submitter: makeParticipant('alice') }, told), { kind: 'possible' });
	});

	test("a ticket's own permissions override those of its tracker", async () => {
		const permissions: Permissions = { anonymous: undefined, submitter: undefined, user: ['triage'] };
		assert.deepEqual(await triage({ permissions }, told), { kind: 'possible' });
	});

	test('missing data causes no doubt', async () => {
		assert.deepEqual(await triage({}), { kind: 'possible' });
	});

	test("the forge's refusal is certain and names the person to ask", () => {
		const connection = fakeConnection(fakeTrackers().api);
		const refused = possibility('triage', connection, makeTicket({ tracker: bobs }), {
			comment: false,
			triage: true,
		});
		assert.equal(refused.kind === 'impossible' && refused.reason.includes('~bob'), true);
	});
});
