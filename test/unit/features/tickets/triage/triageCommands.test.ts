import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { CommandTable } from '../../../../../src/editor/commands/feature.ts';
import type { TreeNode } from '../../../../../src/editor/trees/treeNode.ts';
import type { PageHost } from '../../../../../src/editor/pages/pageHost.ts';
import type { Triage } from '../../../../../src/features/tickets/triage/triage.ts';
import type { TicketSubject } from '../../../../../src/features/tickets/subjects/subjects.ts';
import type { Problems } from '../../../../../src/editor/ask/problems.ts';
import { ForgeError, isForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import type { TrackerApi } from 'sourcehut/port/forge.ts';
import { ticketRefText } from 'sourcehut/port/ticket.ts';
import type { Permissions } from 'sourcehut/port/tracker.ts';
import type { Connection } from '../../../../../src/store/connection.ts';
import { cancelAnnounced } from '../../../../support/cancelAnnounced.ts';
import { fake } from '../../../../support/fake.ts';
import type { TicketNavigation } from '../../../../../src/features/tickets/tree/ticketNavigation.ts';
import { fakeConnection, fakeConnections } from '../../../../support/fakeConnection.ts';
import { withAssigning } from '../../../../support/fakeAssigning.ts';
import { fakeTrackers, type FakeTrackerWorld } from '../../../../support/fakeForge.ts';
import { fakeView, quietProblems, ticketsParts } from '../../../../support/fakeTicketsParts.ts';
import { makeLabel, makeTicket, makeTracker, makeUser, shortTracker } from '../../../../support/makeTicket.ts';
import { standFor } from '../../../../support/standFor.ts';
import { resetStub, stubbed, TreeItem } from '../../../../support/vscodeValues.ts';

const { leavesKeyboard } = await import('../../../../../src/editor/documents/showDocument.ts');
const { triageCommands } = await import('../../../../../src/features/tickets/triage/triageCommands.ts');
const { ticketTriage } = await import('../../../../../src/features/tickets/triage/triage.ts');

const never = new AbortController().signal;

function ticket(id: number, name = 'alpha'): TicketSubject {
	return { kind: 'ticket', connectionKey: 'sample-alice', ref: { tracker: { owner: '~alice', name }, id } };
}

function queueRow(id: string): TreeNode {
	return {
		id,
		item: standFor<vscode.TreeItem>(new TreeItem(id, 1)),
		parent: undefined,
		subject: undefined,
	};
}

/** A failed sign-in has an action of its own. */
const explain: Problems['explain'] = (error) => ({
	message: quietProblems.explain(error).message,
	action:
		isForgeError(error) && error.problem.kind === 'notSignedIn'
			? { label: 'Sign In…', command: 'forge.accounts.signIn' }
			: undefined,
});

interface Desk {
	readonly world: FakeTrackerWorld;
	readonly connection: Connection;
	readonly triage: Triage;
	readonly run: (command: keyof CommandTable, ...selected: readonly unknown[]) => Promise<void>;
	/** Opened pages, as `1` or `1 to comment`. */
	readonly opened: string[];
	readonly front: { subject: unknown };
	/** Selected rows, as `1` or `1 with the focus`. */
	readonly revealed: string[];
	/** Selects the row of a list in the view. */
	readonly selectRow: (id: string) => void;
	/** Sent updates, as `1 {…}`. */
	readonly sent: () => readonly string[];
	readonly status: (id: number) => string;
	readonly labels: (id: number) => string;
	readonly assignees: (id: number) => string;
}

/** Deviations from the default desk. */
interface DeskOptions {
	readonly open?: Triage['open'];
	readonly show?: Problems['show'];
	/** People whom the forge knows. Without them, assigning needs the web. */
	readonly people?: readonly string[];
	/** Deletes tickets. Without it, deleting needs the web. */
	readonly remove?: TrackerApi['removeTicket'];
	readonly update?: TrackerApi['updateTicket'];
}

function desk({ open, people, remove, update, show = async () => undefined }: DeskOptions = {}): Desk {
	const trackers = fakeTrackers();
	const { world } = trackers;
	const assigning = people ? withAssigning(trackers, people) : trackers.api;
	const deleting = remove ? { ...assigning, removeTicket: remove } : assigning;
	const api = update ? { ...deleting, updateTicket: update } : deleting;
	world.trackers.push(makeTracker());
	world.labels.set('~alice/alpha', [makeLabel('urgent'), makeLabel('bug', '#00ff00'), makeLabel('docs', 'url(evil)')]);
	world.tickets.set('~alice/alpha', [
		makeTicket({ id: 4, title: 'In work', status: 'in_progress', labels: ['bug'] }),
		makeTicket({ id: 3, title: 'Closed', status: 'resolved', resolution: 'wont_fix' }),
		makeTicket({ id: 2, title: 'Second', labels: ['bug', 'urgent'] }),
		makeTicket({ id: 1, title: 'First', labels: ['bug'] }),
	]);
	const connection = fakeConnection(api);
	const opened: string[] = [];
	const revealed: string[] = [];
	const front: Desk['front'] = { subject: undefined };
	const noPage = (): never => {
		throw new Error('Pages are opened through the feature');
	};
	const pages: PageHost = {
		open: noPage,
		restore: noPage,
		inFront: () => front.subject,
		front: () => undefined,
		dispose: () => undefined,
	};
	const view = fakeView();
	const triage = ticketTriage(
		{ ...ticketsParts(fakeConnections(connection), pages), view, problems: { ...quietProblems, explain, show } },
		open ?? (({ ref }, focus) => void opened.push(`${ref.id}${focus === 'composer' ? ' to comment' : ''}`)),
		() => false,
	);
	const order = [4, 3, 2, 1];
	const commands = triageCommands(
		triage,
		fake<TicketNavigation>({
			async neighbours({ ref }) {
				const at = order.indexOf(ref.id);
				const [next, previous] = [order[at + 1], order[at - 1]];
				const beside = { ...(next ? { next: ticket(next) } : {}), ...(previous ? { previous: ticket(previous) } : {}) };
				return at === -1 ? beside : { ...beside, within: ref.id === 4 ? 'queue' : 'tracker' };
			},
			nextUnread: async ({ ref }) => (ref.id === 4 ? ticket(2) : undefined),
			firstBelow: async (row, unread) =>
				row === undefined || row.id === 'queue:one' ? ticket(unread ? 2 : 4) : undefined,
			reveal: async ({ ref }, focus) => void revealed.push(`${ref.id}${focus ? ' with the focus' : ''}`),
		}),
	);
	const one = (id: number): ReturnType<typeof makeTicket> | undefined =>
		world.tickets.get('~alice/alpha')?.find((each) => each.id === id);
	return {
		world,
		connection,
		triage,
		opened,
		front,
		revealed,
		selectRow: (id) => view.select(queueRow(id)),
		run: async (command, ...selected) => {
			await connection.tickets.tickets({ owner: '~alice', name: 'alpha' }, never);
			await commands[command]?.(selected[0], never, selected);
			// Actions of a notice or a list run after the command ends.
			for (let turn = 0; turn < 40; turn += 1) {
				await new Promise((resolve) => void setImmediate(resolve));
			}
		},
		sent: () =>
			world.calls.flatMap((call) => {
				const [, id, changes] = /^update ~alice\/alpha#(\d+) (.*)$/.exec(call) ?? [];
				return id === undefined ? [] : [`${id} ${changes}`];
			}),
		status: (id) => `${one(id)?.status}/${one(id)?.resolution}`,
		labels: (id) => one(id)?.labels.join(' ') ?? '',
		assignees: (id) =>
			one(id)
				?.assignees.map(({ canonicalName }) => canonicalName)
				.join(' ') ?? '',
	};
}

function fails({ world }: Desk, id: number, problem: Problem, when: 'before' | 'after' = 'before'): void {
	world[when] = (call) => {
		if (call.startsWith(`update ~alice/alpha#${id} `)) {
			throw new ForgeError(problem);
		}
	};
}

const reset: Problem = { kind: 'unreachable', reason: 'reset', host: 'x' };
const listed = (): readonly string[] =>
	stubbed.offered.map(({ label, detail }) => (detail ? `${label}: ${detail}` : label));

suite('triage commands', () => {
	setup(resetStub);

	test('resolve one ticket, name the result, and undo it by reopening', async () => {
		const { run, status, sent } = desk();
		stubbed.answers.push('fixed');
		await run('forge.tickets.resolve', ticket(1));
		assert.equal(status(1), 'resolved/fixed');
		assert.deepEqual(stubbed.shown, ['~alice/alpha#1: Resolved: fixed']);
		await run('forge.tickets.undo', ticket(1));
		assert.deepEqual(sent(), ['1 {"status":"resolved","resolution":"fixed"}', '1 {"status":"reported"}']);
		await run('forge.tickets.undo', ticket(1));
		assert.equal(stubbed.shown.at(-1), 'There is nothing to undo in this window.');
	});

	test('report a ticket that another user resolved as unchanged, with nothing to undo', async () => {
		const now = makeTicket({ id: 1, title: 'First', labels: ['bug'], status: 'resolved', resolution: 'fixed' });
		const { run } = desk({ update: async () => ({ kind: 'needless', ticket: now }) });
		stubbed.answers.push('fixed');
		await run('forge.tickets.resolve', ticket(1));
		await run('forge.tickets.undo', ticket(1));
		assert.deepEqual(stubbed.shown, [
			'~alice/alpha#1: Not changed: the status was already Resolved: fixed.',
			'There is nothing to undo in this window.',
		]);
	});

	test('resolve several rows, skip resolved ones, and undo all together', async () => {
		const { run, status } = desk();
		stubbed.answers.push('fixed', undefined);
		await run('forge.tickets.resolve', ticket(1), ticket(2), ticket(3), ticket(4), ticket(1));
		assert.deepEqual([1, 2, 3, 4].map(status), [
			'resolved/fixed',
			'resolved/fixed',
			'resolved/wont_fix',
			'resolved/fixed',
		]);
		assert.deepEqual(stubbed.shown, ['Resolved 4 tickets as fixed.']);
		await run('forge.tickets.undo', ticket(1), ticket(2), ticket(4));
		assert.equal(stubbed.shown.at(-1), 'Undid status changes on 3 tickets.');
		assert.deepEqual(
			[1, 2, 3, 4].map((id) => status(id).split('/')[0]),
			['reported', 'reported', 'resolved', 'in_progress'],
		);
	});

	test('undo names its effect first when no affected ticket is in front', async () => {
		const { run, status, sent } = desk();
		stubbed.answers.push('fixed');
		await run('forge.tickets.resolve', ticket(1));
		await assert.rejects(run('forge.tickets.undo', ticket(4)), { name: 'AbortError' });
		assert.deepEqual([stubbed.shown.at(-1), sent().length], ['Reopen ~alice/alpha#1?', 1]);
		stubbed.answers.push('Undo');
		await run('forge.tickets.undo');
		assert.equal(status(1).split('/')[0], 'reported');
		stubbed.answers.push('fixed', undefined);
		await run('forge.tickets.resolve', ticket(1), ticket(2));
		stubbed.details.length = 0;
		await assert.rejects(run('forge.tickets.undo', ticket(4)), { name: 'AbortError' });
		assert.deepEqual(
			[stubbed.shown.at(-1), stubbed.details.at(-1)],
			['Undo the changes of 2 tickets?', 'Reopen ~alice/alpha#1\nReopen ~alice/alpha#2'],
		);
	});

	test('undo asks unless every affected ticket is in front', async () => {
		const { run, status, front } = desk();
		const states = (): readonly (string | undefined)[] => [1, 2, 3].map((id) => status(id).split('/')[0]);
		stubbed.answers.push('fixed', undefined);
		await run('forge.tickets.resolve', ticket(1), ticket(2));
		await assert.rejects(run('forge.tickets.undo', ticket(1)), { name: 'AbortError' });
		assert.deepEqual(
			[stubbed.shown.at(-1), stubbed.details.at(-1)],
			['Undo the changes of 2 tickets?', 'Reopen ~alice/alpha#1\nReopen ~alice/alpha#2'],
		);
		front.subject = ticket(2);
		await run('forge.tickets.undo', ticket(1));
		assert.deepEqual(states(), ['reported', 'reported', 'resolved']);
	});

	test('a cancelled or failed undo leaves its action older than later ones', async () => {
		const on = desk();
		stubbed.answers.push('fixed', undefined);
		await on.run('forge.tickets.resolve', ticket(1), ticket(2));
		stubbed.answers.push('docs');
		await on.run('forge.tickets.labels', ticket(4));
		await assert.rejects(on.run('forge.tickets.undo', ticket(1)), { name: 'AbortError' });
		await assert.rejects(on.run('forge.tickets.undo'), { name: 'AbortError' });
		assert.equal(stubbed.shown.at(-1), 'Undo the label changes of ~alice/alpha#4?');
		on.world.before = (call) => {
			if (call.startsWith('ticket')) {
				throw new ForgeError(reset);
			}
		};
		await assert.rejects(on.run('forge.tickets.undo', ticket(1)), { name: 'ForgeError' });
		on.world.before = () => undefined;
		await assert.rejects(on.run('forge.tickets.undo'), { name: 'AbortError' });
		assert.equal(stubbed.shown.at(-1), 'Undo the label changes of ~alice/alpha#4?');
	});

	test('undo reverts the last action on the ticket in front, a row or a page', async () => {
		const { run, status, front, labels } = desk();
		stubbed.answers.push('fixed');
		await run('forge.tickets.resolve', ticket(1));
		stubbed.answers.push('docs');
		await run('forge.tickets.labels', ticket(4));
		await run('forge.tickets.undo', ticket(1));
		assert.deepEqual([status(1).split('/')[0], labels(4)], ['reported', 'docs']);
		front.subject = ticket(4);
		await run('forge.tickets.undo');
		assert.equal(labels(4), 'bug');
		assert.ok(!stubbed.shown.some((text) => text.endsWith('?')));
	});

	test('a duplicate gets a reference to its original, similar titles first', async () => {
		const { run, sent, status, world } = desk();
		world.tickets.get('~alice/alpha')?.push(makeTicket({ id: 7, title: 'Second time', status: 'resolved' }));
		stubbed.answers.push('duplicate', 'Second time');
		await run('forge.tickets.resolve', ticket(2));
		assert.deepEqual(sent(), ['2 {"comment":"Duplicate of #7.","status":"resolved","resolution":"duplicate"}']);
		assert.equal(status(2), 'resolved/duplicate');
		assert.equal(stubbed.asked.at(-1), 'Original of alpha#2 Second');
		assert.deepEqual(
			stubbed.offered.map(({ label }) => label),
			['Second time', 'Without an Original', 'In work', 'Closed', 'First'],
		);
	});

	test('several duplicates get the same original, also of another tracker, and undo leaves the comments', async () => {
		const { run, sent, world } = desk();
		world.trackers.push(makeTracker({ name: 'beta' }));
		world.tickets.set('~alice/beta', [
			makeTicket({ id: 5, title: 'Elsewhere', tracker: shortTracker(makeTracker({ name: 'beta' })) }),
		]);
		stubbed.answers.push('duplicate', '~alice/beta#5\t~alice/beta#5');
		await run('forge.tickets.resolve', ticket(1), ticket(2));
		assert.deepEqual(sent(), [
			'1 {"comment":"Duplicate of ~alice/beta#5.","status":"resolved","resolution":"duplicate"}',
			'2 {"comment":"Duplicate of ~alice/beta#5.","status":"resolved","resolution":"duplicate"}',
		]);
	});

	test('a duplicate can go without an original, and a closed question sends nothing', async () => {
		const { run, sent } = desk();
		stubbed.answers.push('duplicate', undefined);
		await assert.rejects(run('forge.tickets.resolve', ticket(1)), isAbort);
		stubbed.answers.push('Resolved', 'duplicate', 'Without an Original');
		await run('forge.tickets.setStatus', ticket(1));
		assert.deepEqual(sent(), ['1 {"status":"resolved","resolution":"duplicate"}']);
	});

	test('a missing original is an error, and nothing is sent', async () => {
		const { run, sent } = desk();
		stubbed.answers.push('duplicate', '99\t99');
		await assert.rejects(run('forge.tickets.resolve', ticket(1)), /notFound/);
		assert.deepEqual(sent(), []);
	});

	test('the notice of a bulk change offers to undo it', async () => {
		const { run, status } = desk();
		stubbed.answers.push('fixed', 'Undo');
		await run('forge.tickets.resolve', ticket(1), ticket(2));
		assert.deepEqual(
			[1, 2].map((id) => status(id).split('/')[0]),
			['reported', 'reported'],
		);
	});

	test('the notice undoes its own action, whatever followed', async () => {
		const { run, status, labels } = desk();
		const open = Promise.withResolvers<string>();
		stubbed.answers.push('fixed');
		stubbed.laterAnswers.push(open.promise);
		await run('forge.tickets.resolve', ticket(1), ticket(2));
		stubbed.answers.push('docs');
		await run('forge.tickets.labels', ticket(4));
		open.resolve('Undo');
		await run('forge.tickets.copyReference', ticket(4));
		assert.deepEqual(
			[1, 2].map((id) => status(id).split('/')[0]),
			['reported', 'reported'],
		);
		assert.equal(labels(4), 'docs');
	});

	test('explain a refusal with a reason in the usual words, taken from the forge', async () => {
		const on = desk();
		fails(on, 2, { kind: 'notAllowed', reason: 'Your account is not confirmed yet' });
		stubbed.answers.push('fixed');
		await on.run('forge.tickets.resolve', ticket(1), ticket(2));
		assert.equal(listed()[0], '~alice/alpha#2 Second: The forge said: notAllowed.');
	});

	test('list failures first with their reasons, and open the chosen ticket', async () => {
		const on = desk();
		fails(on, 2, { kind: 'notAllowed' });
		stubbed.answers.push('fixed', '~alice/alpha#2 Second');
		await on.run('forge.tickets.resolve', ticket(1), ticket(2));
		assert.equal(stubbed.asked.at(-1), 'Resolved 1 of 2 tickets as fixed.');
		assert.deepEqual(listed(), [
			'~alice/alpha#2 Second: Only some people can change the status here. Ask ~alice for permission to triage.',
			'Undo What Was Done',
			'~alice/alpha#1 First: Resolved: fixed',
		]);
		assert.deepEqual(on.opened, ['2']);
	});

	test('retry only missing changes, and send nothing twice', async () => {
		const on = desk();
		fails(on, 2, reset);
		on.world.after = (call) => {
			if (call.startsWith('update ~alice/alpha#1 ')) {
				throw new ForgeError(reset);
			}
			on.world.before = () => undefined;
		};
		stubbed.answers.push('fixed', 'Try the Missing Ones Again');
		await on.run('forge.tickets.resolve', ticket(1), ticket(2));
		assert.equal(on.status(1), 'resolved/fixed');
		assert.equal(on.sent().filter((call) => call.startsWith('1 ')).length, 1, 'what arrived is not sent again');
		assert.equal(on.sent().filter((call) => call.startsWith('2 ')).length, 2);
	});

	test('a bulk change waits for one timeout only, and counts what the outbox has', async () => {
		const on = desk();
		on.world.before = (call) => {
			if (call.includes('#')) {
				throw new ForgeError({ kind: 'unreachable', reason: 'timeout', host: 'todo.forge.test' });
			}
		};
		stubbed.answers.push('fixed', undefined);
		await on.run('forge.tickets.resolve', ticket(1), ticket(2), ticket(4));
		assert.equal(stubbed.asked.at(-1), 'Resolved 0 of 3 tickets as fixed. 3 changes are in the outbox.');
		const away = "The forge can't be reached. Your change is in the outbox, and sent when the forge is back.";
		assert.deepEqual(listed(), [
			`~alice/alpha#1 First: ${away}`,
			`~alice/alpha#2 Second: ${away}`,
			`~alice/alpha#4 In work: ${away}`,
		]);
		assert.equal(new Set(on.world.calls.flatMap((call) => /#\d/.exec(call) ?? [])).size, 1);
	});

	test('a bulk change names a single queued change', async () => {
		const on = desk();
		on.world.before = (call) => {
			if (call.includes('#2')) {
				throw new ForgeError({ kind: 'unreachable', reason: 'timeout', host: 'todo.forge.test' });
			}
		};
		stubbed.answers.push('fixed', undefined);
		await on.run('forge.tickets.resolve', ticket(1), ticket(2));
		assert.equal(stubbed.asked.at(-1), 'Resolved 1 of 2 tickets as fixed. 1 change is in the outbox.');
	});

	test('undo waits for one timeout only', async () => {
		const on = desk();
		stubbed.answers.push('fixed');
		await on.run('forge.tickets.resolve', ticket(1), ticket(2));
		const calls = on.world.calls.length;
		on.world.before = () => {
			throw new ForgeError({ kind: 'unreachable', reason: 'timeout', host: 'todo.forge.test' });
		};
		await assert.rejects(on.run('forge.tickets.undo', ticket(1), ticket(2)), { name: 'ForgeError' });
		assert.equal(on.world.calls.length, calls + 1);
	});

	test('a cancelled bulk change can continue with the rest', async () => {
		const on = desk();
		on.world.tickets.set(
			'~alice/alpha',
			Array.from({ length: 9 }, (_, at) => makeTicket({ id: 9 - at, title: `Number ${9 - at}` })),
		);
		const gate = Promise.withResolvers<void>();
		on.world.before = (call) => (call.startsWith('update') ? gate.promise : undefined);
		stubbed.answers.push('fixed', 'Try the Missing Ones Again', undefined);
		const running = on.run('forge.tickets.resolve', ...Array.from({ length: 9 }, (_, at) => ticket(at + 1)));
		await cancelAnnounced(/^Resolving as fixed/);
		gate.resolve();
		await running;
		assert.ok(stubbed.asked.includes('Resolved 1 of 9 tickets as fixed.'));
		assert.equal(on.sent().length, 9);
		assert.equal(new Set(on.sent()).size, 9);
	});

	test('offer a resend when the change of a lost response is missing', async () => {
		const on = desk();
		fails(on, 1, reset);
		stubbed.answers.push('fixed', undefined);
		await on.run('forge.tickets.resolve', ticket(1));
		assert.match(stubbed.shown.at(-1) ?? '', /^~alice\/alpha#1: The connection was lost, and the change was not made/);
		assert.equal(on.sent().length, 1);
		stubbed.answers.push('fixed', 'Send Again');
		let times = 0;
		on.world.before = (call) => {
			if (call.startsWith('update') && ++times === 1) {
				throw new ForgeError(reset);
			}
		};
		await on.run('forge.tickets.resolve', ticket(1));
		assert.equal(on.status(1), 'resolved/fixed');
	});

	test('offer to open the ticket, but no resend, when the outcome is unknown', async () => {
		const on = desk();
		stubbed.answers.push('fixed', 'Open Ticket');
		on.world.before = (call) => {
			if (/^(?:update|ticket) /.test(call)) {
				throw new ForgeError({ kind: 'notUnderstood', where: 'the answer', why: 'it ends too early' });
			}
		};
		await on.run('forge.tickets.resolve', ticket(1));
		assert.match(stubbed.shown.at(-1) ?? '', /it is not known whether/);
		assert.deepEqual([on.opened, on.sent().length], [['1'], 1]);
	});

	test('pass a failure with an action of its own to the command runner', async () => {
		const on = desk();
		stubbed.answers.push('fixed');
		await assert.rejects(
			on.run('forge.tickets.resolve', { ...ticket(1), connectionKey: 'gone' }),
			(error) => error instanceof ForgeError && error.problem.kind === 'notSignedIn',
		);
	});

	test('undo says that the comment sent with a change stays', async () => {
		const { run, triage, status } = desk();
		const resolved = { id: 3, title: 'Closed', status: 'resolved', resolution: 'wont_fix' } as const;
		const wish = { move: { kind: 'resolve', resolution: 'wont_fix' }, comment: 'Not now.' } as const;
		const [before, after] = [makeTicket({ ...resolved, status: 'reported' }), makeTicket(resolved)];
		triage.bulk.history.record('Resolved', [{ subject: ticket(3), wish, before, after }]);
		await run('forge.tickets.undo', ticket(3));
		assert.deepEqual(status(3).split('/')[0], 'reported');
		assert.ok(stubbed.shown.includes("Comments can't be undone."), stubbed.shown.join(' | '));
	});

	test('undo skips a ticket that others changed since, and says so', async () => {
		const on = desk();
		stubbed.answers.push('fixed');
		await on.run('forge.tickets.resolve', ticket(1));
		const all = on.world.tickets.get('~alice/alpha') ?? [];
		on.world.tickets.set(
			'~alice/alpha',
			all.map((each) => ({ ...each, resolution: 'invalid' })),
		);
		await on.run('forge.tickets.undo');
		assert.equal(stubbed.shown.at(-1), 'Not changed: someone has changed the ticket since.');
		assert.equal(on.sent().length, 1);
	});

	test('undo counts only reverted changes', async () => {
		const on = desk();
		stubbed.answers.push('docs', undefined);
		await on.run('forge.tickets.labels', ticket(1), ticket(2));
		const all = on.world.tickets.get('~alice/alpha') ?? [];
		on.world.tickets.set(
			'~alice/alpha',
			all.map((each) => (each.id === 1 ? { ...each, labels: [] } : each)),
		);
		stubbed.answers.push(undefined);
		await on.run('forge.tickets.undo', ticket(1), ticket(2));
		assert.equal(stubbed.asked.at(-1), 'Undid label changes on 1 of 2 tickets.');
		assert.deepEqual(stubbed.offered[0]?.detail, 'Not changed: someone has changed the ticket since.');
	});

	test('assign people to several tickets, unlisted ones by name, and undo all together', async () => {
		const on = desk({ people: ['~alice', '~bob', '~erin'] });
		stubbed.answers.push('~alice\nOther People…', 'Erin', undefined);
		await on.run('forge.tickets.assign', ticket(1), ticket(2));
		assert.deepEqual([on.assignees(1), on.assignees(2)], ['~alice ~erin', '~alice ~erin']);
		assert.equal(stubbed.shown.at(-1), 'Changed assignees on 2 tickets.');
		await on.run('forge.tickets.undo', ticket(1), ticket(2));
		assert.deepEqual([on.assignees(1), on.assignees(2)], ['', '']);
		assert.equal(stubbed.shown.at(-1), 'Undid assignee changes on 2 tickets.');
	});

	test('report an unknown assignee as invalid', async () => {
		const on = desk({ people: ['~alice'] });
		stubbed.answers.push('Other People…', '~mallory');
		await on.run('forge.tickets.assign', ticket(1));
		assert.equal(on.assignees(1), '');
		assert.equal(stubbed.shown.at(-1), '~alice/alpha#1: The forge said: invalid.');
	});

	test('report a known refusal before any question, and change the other selected tickets', async () => {
		const on = desk({ people: ['~alice'] });
		const mine: Permissions = {
			mine: ['browse', 'comment'],
			anonymous: undefined,
			submitter: undefined,
			user: undefined,
		};
		const bobs = makeTracker({ owner: makeUser('bob'), name: 'beta' });
		on.world.trackers.push(bobs);
		on.world.tickets.set('~bob/beta', [makeTicket({ id: 9, tracker: bobs, permissions: mine })]);
		const theirs: TicketSubject = { ...ticket(9), ref: { tracker: { owner: '~bob', name: 'beta' }, id: 9 } };
		await on.connection.tickets.ticket(theirs.ref, never);
		const text = 'Only some people can change the status here. Ask ~bob for permission to triage.';
		for (const command of ['resolve', 'reopen', 'setStatus', 'labels', 'assign'] as const) {
			await assert.rejects(on.run(`forge.tickets.${command}`, theirs), { name: 'AbortError' });
			assert.deepEqual([stubbed.shown.at(-1), stubbed.asked.length], [text, 0], command);
		}
		stubbed.answers.push('fixed', undefined);
		await on.run('forge.tickets.resolve', ticket(1), theirs);
		assert.equal(on.status(1), 'resolved/fixed');
		assert.equal(on.sent().length, 1);
	});

	test('delete a ticket after the user types its reference, and remove its row', async () => {
		const removed: string[] = [];
		const on = desk({ remove: async (ref) => void removed.push(ticketRefText(ref)) });
		stubbed.answers.push('Continue…', '~alice/alpha#1');
		await on.run('forge.tickets.delete', ticket(1));
		assert.deepEqual(removed, ['~alice/alpha#1']);
		assert.equal(on.connection.tickets.knownTicket(ticket(1).ref), undefined);
		assert.ok(
			!on.connection.tickets
				.reads(ticket(1).ref.tracker)
				.known()
				?.items.some(({ id }) => id === 1),
		);
		assert.equal(stubbed.shown.at(-1), 'Deleted ~alice/alpha#1');
	});

	test('offer the web page when the API cannot delete and edit tickets', async () => {
		const on = desk();
		stubbed.answers.push('Open on the Web', 'Open on the Web');
		await on.run('forge.tickets.delete', ticket(1));
		await on.run('forge.tickets.edit', ticket(1));
		assert.deepEqual(stubbed.opened, [
			'https://todo.forge.test/~alice/alpha/1/delete',
			'https://todo.forge.test/~alice/alpha/1/edit',
		]);
	});

	test('offer the web page when the API cannot assign people', async () => {
		const on = desk();
		stubbed.answers.push('Open on the Web');
		await on.run('forge.tickets.assign', ticket(1));
		assert.deepEqual(stubbed.shown, ['On this forge, people can only be assigned on the web.']);
		assert.deepEqual(stubbed.opened, ['https://todo.forge.test/~alice/alpha/1']);
	});

	test('say when a rejected change altered the labels anyway', async () => {
		const on = desk();
		on.world.before = (call) => {
			if (call.startsWith('update')) {
				on.world.tickets.set('~alice/alpha', [makeTicket({ id: 1, title: 'First', labels: [] })]);
				throw new ForgeError({ kind: 'notAllowed' });
			}
		};
		stubbed.answers.push('docs');
		await on.run('forge.tickets.labels', ticket(1));
		assert.equal(
			stubbed.shown.at(-1),
			'~alice/alpha#1: The forge rejected the label change. Ask ~alice for permission to triage. The labels of the ticket were changed anyway.',
		);
	});

	test('report another user’s label that a write with a lost response removed', async () => {
		const on = desk();
		stubbed.answers.push('bug\ndocs');
		on.world.before = (call) => {
			if (call.startsWith('update')) {
				on.world.before = () => undefined;
				const all = on.world.tickets.get('~alice/alpha') ?? [];
				on.world.tickets.set(
					'~alice/alpha',
					all.map((each) => ({ ...each, labels: [...each.labels, 'theirs'] })),
				);
			}
		};
		on.world.after = () => {
			on.world.after = () => undefined;
			on.world.before = (call) => {
				if (call.startsWith('update')) {
					throw new ForgeError({ kind: 'invalid', errors: [] });
				}
			};
			throw new ForgeError(reset);
		};
		await on.run('forge.tickets.labels', ticket(1));
		assert.match(stubbed.shown.at(-1) ?? '', /The label theirs, which someone added at the same time, was lost/);
	});

	test('a rejected undo can be repeated', async () => {
		const on = desk();
		stubbed.answers.push('fixed', undefined);
		await on.run('forge.tickets.resolve', ticket(1), ticket(2));
		fails(on, 2, { kind: 'invalid', errors: [] });
		stubbed.answers.push(undefined);
		await on.run('forge.tickets.undo', ticket(1), ticket(2));
		assert.deepEqual([on.status(1), on.status(2)], ['reported/fixed', 'resolved/fixed']);
		on.world.before = () => undefined;
		await on.run('forge.tickets.undo', ticket(1), ticket(2));
		assert.deepEqual([on.status(1), on.status(2)], ['reported/fixed', 'reported/fixed']);
		await on.run('forge.tickets.undo', ticket(1), ticket(2));
		assert.equal(stubbed.shown.at(-1), 'There is nothing to undo in this window.');
	});

	test('undo skips a deleted ticket and reverts the others', async () => {
		const on = desk();
		stubbed.answers.push('fixed', undefined);
		await on.run('forge.tickets.resolve', ticket(1), ticket(2));
		on.world.tickets.set(
			'~alice/alpha',
			(on.world.tickets.get('~alice/alpha') ?? []).filter(({ id }) => id !== 2),
		);
		stubbed.answers.push(undefined);
		await on.run('forge.tickets.undo', ticket(1));
		assert.equal(on.status(1).split('/')[0], 'reported');
		assert.deepEqual(listed().slice(0, 1), ['~alice/alpha#2 Second: The forge said: notFound.']);
	});

	test('measure a comment for several tickets in code points, as forges do', async () => {
		const { run, sent } = desk();
		stubbed.answers.push('😀x');
		await assert.rejects(run('forge.tickets.comment', ticket(1), ticket(2)), { name: 'AbortError' });
		assert.deepEqual([stubbed.shown, sent()], [['A comment must have 3 to 16384 characters.'], []]);
	});

	test('report a ticket that fails to open after an unclear write', async () => {
		const told: unknown[] = [];
		const on = desk({
			open: () => {
				throw new ForgeError({ kind: 'notSignedIn' });
			},
			show: async (error) => void told.push(error),
		});
		stubbed.answers.push('fixed', 'Open Ticket');
		on.world.before = (call) => {
			if (/^(?:update|ticket) /.test(call)) {
				throw new ForgeError({ kind: 'notUnderstood', where: 'the answer', why: 'it ends too early' });
			}
		};
		await on.run('forge.tickets.resolve', ticket(1));
		assert.equal(told.length, 1);
	});

	test('an action on deleted tickets does not block older ones', async () => {
		const on = desk();
		stubbed.answers.push('fixed');
		await on.run('forge.tickets.resolve', ticket(1));
		stubbed.answers.push('fixed');
		await on.run('forge.tickets.resolve', ticket(2));
		on.world.tickets.set(
			'~alice/alpha',
			(on.world.tickets.get('~alice/alpha') ?? []).filter(({ id }) => id !== 2),
		);
		await assert.rejects(on.run('forge.tickets.undo', ticket(1), ticket(2)), { name: 'ForgeError' });
		await on.run('forge.tickets.undo', ticket(1), ticket(2));
		assert.equal(on.status(1).split('/')[0], 'reported');
	});

	test('undo can be repeated after a failed lookup', async () => {
		const on = desk();
		stubbed.answers.push('fixed');
		await on.run('forge.tickets.resolve', ticket(1));
		on.world.before = (call) => {
			if (call.startsWith('ticket')) {
				throw new ForgeError(reset);
			}
		};
		await assert.rejects(on.run('forge.tickets.undo', ticket(1)), { name: 'ForgeError' });
		on.world.before = () => undefined;
		await on.run('forge.tickets.undo', ticket(1));
		assert.equal(on.status(1).split('/')[0], 'reported');
	});

	test('check the labels of the ticket in the picker, and send only changes', async () => {
		const { run, labels, sent } = desk();
		stubbed.answers.push('urgent\ndocs');
		await run('forge.tickets.labels', ticket(2));
		assert.deepEqual(
			stubbed.offered.map(({ label, picked }) => [label, picked]),
			[
				['On the ticket', undefined],
				['bug', true],
				['urgent', true],
				['Not on the ticket', undefined],
				['docs', false],
			],
		);
		assert.equal(labels(2), 'docs urgent');
		assert.deepEqual(stubbed.shown, ['~alice/alpha#2: Labels: docs, urgent']);
		stubbed.answers.push('urgent\ndocs');
		await run('forge.tickets.labels', ticket(2));
		assert.equal(sent().length, 1, 'nothing changed, nothing sent');
		await run('forge.tickets.undo', ticket(2));
		assert.equal(labels(2), 'bug urgent');
	});

	test('a label on some of several tickets stays unless the user checks it', async () => {
		const { run, labels } = desk();
		stubbed.answers.push('bug\ndocs', undefined);
		await run('forge.tickets.labels', ticket(1), ticket(2));
		assert.deepEqual(stubbed.hints.slice(-1), ['Check to add to all, uncheck to remove from all']);
		assert.deepEqual(listed(), [
			'On all',
			'bug',
			'On some: unchecked labels stay as they are',
			'urgent',
			'Remove urgent',
			'On none',
			'docs',
		]);
		assert.deepEqual([labels(1), labels(2)], ['bug docs', 'bug docs urgent']);
		stubbed.answers.push('Remove urgent\ndocs', undefined);
		await run('forge.tickets.labels', ticket(1), ticket(2));
		assert.deepEqual([labels(1), labels(2)], ['docs', 'docs']);
		stubbed.answers.push('urgent\ndocs', undefined);
		await run('forge.tickets.labels', ticket(1), ticket(2));
		await run('forge.tickets.undo', ticket(1), ticket(2));
		assert.deepEqual([labels(1), labels(2)], ['docs', 'docs']);
	});

	test('match labels of several trackers by name, and say where one is missing', async () => {
		const { world, run, sent, labels } = desk();
		const beta = makeTracker({ name: 'beta' });
		world.trackers.push(beta);
		world.labels.set('~alice/beta', [makeLabel('bug'), makeLabel('only here')]);
		world.tickets.set('~alice/beta', [makeTicket({ id: 1, title: 'Other', tracker: beta })]);
		stubbed.answers.push('bug\ndocs', undefined);
		await run('forge.tickets.labels', ticket(1), ticket(1, 'beta'));
		assert.deepEqual(
			stubbed.offered.map(({ label, description }) => [label, description]),
			[
				['On some: unchecked labels stay as they are', undefined],
				['bug', 'on 1 of 2; check to add to all'],
				['Remove bug', 'from 1 ticket'],
				['On none', undefined],
				['docs', 'not in ~alice/beta'],
				['only here', 'not in ~alice/alpha'],
				['urgent', 'not in ~alice/beta'],
			],
		);
		const inBeta = (): readonly string[] => world.tickets.get('~alice/beta')?.[0]?.labels ?? [];
		assert.deepEqual([labels(1), inBeta(), sent().length], ['bug docs', ['bug'], 1]);
		assert.deepEqual(stubbed.shown, ['Changed labels on 2 tickets.']);
		stubbed.answers.push('bug\nurgent\ndocs', 'Show Details', undefined);
		await run('forge.tickets.labels', ticket(1), ticket(1, 'beta'));
		assert.deepEqual(
			listed().filter((text) => text.includes('Not changed')),
			['~alice/beta#1 Other: Not changed. ~alice/beta does not have the label urgent.'],
		);
		assert.deepEqual([labels(1), inBeta()], ['bug docs urgent', ['bug']]);
		stubbed.answers.push('bug\nurgent\ndocs\nonly here', 'Show Details', undefined);
		await run('forge.tickets.labels', ticket(2), ticket(1, 'beta'));
		assert.deepEqual(listed(), [
			'Undo What Was Done',
			'~alice/alpha#2 Second: Labels: bug, docs, urgent · ~alice/alpha does not have the label only here.',
			'~alice/beta#1 Other: Labels: bug, only here · ~alice/beta does not have the label docs.',
		]);
		await run('forge.tickets.undo', ticket(2), ticket(1, 'beta'));
		assert.equal(stubbed.shown.at(-1), 'Undid label changes on 2 tickets.');
	});

	test('check a label when each ticket whose tracker knows it has it', async () => {
		const { world, run, labels } = desk();
		const beta = makeTracker({ name: 'beta' });
		world.trackers.push(beta);
		world.tickets.set('~alice/beta', [makeTicket({ id: 1, title: 'Other', tracker: beta })]);
		stubbed.answers.push('', undefined);
		await run('forge.tickets.labels', ticket(1), ticket(1, 'beta'));
		assert.deepEqual(
			stubbed.offered.filter(({ picked }) => picked).map(({ label, description }) => [label, description]),
			[['bug', 'not in ~alice/beta']],
		);
		assert.equal(labels(1), '');
	});

	test('offer a status until the forge rejects it, then only for an insisting user', async () => {
		const on = desk();
		stubbed.answers.push('Confirmed');
		await on.run('forge.tickets.setStatus', ticket(1));
		assert.equal(on.status(1), 'confirmed/unresolved');
		assert.deepEqual(
			listed(),
			['Reported', 'Confirmed', 'In progress', 'Pending', 'Resolved'].filter((each) => each !== 'Reported'),
		);
		fails(on, 1, { kind: 'invalid', errors: [{ field: 'resolution', reason: 'resolution is required' }] });
		stubbed.answers.push('Pending');
		await on.run('forge.tickets.setStatus', ticket(1));
		assert.equal(stubbed.shown.at(-1), '~alice/alpha#1: This forge can only resolve or reopen tickets.');
		stubbed.answers.push(undefined);
		await assert.rejects(on.run('forge.tickets.setStatus', ticket(1)), { name: 'AbortError' });
		assert.deepEqual(listed(), [
			'Reported',
			'Resolved',
			'Other Statuses…: This forge can only resolve or reopen tickets.',
		]);
		stubbed.answers.push('Other Statuses…', 'Pending', undefined);
		await on.run('forge.tickets.setStatus', ticket(1));
		assert.deepEqual(listed(), ['In progress', 'Pending']);
		assert.equal(on.sent().length, 2);
		on.world.before = () => undefined;
		stubbed.answers.push('Other Statuses…', 'Pending', 'Try Anyway');
		await on.run('forge.tickets.setStatus', ticket(1));
		assert.equal(on.status(1), 'pending/unresolved');
	});

	test('every question names its ticket or the number of tickets, in one short line', async () => {
		const { run, world } = desk();
		const long = `Two\n${'x'.repeat(80)}`;
		const [, , second, ...rest] = world.tickets.get('~alice/alpha') ?? [];
		assert.ok(second);
		world.tickets.set('~alice/alpha', [{ ...second, title: long }, ...rest]);
		stubbed.answers.push('fixed');
		await run('forge.tickets.resolve', ticket(2));
		stubbed.answers.push('Resolved', 'fixed');
		await run('forge.tickets.setStatus', ticket(1));
		stubbed.answers.push('docs');
		await run('forge.tickets.labels', ticket(1));
		for (const command of ['resolve', 'setStatus', 'labels'] as const) {
			stubbed.answers.push(undefined);
			await assert.rejects(run(`forge.tickets.${command}`, ticket(1), ticket(2)), { name: 'AbortError' });
		}
		const cut = `alpha#2 Two ${'x'.repeat(35)}…`;
		assert.deepEqual(stubbed.asked, [
			`Resolve ${cut} as`,
			'Status of alpha#1 First',
			'Resolve alpha#1 First as',
			'Labels of alpha#1 First',
			'Resolve 2 tickets as',
			'Status of 2 tickets',
			'Labels of 2 tickets',
		]);
	});

	test('questions distinguish tickets with the same number, even in trackers of the same name', async () => {
		const { run } = desk();
		for (const tracker of [
			{ owner: '~alice', name: 'beta' },
			{ owner: '~bob', name: 'alpha' },
		]) {
			stubbed.answers.push(undefined);
			const subject = { kind: 'ticket', connectionKey: 'sample-alice', ref: { tracker, id: 1 } };
			await assert.rejects(run('forge.tickets.resolve', subject), { name: 'AbortError' });
		}
		stubbed.answers.push(undefined);
		await assert.rejects(run('forge.tickets.resolve', ticket(1)), { name: 'AbortError' });
		assert.deepEqual(stubbed.asked, ['Resolve beta#1 as', 'Resolve ~bob/alpha#1 as', 'Resolve alpha#1 First as']);
	});

	test('questions name an uncached ticket by its number', async () => {
		const { run } = desk();
		stubbed.answers.push(undefined);
		await assert.rejects(run('forge.tickets.resolve', ticket(9)), { name: 'AbortError' });
		assert.deepEqual(stubbed.asked, ['Resolve alpha#9 as']);
	});

	test('the status Resolved asks for a resolution, and Reported reopens', async () => {
		const { run, sent } = desk();
		stubbed.answers.push('Resolved', 'invalid');
		await run('forge.tickets.setStatus', ticket(1));
		stubbed.answers.push('Reported', undefined);
		await run('forge.tickets.setStatus', ticket(3), ticket(4));
		assert.deepEqual(sent(), [
			'1 {"status":"resolved","resolution":"invalid"}',
			'3 {"status":"reported"}',
			'4 {"status":"reported"}',
		]);
	});

	test('comment on one ticket on its page, and on several after a confirmation', async () => {
		const { run, opened, sent } = desk();
		await run('forge.tickets.comment', ticket(1));
		assert.deepEqual(opened, ['1 to comment']);
		stubbed.answers.push('Please try again.', undefined);
		await run('forge.tickets.comment', ticket(1), ticket(2));
		assert.deepEqual(sent(), []);
		stubbed.answers.push('Please try again.', 'Comment', undefined);
		await run('forge.tickets.comment', ticket(1), ticket(2));
		assert.deepEqual(sent(), ['1 {"comment":"Please try again."}', '2 {"comment":"Please try again."}']);
		const question = "Send this comment to 2 tickets? Comments can't be undone.";
		assert.deepEqual(stubbed.warned, [question, question]);
		await run('forge.tickets.undo');
		assert.equal(stubbed.shown.at(-1), 'There is nothing to undo in this window.');
	});

	test('copy the references of all selected tickets', async () => {
		const { run } = desk();
		await run('forge.tickets.copyReference', ticket(1), ticket(2));
		assert.deepEqual(stubbed.copied, ['~alice/alpha#1, ~alice/alpha#2']);
	});

	test("open the forge's page for actions that the API lacks", async () => {
		const { run } = desk();
		for (const what of ['Assign People', 'Edit Title and Description', 'Create or Change Labels', 'Delete Ticket']) {
			stubbed.answers.push(what);
			await run('forge.tickets.editOnWeb', ticket(1));
		}
		assert.deepEqual(stubbed.opened, [
			'https://todo.forge.test/~alice/alpha/1',
			'https://todo.forge.test/~alice/alpha/1/edit',
			'https://todo.forge.test/~alice/alpha/labels',
			'https://todo.forge.test/~alice/alpha/1/delete',
		]);
	});

	test('next selects a row in the view, and opens a page on a page', async () => {
		const { run, revealed, opened, front } = desk();
		await run('forge.tickets.next', ticket(4));
		// Enter acts on the focused row.
		assert.deepEqual([revealed, opened], [['3 with the focus'], []]);
		front.subject = ticket(3);
		await run('forge.tickets.previous');
		assert.deepEqual([revealed, opened], [['3 with the focus', '4'], ['4']]);
		front.subject = ticket(1);
		await run('forge.tickets.next');
		await run('forge.tickets.previous', ticket(4));
		await run('forge.tickets.previous', ticket(9));
		front.subject = undefined;
		await run('forge.tickets.previous');
		assert.deepEqual(stubbed.shown, [
			'This is the last ticket listed in this tracker.',
			'This is the first ticket listed in this queue.',
			'This ticket is not among those that the view shows.',
			'Open a ticket or select one first.',
		]);
	});

	test('next in the view replaces the page of the previous row, and the view keeps the keyboard', async () => {
		const keepers: boolean[] = [];
		const { run, revealed, front } = desk({ open: () => void keepers.push(leavesKeyboard()) });
		front.subject = ticket(4);
		await run('forge.tickets.next', ticket(4));
		front.subject = ticket(3);
		await run('forge.tickets.next');
		assert.deepEqual(keepers, [true, false]);
		assert.equal(revealed[0], '3 with the focus');
	});

	test('next opens the first ticket of the queues when there is no row and no page', async () => {
		const { run, revealed, opened } = desk();
		await run('forge.tickets.next');
		assert.deepEqual([revealed, opened, stubbed.shown], [['4'], ['4'], []]);
	});

	test('next starts at the first ticket of a selected list when no ticket is in front', async () => {
		const { run, revealed, opened, selectRow } = desk();
		selectRow('queue:one');
		await run('forge.tickets.next');
		await run('forge.tickets.nextUnread');
		await run('forge.tickets.previous');
		selectRow('queue:empty');
		await run('forge.tickets.nextUnread');
		assert.deepEqual([revealed, opened], [['4 with the focus', '2 with the focus'], []]);
		assert.deepEqual(stubbed.shown, ['Open a ticket or select one first.', 'No other unread tickets in this queue.']);
	});

	test('next unread works in the same way', async () => {
		const { run, revealed, opened, front } = desk();
		await run('forge.tickets.nextUnread', ticket(4));
		front.subject = ticket(4);
		await run('forge.tickets.nextUnread');
		assert.deepEqual([revealed, opened], [['2 with the focus', '2'], ['2']]);
		front.subject = ticket(2);
		await run('forge.tickets.nextUnread');
		assert.deepEqual(stubbed.shown, ['No other unread tickets in this tracker.']);
	});

	test('report a response that differs from the request', async () => {
		const on = desk();
		stubbed.answers.push('fixed');
		await on.run('forge.tickets.resolve', ticket(3));
		assert.match(
			stubbed.shown.at(-1) ?? '',
			/It is already resolved as won't fix, and the forge keeps that\. Reopen it first/,
		);
	});
});
