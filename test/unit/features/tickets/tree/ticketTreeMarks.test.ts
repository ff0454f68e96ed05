import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { CommandTable } from '../../../../../src/editor/commands/feature.ts';
import type { Ticket } from 'sourcehut/port/ticket.ts';
import { makeEvent, makeTicket } from '../../../../support/makeTicket.ts';
import { standFor } from '../../../../support/standFor.ts';
import { alpha, never, treeWorld, type TreeWorld } from '../../../../support/ticketTreeWorld.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const laterMs = Date.UTC(2026, 10, 21);
const before = [makeTicket({ id: 2 }), makeTicket({ id: 1 })] as const;
const after = [makeTicket({ id: 3 }), makeTicket({ id: 2, updatedMs: laterMs }), makeTicket({ id: 1 })] as const;

async function world(): Promise<TreeWorld> {
	const made = await treeWorld();
	made.index.know(alpha, before);
	await made.settle();
	return made;
}

/** The same tracker with a new ticket and a changed one. */
async function changedWorld(): Promise<TreeWorld> {
	const made = await world();
	made.index.know(alpha, after);
	await made.settle();
	return made;
}

function dotOf(uri: vscode.Uri | undefined): readonly unknown[] {
	assert.ok(uri, 'the row has an address');
	const provider = standFor<vscode.FileDecorationProvider>(stubbed.decorations[0]);
	const dot = standFor<vscode.FileDecoration | null>(
		provider.provideFileDecoration(uri, standFor<vscode.CancellationToken>({})) ?? null,
	);
	return [dot?.badge, dot?.tooltip, dot?.color];
}

async function commandsOf(made: TreeWorld): Promise<CommandTable> {
	const { treeCommands } = await import('../../../../../src/features/tickets/tree/treeCommands.ts');
	return treeCommands(made.parts);
}

async function marked(made: TreeWorld): Promise<readonly unknown[]> {
	return (await made.below('alpha')).map(({ item }) => item.contextValue);
}

