import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { EventFamily, EventRow } from '../../support/contractEvents.ts';
import { submitOnWeb, type EventWorld } from '../../support/eventCauses.ts';
import { eventually } from '../../support/eventually.ts';
import { limitMs } from '../../support/pace.ts';
import { partOf, type Dialect, type SampleForge } from '../../support/sampleForge.ts';
import { chooseFromMenu, clickRow, expand, quickInput, runCommand, treeItem, viewsAreAtRest, webview } from './user.ts';

/** The environment of a step. */
export interface Desk {
	readonly page: Page;
	readonly forge: SampleForge;
	/** The timeout of an expected change. */
	readonly timeoutMs: number;
}

/** The visible effect of an event. */
export interface Shown {
	/** The user who causes it. */
	readonly by: EventWorld['by'];
	readonly view: 'Lists' | 'Repositories' | 'Tickets';
	/** Sets up the view, and waits until it shows the initial state. */
	readonly prepared?: (desk: Desk) => Promise<void>;
	/** Waits until the view updates without user action. `number`: the last one passed to the cause. */
	readonly follows: (desk: Desk, number: number) => Promise<void>;
	/** The resulting inbox entry; none for events that don't concern alice. */
	readonly inbox?: (number: number) => ShownEntry;
}

export interface ShownEntry {
	/** Its kind in the inbox. */
	readonly kind: string;
	/** Kinds of entries that arrive with it. */
	readonly besides?: readonly string[];
	/** The title of its object. */
	readonly thing: RegExp;
	/** The text of its row. */
	readonly says: RegExp;
}

export interface Step {
	readonly title: string;
	readonly prepare?: EventRow['prepare'];
	readonly cause: EventRow['cause'];
	/**
	 * The webhook under test and its expected event; none if only a read finds it. `gone`: the log disappears with
	 * its object, so only the view can prove the delivery.
	 */
	readonly sent: { readonly family: EventFamily; readonly event: string | undefined } | 'gone';
	readonly shown: Shown;
}

/** Unfolds the rows that the steps need in a view. */
export async function shownOf(view: Shown['view'], page: Page): Promise<void> {
	switch (view) {
		case 'Lists':
			await expand(page, /^Mailing list workshop-devel/);
			return expand(page, /^Threads/);
		case 'Repositories':
			return expand(page, /^Repository lantern-plugins/);
		case 'Tickets':
			return expand(page, /^Tracker workshop/);
	}
}

/** Waits until a row appears or disappears. */
function row(name: (number: number) => RegExp, state: 'visible' | 'detached' = 'visible'): Shown['follows'] {
	return ({ page, timeoutMs }, number) => treeItem(page, name(number)).waitFor({ state, timeout: timeoutMs });
}

/** Waits until a row's hover shows another text. The earlier hover closes with the pointer. */
function describes(name: RegExp, text: string): Shown['follows'] {
	return async ({ page, timeoutMs }) => {
		const hover = page.locator('.workbench-hover:visible').first();
		async function leave(): Promise<void> {
			await page.mouse.move(900, 900);
			await hover.waitFor({ state: 'detached' });
		}
		await leave();
		await eventually(
			async () => {
				await viewsAreAtRest(page);
				await treeItem(page, name).hover();
				// Moving the pointer away cancels a pending hover request.
				const said = await saidBy(hover);
				await leave();
				return said.includes(text);
			},
			true,
			timeoutMs,
		);
	};
}

/** The text of a hover when it has one; empty if its row is redrawn before. */
async function saidBy(hover: Locator): Promise<string> {
	try {
		await hover.filter({ hasNotText: /^Loading/ }).waitFor({ timeout: limitMs(2000) });
		return await hover.innerText({ timeout: limitMs(2000) });
	} catch {
		return '';
	}
}

const tracker = /^Tracker workshop/;
const ticket = / · The lamp smokes/;
const labelReads = /\/trackers\/workshop\/labels/;

async function labelIsOffered({ page }: Desk, name: string): Promise<void> {
	await chooseFromMenu(page, tracker, 'Show Labels…');
	await quickInput(page).getByRole('option', { name }).first().waitFor();
	await page.keyboard.press('Escape');
}

