import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { CommandTable } from '../../../../src/editor/commands/feature.ts';
import type { PageContent, PageHost } from '../../../../src/editor/pages/pageHost.ts';
import type { TicketsContext } from '../../../../src/features/tickets/context/ticketsContext.ts';
import { firstChoice, type TreeChoice } from '../../../../src/features/tickets/choices/treeChoices.ts';
import type { TicketsFeature } from '../../../../src/features/tickets/ticketsFeature.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { answer, type Protocol } from '../../../../src/pages/protocol/pageProtocol.ts';
import { connectedPages, type ConnectedHere } from '../../../support/connectedPages.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { fakeConnection, fakeConnections, keptNames } from '../../../support/fakeConnection.ts';
import { fakeTrackers, type FakeTrackerWorld } from '../../../support/fakeForge.ts';
import { fakeView, ticketsParts, type FakeView } from '../../../support/fakeTicketsParts.ts';
import { makeEvent, makeTicket, makeTracker, makeUser } from '../../../support/makeTicket.ts';
import { eventually } from '../../../support/eventually.ts';
import { pausing } from '../../../support/pageInBrowser.ts';
import { standFor } from '../../../support/standFor.ts';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';

const { ticketsFeature } = await import('../../../../src/features/tickets/ticketsFeature.ts');

const never = new AbortController().signal;
const subject = {
	kind: 'ticket',
	connectionKey: 'sample-alice',
	ref: { tracker: { owner: '~alice', name: 'alpha' }, id: 2 },
} as const;

const tracker = { kind: 'tracker', connectionKey: 'sample-alice', ref: subject.ref.tracker } as const;

interface Desk {
	readonly world: FakeTrackerWorld;
	readonly feature: TicketsFeature;
	readonly run: (command: keyof CommandTable, on?: unknown) => Promise<void>;
	readonly view: FakeView;
	/** Keys of opened pages, and messages to them. */
	readonly pages: string[];
	readonly followed: ReturnType<typeof keptNames>;
	readonly parts: TicketsContext;
	/** Subject of the page in front. */
	readonly front: { subject: unknown };
}

function desk(signedIn = true): Desk {
	const { world, api } = fakeTrackers();
	world.trackers.push(makeTracker(), makeTracker({ owner: makeUser('bob'), name: 'beta' }));
	world.tickets.set('~alice/alpha', [
		makeTicket({ id: 2, title: 'Open one' }),
		makeTicket({ id: 1, title: 'Closed one', status: 'resolved', resolution: 'fixed' }),
	]);
	const followed = keptNames();
	const connections = signedIn ? fakeConnections(fakeConnection(api, '~alice', followed)) : fakeConnections();
	const pages: string[] = [];
	const link = {
		tell: (name: string, value?: unknown) =>
			void pages.push(value === undefined ? name : `${name} ${JSON.stringify(value)}`),
		setTitle: () => undefined,
		mark: () => undefined,
		become: () => undefined,
		close: () => undefined,
		signal: never,
		owned: new Disposables(),
		isWatched: () => true,
		isVisible: () => true,
		entry: undefined,
		onDidWant: () => new Disposables(),
		onDidChangeWatched: () => new Disposables(),
		onDidShow: () => new Disposables(),
	};
	const opened = <P extends Protocol>({ key }: PageContent<P>): typeof link => {
		pages.push(key);
		return link;
	};
	const front: Desk['front'] = { subject: undefined };
	const host: PageHost = {
		open: opened,
		restore: (_, content) => opened(content),
		inFront: () => front.subject,
		front: () => link,
		dispose: () => undefined,
	};
	const view = fakeView();
	const parts: TicketsContext = { ...ticketsParts(connections, host), view };
	const feature = ticketsFeature(parts);
	const run: Desk['run'] = async (command, on) => feature.commands[command]?.(on, never, on === undefined ? [] : [on]);
	return { world, feature, run, view, pages, followed, parts, front };
}

function updates({ calls }: FakeTrackerWorld): readonly string[] {
	return calls.filter((call) => /^(?:update|submit)/.test(call));
}