suite('tickets view: unread', () => {
	setup(resetStub);

	test('marks nothing at first', async () => {
		const made = await world();
		assert.deepEqual(await marked(made), ['forge.ticket.open', 'forge.ticket.open']);
	});

	test('new and changed tickets have a dot with a reason and without a color', async () => {
		const made = await changedWorld();
		const rows = await made.below('alpha');
		assert.deepEqual(
			rows.map(({ item }) => dotOf(item.resourceUri)),
			[
				['●', 'New: you have not opened it yet.', undefined],
				['●', 'Changed since you last looked.', undefined],
				[undefined, undefined, undefined],
			],
		);
	});

	test('the row announces its mark, and its context value has it for the menus', async () => {
		const made = await changedWorld();
		const rows = await made.below('alpha');
		assert.match(rows[0]?.item.accessibilityInformation?.label ?? '', /^The parser .* #3, new, Reported/);
		assert.match(rows[1]?.item.accessibilityInformation?.label ?? '', /^The parser .* #2, changed, Reported/);
		assert.deepEqual(await marked(made), ['forge.ticket.open.unread', 'forge.ticket.open.unread', 'forge.ticket.open']);
	});

	test('the view has no badge, since the inbox counts its news', async () => {
		const made = await changedWorld();
		assert.ok(!('badge' in made.view));
	});

	test('opening a ticket removes its dot and redraws its row', async () => {
		const made = await changedWorld();
		const [row] = await made.below('alpha');
		made.connection.tickets.apply({ kind: 'ticketChanged', ticket: after[0] });
		made.redrawn.length = 0;
		made.connection.readMarks.look(after[0], 5);
		await made.settle();
		assert.deepEqual(dotOf(row?.item.resourceUri), [undefined, undefined, undefined]);
		assert.equal(made.redrawn.find((node) => node?.id === row?.id)?.item.contextValue, 'forge.ticket.open');
	});

	test('a write, its response and its read mark redraw the row once, in its final state', async () => {
		const made = await changedWorld();
		const [row] = await made.below('alpha');
		const written = makeTicket({ id: 3, status: 'resolved', resolution: 'fixed', updatedMs: laterMs + 1000 });
		const ticket = { tracker: alpha, id: 3 };
		made.redrawn.length = 0;
		made.connection.tickets.apply({ kind: 'eventsAdded', ticket, events: [makeEvent({ id: 9 })] });
		made.connection.tickets.apply({ kind: 'ticketChanged', ticket: written });
		await Promise.resolve();
		made.connection.readMarks.look(written, 9);
		await made.settle();
		const redrawn = made.redrawn.filter((node) => node?.id === row?.id);
		assert.deepEqual(
			redrawn.map((node) => node?.item.contextValue),
			['forge.ticket.resolved'],
		);
	});

	test('marks the selected rows as read, and as unread', async () => {
		const made = await changedWorld();
		const commands = await commandsOf(made);
		const rows = await made.below('alpha');
		const isByHand: boolean[] = [];
		made.connection.readMarks.onDidLook((look) => isByHand.push(look.isByHand));
		await commands['forge.tickets.markRead']?.(rows[0], never, rows);
		assert.deepEqual(isByHand, [true, true, true]);
		assert.deepEqual(await marked(made), ['forge.ticket.open', 'forge.ticket.open', 'forge.ticket.open']);
		await commands['forge.tickets.markUnread']?.(rows[2], never, [rows[2]]);
		assert.deepEqual(await marked(made), ['forge.ticket.open', 'forge.ticket.open', 'forge.ticket.open.unread']);
	});

	test('marks a whole tracker as read without a request', async () => {
		const made = await changedWorld();
		const commands = await commandsOf(made);
		const [tracker] = await made.roots();
		made.forge.world.calls.length = 0;
		await commands['forge.trackers.markAllRead']?.(tracker, never, []);
		assert.deepEqual(await marked(made), ['forge.ticket.open', 'forge.ticket.open', 'forge.ticket.open']);
		assert.deepEqual(
			made.forge.world.calls.filter((call) => call.startsWith('ticket ')),
			[],
		);
	});

	test('grouping and sorting each change only their part of the choice', async () => {
		const made = await world();
		const commands = await commandsOf(made);
		const [tracker] = await made.roots();
		stubbed.answers.push('Label', 'Updated, latest first');
		await commands['forge.trackers.group']?.(tracker, never, []);
		await commands['forge.trackers.sort']?.(tracker, never, []);
		assert.deepEqual(made.parts.treeChoices.of(made.connection.key, alpha), {
			grouping: 'label',
			order: { key: 'updated', isReversed: false },
		});
		assert.deepEqual(stubbed.asked, ['Group alpha by', 'Sort alpha by']);
	});

	test('downloading a whole tracker uses the index and reports the number of tickets', async () => {
		const made = await world();
		const commands = await commandsOf(made);
		const [tracker] = await made.roots();
		await commands['forge.trackers.readWhole']?.(tracker, never, []);
		assert.deepEqual(made.index.readWholes, ['~alice/alpha']);
		made.index.know(alpha, before.slice(0, 1));
		await commands['forge.trackers.readWhole']?.(tracker, never, []);
		assert.deepEqual(stubbed.shown, ['Downloaded 2 tickets of ~alice/alpha', 'Downloaded 1 ticket of ~alice/alpha']);
	});

	test('marks a ticket that only the index knows', async () => {
		const made = await world();
		const commands = await commandsOf(made);
		const rows = await made.below('alpha');
		assert.equal(standFor<Ticket | null>(made.connection.tickets.knownTicket({ tracker: alpha, id: 2 }) ?? null), null);
		await commands['forge.tickets.markUnread']?.(rows[0], never, [rows[0]]);
		assert.deepEqual(await marked(made), ['forge.ticket.open.unread', 'forge.ticket.open']);
	});
});