/** Waits for new text on the ticket's open page. */
function onPage(text: RegExp): Pick<Shown, 'prepared' | 'follows'> {
	return {
		async prepared({ page }) {
			await clickRow(page, /^The lamp smokes.* #1,/);
			await webview(page).getByText('The lamp smokes').first().waitFor();
			assert.equal(await webview(page).getByText(text).count(), 0);
		},
		async follows({ page, timeoutMs }) {
			await webview(page).getByText(text).first().waitFor({ timeout: timeoutMs });
			await runCommand(page, 'View: Close All Editors');
		},
	};
}

/** By family and event. */
const shown: Readonly<Record<string, Shown>> = {
	'listsUser email:received': {
		by: 'alice',
		view: 'Lists',
		follows: row((number) => new RegExp(`^Thread An evening mail ${number}\\b`)),
	},
	'listsUser list:create': { by: 'alice', view: 'Lists', follows: row(() => /^Mailing list evening of ~alice/) },
	'listsUser subscription:create': {
		by: 'alice',
		view: 'Lists',
		prepared: (desk) => row(() => /^Mailing list wick-devel/, 'detached')(desk, 0),
		follows: row(() => /^Mailing list wick-devel of ~bob, subscribed/),
	},
	'listsUser subscription:remove': {
		by: 'alice',
		view: 'Lists',
		prepared: (desk) => row(() => /^Mailing list wick-devel of ~bob, subscribed/)(desk, 0),
		follows: row(() => /^Mailing list wick-devel/, 'detached'),
	},
	'list patchset:received': {
		by: 'bob',
		view: 'Lists',
		follows: row((number) => new RegExp(`^Trim the wick ${number}, .*version 2`)),
		inbox: (number) => ({
			kind: 'patchsetReceived',
			thing: new RegExp(`^New v2 · Trim the wick ${number}`),
			says: new RegExp(`^New v2 · Trim the wick ${number}, .*version 2`),
		}),
	},
	'list post:received': {
		by: 'bob',
		view: 'Lists',
		follows: row((number) => new RegExp(`^Thread An evening mail ${number}\\b`)),
		inbox: (number) => ({
			kind: 'mailArrived',
			thing: new RegExp(` · An evening mail ${number}\\b`),
			says: new RegExp(` · An evening mail ${number}, .*~bob started this thread`),
		}),
	},
	'list list:update': {
		by: 'alice',
		view: 'Lists',
		follows: describes(/^Mailing list workshop-devel/, 'Patches and talk'),
	},
	'gitUser repo:create': { by: 'alice', view: 'Repositories', follows: row(() => /^Repository evening of ~alice/) },
	'gitUser repo:update': {
		by: 'alice',
		view: 'Repositories',
		follows: describes(/^Repository lantern-plugins/, 'What it can be taught'),
	},
	'gitUser repo:delete': {
		by: 'alice',
		view: 'Repositories',
		prepared: (desk) => row(() => /^Repository short-lived/)(desk, 0),
		follows: row(() => /^Repository short-lived/, 'detached'),
	},
	'repository repo:post-update': {
		by: 'alice',
		view: 'Repositories',
		// Before the push, because a row unfolded during a redraw stays folded.
		prepared: ({ page }) => expand(page, /^Tags/),
		follows: row((number) => new RegExp(`^Tag clone-${number}\\b`)),
		inbox: () => ({
			kind: 'pushed',
			thing: / · lantern-plugins/,
			says: /~alice pushed to master/,
		}),
	},
	'todoUser tracker:create': { by: 'alice', view: 'Tickets', follows: row(() => /^Tracker evening of ~alice/) },
	'todoUser tracker:update': {
		by: 'alice',
		view: 'Tickets',
		follows: describes(tracker, 'What is wrong with the light'),
	},
	'todoUser tracker:delete': {
		by: 'alice',
		view: 'Tickets',
		prepared: (desk) => row(() => /^Tracker short-lived/)(desk, 0),
		follows: row(() => /^Tracker short-lived/, 'detached'),
	},
	'todoUser ticket:create': {
		by: 'alice',
		view: 'Tickets',
		follows: row((number) => new RegExp(`^It (?:flickers|hums) ${number} #\\d+,`)),
	},
	'todoUser event:create': {
		by: 'bob',
		view: 'Tickets',
		follows: row(() => /^The lamp smokes.* #1,.*in progress/i),
		inbox: () => ({ kind: 'statusChanged', thing: ticket, says: /~bob set the status to in progress/i }),
	},
	'tracker label:create': {
		by: 'alice',
		view: 'Tickets',
		prepared: (desk) => labelIsOffered(desk, 'bug'),
		async follows(desk) {
			const isRead = async (): Promise<boolean> =>
				(await desk.forge.requests()).some(({ path }) => labelReads.test(path));
			await eventually(isRead, true, desk.timeoutMs);
			await labelIsOffered(desk, 'dusk');
		},
	},
	'tracker label:delete': {
		by: 'bob',
		view: 'Tickets',
		prepared: (desk) => row(() => /^The lamp smokes.* #1,.*labels: .*dawn/)(desk, 0),
		follows: row(() => /^The lamp smokes.* #1,.*labels: .*dawn/, 'detached'),
	},
	'tracker ticket:create': {
		by: 'bob',
		view: 'Tickets',
		follows: row((number) => new RegExp(`^It flickers ${number} #\\d+,`)),
		inbox: (number) => ({
			kind: 'ticketCreated',
			thing: new RegExp(` · It flickers ${number}\\b`),
			says: new RegExp(` · It flickers ${number}, .*~bob submitted this ticket`),
		}),
	},
	'ticket ticket:update': {
		by: 'bob',
		view: 'Tickets',
		follows: row((number) => new RegExp(`^The lamp smokes ${number} #1,`)),
	},
	'ticket event:create': {
		by: 'bob',
		view: 'Tickets',
		prepared: ({ page }) => clickRow(page, /^The lamp smokes.* #1,/),
		async follows({ page, timeoutMs }, number) {
			await webview(page).getByText(`Seen it ${number} times`).first().waitFor({ timeout: timeoutMs });
			await runCommand(page, 'View: Close All Editors');
		},
		inbox: (number) => ({
			kind: 'commented',
			thing: ticket,
			says: new RegExp(`~bob commented: Seen it ${number} times`),
		}),
	},
};

function shownBy(name: string): Shown {
	const found = shown[name];
	assert.ok(found, `Nothing is said of what is seen of ${name}`);
	return found;
}

/** The events of the contract's rows, each as a forge of this dialect sends it. */
export function stepsOf(rows: readonly EventRow[], dialect: Dialect): readonly Step[] {
	return rows.map(({ family, event, field, prepare, cause }): Step => {
		const name = `${event} of ${family}`;
		const step = { prepare, cause, shown: shownBy(`${family} ${event}`) };
		if (dialect === 'document' || field === undefined) {
			return { ...step, title: `the view follows ${name}`, sent: { family, event } };
		}
		if (field === 'renamed') {
			return {
				...step,
				title: `the view follows ${name}, which arrives under another name`,
				sent: { family, event: 'subscription:remove' },
			};
		}
		if (field === 'refused') {
			return {
				...step,
				title: `the view follows ${event} of tracker in place of that of ${family}`,
				sent: { family: 'tracker', event },
			};
		}
		return event === 'ticket:create'
			? {
					...step,
					cause: submitOnWeb,
					title: `the view follows ${name}, triggered on the website`,
					sent: { family, event },
				}
			: { ...step, title: `a read finds ${name}, which the forge does not send`, sent: { family, event: undefined } };
	});
}

/** Events of running forges without a row in the contract. */
export const addedSteps: readonly Step[] = [
	{
		title: 'the view follows list:delete of list',
		// The list made by an earlier step. Without its webhook, a read would find its deletion within the hour.
		async prepare({ ask }) {
			const hasHook = async (): Promise<boolean> => {
				const hooks = await ask('lists', 'GET', '/api/user/~alice/lists/evening/webhooks');
				return JSON.stringify(hooks).includes('"list:delete"');
			};
			await eventually(hasHook, true, limitMs(240_000));
		},
		cause: ({ ask }) => ask('lists', 'DELETE', '/api/lists/evening'),
		sent: 'gone',
		shown: {
			by: 'alice',
			view: 'Lists',
			prepared: (desk) => row(() => /^Mailing list evening of ~alice/)(desk, 0),
			follows: row(() => /^Mailing list evening/, 'detached'),
		},
	},
];

/** Changes for which running forges send no event, besides rows of the contract. */
export const missingSteps: readonly Step[] = [
	{
		title: 'a read finds an assignment',
		cause: ({ sample }) => sample.act('/todo/assign', { ticket: '~alice/workshop#1', user: 'alice', by: 'bob' }),
		sent: { family: 'tracker', event: undefined },
		shown: {
			by: 'bob',
			view: 'Tickets',
			...onPage(/bob assigned ~?alice/),
			inbox: () => ({ kind: 'assigned', thing: ticket, says: /~bob assigned you/ }),
		},
	},
	{
		title: 'a read finds a mention by another ticket',
		cause: ({ ask }) => ask('todo', 'PUT', '/api/user/~alice/trackers/workshop/tickets/2', { comment: 'As in #1.' }),
		sent: { family: 'ticket', event: undefined },
		shown: {
			by: 'bob',
			view: 'Tickets',
			...onPage(/bob mentioned this ticket in/),
			inbox: () => ({
				kind: 'namedByTicket',
				besides: ['commented'],
				thing: ticket,
				says: /~bob mentioned this ticket in ~alice\/workshop#2/,
			}),
		},
	},
	{
		title: 'a read finds the status of a patchset',
		async cause({ sample, ask }) {
			const json = await ask('lists', 'GET', '/api/user/~alice/lists/workshop-devel/patchsets');
			const patchset = partOf(json, ['results', 0, 'id']);
			await sample.act('/lists/status', { list: '~alice/workshop-devel', patchset, status: 'approved' });
		},
		sent: { family: 'list', event: undefined },
		shown: {
			by: 'bob',
			view: 'Lists',
			follows: row(() => /^Trim the wick \d+, .*approved/i),
			inbox: () => ({ kind: 'patchsetMarked', thing: / · .*Trim the wick/, says: /Status set to approved/i }),
		},
	},
];
