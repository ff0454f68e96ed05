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

/** The same after a ticket came and one changed. */
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

	test('at first nothing is marked', async () => {
		const made = await world();
		assert.deepEqual(await marked(made), ['forge.ticket.open', 'forge.ticket.open']);
	});

	test('what came or changed since carries a dot, which says why and is no colour', async () => {
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

	test('the row says it aloud, and the menus can tell', async () => {
		const made = await changedWorld();
		const rows = await made.below('alpha');
		assert.match(rows[0]?.item.accessibilityInformation?.label ?? '', /^#3 The parser .*, new, Reported/);
		assert.match(rows[1]?.item.accessibilityInformation?.label ?? '', /^#2 The parser .*, changed, Reported/);
		assert.deepEqual(await marked(made), ['forge.ticket.open.unread', 'forge.ticket.open.unread', 'forge.ticket.open']);
	});

	test('the icon of the views carries no number of them: the inbox counts what is news there', async () => {
		const made = await changedWorld();
		assert.ok(!('badge' in made.view));
	});

	test('opening a ticket takes its dot away and redraws its row', async () => {
		const made = await changedWorld();
		const [row] = await made.below('alpha');
		made.connection.tickets.apply({ kind: 'ticketChanged', ticket: after[0] });
		made.redrawn.length = 0;
		made.connection.readMarks.look(after[0], 5);
		await made.settle();
		assert.deepEqual(dotOf(row?.item.resourceUri), [undefined, undefined, undefined]);
		assert.equal(made.redrawn.find((node) => node?.id === row?.id)?.item.contextValue, 'forge.ticket.open');
	});

	test('a write, its answer and its being seen redraw the row once, as it is in the end', async () => {
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

	test('the selected rows are marked as read and as unread at once', async () => {
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

	test('a whole tracker is marked as read, and nothing is asked of the forge for it', async () => {
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

	test('grouping and sorting show the present choice, and change no more than what was asked', async () => {
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

	test('reading a whole tracker is asked of the index and told when it is done', async () => {
		const made = await world();
		const commands = await commandsOf(made);
		const [tracker] = await made.roots();
		await commands['forge.trackers.readWhole']?.(tracker, never, []);
		assert.deepEqual(made.index.readWholes, ['~alice/alpha']);
		made.index.know(alpha, before.slice(0, 1));
		await commands['forge.trackers.readWhole']?.(tracker, never, []);
		assert.deepEqual(stubbed.shown, ['Downloaded 2 tickets of ~alice/alpha', 'Downloaded 1 ticket of ~alice/alpha']);
	});

	test('a ticket that only the index knows can be marked too', async () => {
		const made = await world();
		const commands = await commandsOf(made);
		const rows = await made.below('alpha');
		assert.equal(standFor<Ticket | null>(made.connection.tickets.knownTicket({ tracker: alpha, id: 2 }) ?? null), null);
		await commands['forge.tickets.markUnread']?.(rows[0], never, [rows[0]]);
		assert.deepEqual(await marked(made), ['forge.ticket.open.unread', 'forge.ticket.open']);
	});
});