const byLabel: TreeChoice = { grouping: 'label', order: { key: 'updated', isReversed: true } };

async function arrange(parts: TicketsContext, refs: readonly TrackerRef[]): Promise<void> {
	for (const ref of refs) {
		await parts.filters.setOnTracker('sample-alice', ref, 'crash');
		await parts.treeChoices.choose('sample-alice', ref, byLabel);
	}
}

suite('ticket commands', () => {
	setup(resetStub);

	test('open the ticket of a row without a question', async () => {
		const { run, pages } = desk();
		await run('forge.tickets.open', { id: 'x', item: {}, parent: undefined, subject });
		assert.deepEqual([pages, stubbed.asked], [['sample-alice ~alice/alpha#2'], []]);
	});

	suite('opening an event', () => {
		const events = (from: number, to: number): readonly number[] =>
			Array.from({ length: to - from + 1 }, (_, at) => from + at);

		interface EventDesk {
			readonly open: (event?: unknown) => Promise<void>;
			readonly page: () => ConnectedHere | undefined;
			/** Entry to show on start. */
			readonly start: () => Promise<unknown>;
			/** Cached entries of the timeline. */
			readonly known: () => readonly number[] | undefined;
			readonly told: () => readonly unknown[];
			readonly window: { isPageVisible: boolean };
		}

		/** Ten events, in pages of two. */
		function eventDesk(): EventDesk {
			const { world, parts } = desk();
			world.events.set(
				'~alice/alpha#2',
				events(1, 10)
					.map((id) => makeEvent({ id }))
					.toReversed(),
			);
			world.pageSize = 2;
			const pages = connectedPages();
			const render = (): Promise<typeof import('../../../../src/render.ts')> => import('../../../../src/render.ts');
			const feature = ticketsFeature({ ...parts, pages, render, clock: pausing(fakeClock()) });
			const page = (): ConnectedHere | undefined => pages.pages.at(-1);
			const [connection] = parts.connections.all();
			return {
				async open(event) {
					await feature.commands['forge.tickets.open']?.({ ...subject, event }, never, []);
				},
				page,
				async start() {
					const reply = await answer(page()?.handlers ?? {}, { kind: 'ask', id: 1, name: 'load', value: 0 }, String);
					const entry: unknown = reply?.kind === 'answer' ? Reflect.get(Object(reply.value), 'entry') : reply;
					return entry;
				},
				known: () =>
					connection?.tickets
						.knownEvents(subject.ref)
						?.items.map(({ id }) => id)
						.toReversed(),
				told: () => page()?.told.flatMap(([name, value]) => (name === 'goTo' ? [value] : [])) ?? [],
				window: pages.window,
			};
		}

		test('opens the ticket there, with all later events', async () => {
			const on = eventDesk();
			await on.open(5);
			assert.equal(await on.start(), 5);
			await eventually(async () => on.known(), events(5, 10));
			assert.deepEqual(on.told(), []);
			assert.equal(await on.start(), undefined, 'and once only');
		});

		test('moves an open page there, and reads the events between', async () => {
			const on = eventDesk();
			await on.open('x');
			assert.equal(await on.start(), undefined);
			await eventually(async () => on.known(), events(9, 10));
			await on.open(3);
			await eventually(async () => on.told(), [3]);
			await eventually(async () => on.known(), events(3, 10));
			assert.equal(await on.start(), undefined, 'it was there');
			await on.open();
			assert.deepEqual(on.told(), [3]);
		});

		test('moves a hidden page there when it is shown', async () => {
			const on = eventDesk();
			await on.open();
			await on.start();
			on.window.isPageVisible = false;
			await on.open(7);
			await eventually(async () => on.known(), events(7, 10));
			assert.equal(await on.start(), 7);
			assert.equal(await on.start(), undefined);
		});

		test('reads back right after a timeline read that is still running', async () => {
			const on = eventDesk();
			await on.open();
			await on.open(8);
			assert.equal(await on.start(), 8);
			await eventually(async () => on.known(), events(7, 10));
		});
	});

	test('comment opens the page and focuses the composer', async () => {
		const { run, pages } = desk();
		await run('forge.tickets.comment', subject);
		assert.deepEqual(pages, ['sample-alice ~alice/alpha#2', 'focusComposer']);
	});

	test('resolve asks in the palette for the resolution, and offers only open tickets', async () => {
		const { run, world } = desk();
		stubbed.answers.push('Open one', "won't fix");
		await run('forge.tickets.resolve');
		assert.deepEqual(stubbed.asked, ['Choose a ticket of alpha', 'Resolve alpha#2 Open one as']);
		assert.deepEqual(updates(world), ['update ~alice/alpha#2 {"status":"resolved","resolution":"wont_fix"}']);
		assert.deepEqual(stubbed.shown, ["~alice/alpha#2: Resolved: won't fix"]);
		stubbed.answers.push('Closed one', 'fixed');
		await assert.rejects(run('forge.tickets.resolve'), { name: 'AbortError' });
	});

	test('reopen offers only resolved tickets', async () => {
		const { run, world } = desk();
		stubbed.answers.push('Closed one');
		await run('forge.tickets.reopen');
		stubbed.answers.push('Open one');
		await assert.rejects(run('forge.tickets.reopen'), { name: 'AbortError' });
		assert.deepEqual(updates(world), ['update ~alice/alpha#1 {"status":"reported"}']);
	});

	test('show opens a tracker in the view, or offers its tickets when it has no row', async () => {
		const { run, world, feature, pages, followed } = desk();
		world.tickets.set('~bob/beta', [
			makeTicket({ id: 7, title: 'Of beta', tracker: makeTracker({ owner: makeUser('bob'), name: 'beta' }) }),
		]);
		const opened: string[] = [];
		feature.tree.onDidOpen(({ id }) => opened.push(id));
		await run('forge.trackers.show', { ...tracker, ref: { owner: '~alice', name: 'Alpha' } });
		assert.deepEqual([opened, stubbed.asked], [['sample-alice/~alice/alpha'], []]);
		const beta = { ...tracker, ref: { owner: '~bob', name: 'beta' } };
		stubbed.answers.push('Of beta');
		await run('forge.trackers.show', beta);
		assert.equal(pages.at(-1), 'sample-alice ~bob/beta#7');
		await run('forge.trackers.follow', beta);
		await run('forge.trackers.show', beta);
		assert.deepEqual([followed.all(), opened.at(-1)], [['~bob/beta'], 'sample-alice/~bob/beta']);
		await assert.rejects(run('forge.trackers.show', { ...tracker, ref: { owner: '~bob', name: 'none' } }), {
			problem: { kind: 'notFound' },
		});
	});

	test('the palette uses the ticket in front if the command applies to it', async () => {
		const { run, world, pages, front } = desk();
		stubbed.answers.push('Open one');
		await run('forge.tickets.open', tracker);
		resetStub();
		front.subject = subject;
		await run('forge.tickets.comment');
		assert.deepEqual(pages.slice(1), ['sample-alice ~alice/alpha#2', 'focusComposer']);
		stubbed.answers.push('fixed');
		await run('forge.tickets.resolve');
		assert.deepEqual(stubbed.asked, ['Resolve alpha#2 Open one as']);
		assert.deepEqual(updates(world), ['update ~alice/alpha#2 {"status":"resolved","resolution":"fixed"}']);
		await assert.rejects(run('forge.tickets.resolve'), { name: 'AbortError' });
		assert.deepEqual(stubbed.asked.at(-1), 'Choose a ticket of alpha', 'a resolved ticket is not resolved again');
		await run('forge.tickets.reopen');
		assert.deepEqual(updates(world).at(-1), 'update ~alice/alpha#2 {"status":"reported"}');
	});

	test('show a refusal on the ticket’s page if it is in front, else in a notice', async () => {
		const { run, world, pages, front } = desk();
		const refuse = (call: string): void => {
			if (call.startsWith('update')) {
				throw new ForgeError({ kind: 'notAllowed' });
			}
		};
		await run('forge.tickets.open', subject);
		front.subject = subject;
		world.before = refuse;
		stubbed.answers.push('fixed', 'fixed', undefined, 'fixed');
		await run('forge.tickets.resolve', subject);
		assert.match(pages.at(-1) ?? '', /^said "~alice\/alpha#2: .*permission/);
		assert.deepEqual(stubbed.shown, []);
		// The user sees another ticket.
		front.subject = { ...subject, ref: { ...subject.ref, id: 1 } };
		await run('forge.tickets.resolve', subject);
		assert.match(stubbed.shown.join(), /^~alice\/alpha#2: .*permission/);
		assert.equal(pages.length, 2);
		world.before = () => undefined;
		front.subject = subject;
		await run('forge.tickets.resolve', subject);
		assert.equal(pages.at(-1), 'said ""', 'what failed before is not said any more');
	});

	test('open without a row starts Go To, since the ticket in front is already open', async () => {
		const { run, front } = desk();
		front.subject = subject;
		await run('forge.tickets.open');
		assert.deepEqual(stubbed.executed, ['forge.goTo']);
	});

	test('open on a tracker asks for one of its tickets', async () => {
		const { run, pages } = desk();
		stubbed.answers.push('Closed one');
		await run('forge.tickets.open', tracker);
		assert.deepEqual(pages, ['sample-alice ~alice/alpha#1']);
	});

	test('open accepts a ticket number', async () => {
		const { run, pages } = desk();
		stubbed.answers.push('Enter a Ticket Number…', '#2');
		await run('forge.tickets.open', tracker);
		assert.deepEqual(pages, ['sample-alice ~alice/alpha#2']);
	});

	test('open accepts a number typed into the list of tickets', async () => {
		const { run, pages } = desk();
		stubbed.answers.push('#2\tEnter a Ticket Number…');
		await run('forge.tickets.open', tracker);
		assert.deepEqual(pages, ['sample-alice ~alice/alpha#2']);
		assert.equal(stubbed.asked.includes('Ticket number'), false);
	});

	test('a complete number puts its ticket on top, whatever titles and other numbers contain', async () => {
		const { run, pages } = desk();
		stubbed.answers.push('#2\t#2');
		await run('forge.tickets.open', tracker);
		assert.deepEqual(pages, ['sample-alice ~alice/alpha#2']);
		stubbed.answers.push('1\t1');
		await run('forge.tickets.open', tracker);
		assert.equal(pages.at(-1), 'sample-alice ~alice/alpha#1');
		const row = stubbed.offered.at(-1);
		assert.deepEqual([row?.label, row?.description, row?.alwaysShow], ['1', 'Closed one', true]);
		for (const text of ['Closed', '999']) {
			stubbed.answers.push(`${text}\tClosed one`);
			await run('forge.tickets.open', tracker);
			const isOffered = stubbed.offered.some(({ label }) => label === text);
			assert.equal(isOffered, false, 'no number, and one that the whole list does not have');
		}
	});

	test('closing a question changes nothing', async () => {
		const { run, world } = desk();
		await assert.rejects(run('forge.tickets.resolve', subject), { name: 'AbortError' });
		assert.deepEqual(updates(world), []);
	});

	test('read the ticket again after a failure, and say that the change was not made', async () => {
		const { run, world } = desk();
		world.before = (call) => {
			if (call.startsWith('update')) {
				throw new ForgeError({ kind: 'serverError', status: 500 });
			}
		};
		stubbed.answers.push('fixed');
		await run('forge.tickets.resolve', subject);
		assert.deepEqual(world.calls.at(-1), 'ticket ~alice/alpha#2');
		assert.match(stubbed.shown.join(), /the change was not made/);
		assert.equal(updates(world).length, 1);
	});

	test('a refusal names the person to ask', async () => {
		const { run, world } = desk();
		world.before = (call) => {
			if (call.startsWith('update')) {
				throw new ForgeError({ kind: 'notAllowed' });
			}
		};
		stubbed.answers.push('fixed');
		await run('forge.tickets.resolve', subject);
		assert.deepEqual(stubbed.shown, [
			'~alice/alpha#2: Only some people can change the status here. Ask ~alice for permission to triage.',
		]);
		assert.deepEqual(world.calls.at(-1), 'ticket ~alice/alpha#2');
	});

	test('follow a tracker by URL or reference, and unfollow it', async () => {
		const { run, followed } = desk();
		stubbed.answers.push('https://todo.forge.test/~bob/beta');
		await run('forge.trackers.follow');
		assert.deepEqual(followed.all(), ['~bob/beta']);
		stubbed.answers.push('~bob/beta');
		await run('forge.trackers.unfollow');
		assert.deepEqual(followed.all(), []);
		stubbed.answers.push('https://elsewhere.test/~bob/beta');
		await assert.rejects(run('forge.trackers.follow'), { name: 'AbortError' });
	});

	test('unfollow resets the filter and the tree choice of that tracker only', async () => {
		const { run, parts } = desk();
		const key = 'sample-alice';
		const beta = { owner: '~bob', name: 'beta' };
		const gamma = { owner: '~bob', name: 'gamma' };
		await arrange(parts, [beta, gamma]);
		await run('forge.trackers.unfollow', { kind: 'tracker', connectionKey: key, ref: beta });
		assert.deepEqual([parts.filters.onTracker(key, beta), parts.treeChoices.of(key, beta)], [undefined, firstChoice]);
		assert.deepEqual([parts.filters.onTracker(key, gamma), parts.treeChoices.of(key, gamma)], ['crash', byLabel]);
	});

	test('unfollow keeps both for the user’s own tracker, since it stays in the view', async () => {
		const { run, parts } = desk();
		const key = 'sample-alice';
		const alpha = { owner: '~alice', name: 'alpha' };
		await arrange(parts, [alpha]);
		await run('forge.trackers.unfollow', { kind: 'tracker', connectionKey: key, ref: { ...alpha, owner: '~Alice' } });
		await run('forge.trackers.unfollow', { kind: 'tracker', connectionKey: key, ref: alpha });
		assert.deepEqual([parts.filters.onTracker(key, alpha), parts.treeChoices.of(key, alpha)], ['crash', byLabel]);
	});

	test('unfollow offers to follow when the user follows no tracker', async () => {
		const { run } = desk();
		stubbed.answers.push('Follow Tracker…');
		await assert.rejects(run('forge.trackers.unfollow'), { name: 'AbortError' });
		assert.deepEqual([stubbed.shown, stubbed.executed], [["You don't follow a tracker."], ['forge.trackers.follow']]);
	});

	test('every command offers to sign in without an account', async () => {
		const { run } = desk(false);
		for (const command of ['forge.tickets.resolve', 'forge.trackers.follow'] as const) {
			stubbed.answers.push('Sign In…');
			await assert.rejects(run(command), { name: 'AbortError' });
		}
		assert.deepEqual(stubbed.executed, Array(2).fill('forge.accounts.signIn'));
	});

	test('links use a row, or ask for a ticket without one', async () => {
		const { feature } = desk();
		assert.equal(feature.links.webLink(subject), 'https://todo.forge.test/~alice/alpha/2');
		stubbed.answers.push('Closed one');
		assert.equal(await feature.links.askForLink(never), 'https://todo.forge.test/~alice/alpha/1');
	});

	test('restore a stored page, and close one with an invalid state', async () => {
		const { feature, pages } = desk();
		let closed = 0;
		const panel = standFor<Parameters<TicketsFeature['restorePage']>[0]>({ dispose: () => (closed += 1) });
		await feature.restorePage(panel, { subject, draft: 'x' });
		await feature.restorePage(panel, { subject: { kind: 'ticket', ref: 'x' } });
		assert.deepEqual([pages, closed], [['sample-alice ~alice/alpha#2'], 1]);
	});
});
