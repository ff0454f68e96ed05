import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { EventFamily, EventRow } from '../../support/contractEvents.ts';
import { submitOnWeb, type EventWorld } from '../../support/eventCauses.ts';
import { eventually } from '../../support/eventually.ts';
import { limitMs } from '../../support/pace.ts';
import { partOf, type Dialect, type SampleForge } from '../../support/sampleForge.ts';
import { chooseFromMenu, clickRow, expand, quickInput, runCommand, treeItem, viewsAreAtRest, webview } from './user.ts';

/** What a step looks at. */
export interface Desk {
	readonly page: Page;
	readonly forge: SampleForge;
	/** How long something may take to follow. */
	readonly timeoutMs: number;
}

/** What people see of an event. */
export interface Shown {
	/** Who lets it happen. */
	readonly by: EventWorld['by'];
	readonly view: 'Lists' | 'Repositories' | 'Tickets';
	/** That the view is as it was before, once what has to be there is. */
	readonly prepared?: (desk: Desk) => Promise<void>;
	/** That the view follows, without anybody asking for it. `number`: the last that the cause was given. */
	readonly follows: (desk: Desk, number: number) => Promise<void>;
	/** What comes to the inbox; nothing where it is no concern of alice's. */
	readonly inbox?: (number: number) => ShownEntry;
}

export interface ShownEntry {
	/** As the inbox keeps it. */
	readonly kind: string;
	/** What else comes with it. */
	readonly besides?: readonly string[];
	/** What its thing is called. */
	readonly thing: RegExp;
	/** What its row says. */
	readonly says: RegExp;
}

export interface Step {
	readonly title: string;
	readonly prepare?: EventRow['prepare'];
	readonly cause: EventRow['cause'];
	/**
	 * The webhook that is looked at, and what it is sent; nothing where only reading finds it. `gone`: its log goes with its
	 * thing, so that only the view tells that it was sent.
	 */
	readonly sent: { readonly family: EventFamily; readonly event: string | undefined } | 'gone';
	readonly shown: Shown;
}

/** Unfolds what steps look at in a view. */
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

/** That a row comes, or goes. */
function row(name: (number: number) => RegExp, state: 'visible' | 'detached' = 'visible'): Shown['follows'] {
	return ({ page, timeoutMs }, number) => treeItem(page, name(number)).waitFor({ state, timeout: timeoutMs });
}

/** That a row says something else when the pointer rests on it. What it said before goes when the pointer does. */
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
				// What is asked for while the pointer rests there is given up when it goes.
				const said = await saidBy(hover);
				await leave();
				return said.includes(text);
			},
			true,
			timeoutMs,
		);
	};
}

/** What a hover says once it says something; nothing where its row is drawn anew before that. */
async function saidBy(hover: Locator): Promise<string> {
	try {
		await hover.filter({ hasNotText: /^Loading/ }).waitFor({ timeout: limitMs(2000) });
		return await hover.innerText({ timeout: limitMs(2000) });
	} catch {
		return '';
	}
}

const tracker = /^Tracker workshop/;
const ticket = /^The lamp smokes/;
const labelReads = /\/trackers\/workshop\/labels/;

async function labelIsOffered({ page }: Desk, name: string): Promise<void> {
	await chooseFromMenu(page, tracker, 'Show Labels…');
	await quickInput(page).getByRole('option', { name }).first().waitFor();
	await page.keyboard.press('Escape');
}

/** That the page of the ticket, which is open then, says something that it did not say before. */
function onPage(text: RegExp): Pick<Shown, 'prepared' | 'follows'> {
	return {
		async prepared({ page }) {
			await clickRow(page, /^#1 The lamp smokes/);
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
			thing: new RegExp(`^Trim the wick ${number}`),
			says: new RegExp(`^Trim the wick ${number}, .*version 2`),
		}),
	},
	'list post:received': {
		by: 'bob',
		view: 'Lists',
		follows: row((number) => new RegExp(`^Thread An evening mail ${number}\\b`)),
		inbox: (number) => ({
			kind: 'mailArrived',
			thing: new RegExp(`^An evening mail ${number}\\b`),
			says: new RegExp(`^An evening mail ${number}, .*~bob started this thread`),
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
		// Before anything is pushed: a row that is unfolded while it is drawn anew stays folded.
		prepared: ({ page }) => expand(page, /^Tags/),
		follows: row((number) => new RegExp(`^Tag clone-${number}\\b`)),
		inbox: () => ({
			kind: 'pushed',
			thing: /^lantern-plugins/,
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
		follows: row((number) => new RegExp(`^#\\d+ It (?:flickers|hums) ${number}\\b`)),
	},
	'todoUser event:create': {
		by: 'bob',
		view: 'Tickets',
		follows: row(() => /^#1 The lamp smokes.*in progress/i),
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
		prepared: (desk) => row(() => /^#1 The lamp smokes.*labels: .*dawn/)(desk, 0),
		follows: row(() => /^#1 The lamp smokes.*labels: .*dawn/, 'detached'),
	},
	'tracker ticket:create': {
		by: 'bob',
		view: 'Tickets',
		follows: row((number) => new RegExp(`^#\\d+ It flickers ${number}\\b`)),
		inbox: (number) => ({
			kind: 'ticketCreated',
			thing: new RegExp(`^It flickers ${number}\\b`),
			says: new RegExp(`^It flickers ${number}, .*~bob submitted this ticket`),
		}),
	},
	'ticket ticket:update': {
		by: 'bob',
		view: 'Tickets',
		follows: row((number) => new RegExp(`^#1 The lamp smokes ${number}\\b`)),
	},
	'ticket event:create': {
		by: 'bob',
		view: 'Tickets',
		prepared: ({ page }) => clickRow(page, /^#1 The lamp smokes/),
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

/** What happens by the rows of the contract, each as a forge of this dialect sends it. */
export function stepsOf(rows: readonly EventRow[], dialect: Dialect): readonly Step[] {
	return rows.map(({ family, event, field, prepare, cause }): Step => {
		const name = `${event} of ${family}`;
		const step = { prepare, cause, shown: shownBy(`${family} ${event}`) };
		if (dialect === 'document' || field === undefined) {
			return { ...step, title: `${name} is followed`, sent: { family, event } };
		}
		if (field === 'renamed') {
			return {
				...step,
				title: `${name}, which is sent under another name, is followed`,
				sent: { family, event: 'subscription:remove' },
			};
		}
		if (field === 'refused') {
			return {
				...step,
				title: `${event} of tracker, in place of that of ${family}, is followed`,
				sent: { family: 'tracker', event },
			};
		}
		return event === 'ticket:create'
			? { ...step, cause: submitOnWeb, title: `${name}, made on the web pages, is followed`, sent: { family, event } }
			: { ...step, title: `${name}, which is not sent, is found by reading`, sent: { family, event: undefined } };
	});
}

/** What running forges send, and the contract has no row for. */
export const addedSteps: readonly Step[] = [
	{
		title: 'list:delete of list is followed',
		// The list that an earlier step has made. Without its webhook its end would be found within the hour.
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

/** What running forges send nothing of, beside rows of the contract. */
export const missingSteps: readonly Step[] = [
	{
		title: 'an assignment is found by reading',
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
		title: 'a mention by another ticket is found by reading',
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
		title: 'the status of a patchset is found by reading',
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
			inbox: () => ({ kind: 'patchsetMarked', thing: /^Trim the wick/, says: /Status set to approved/i }),
		},
	},
];
