import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { chainedSuite } from '../../support/chain.ts';
import type { Dialect, SampleForge } from '../../support/sampleForge.ts';
import { testInProve } from '../../support/testInProve.ts';
import { knowing } from '../support/sampleWindow.ts';
import {
	chooseFromMenu,
	clickRow,
	collapse,
	editorTab,
	expand,
	isKept,
	openOnly,
	pick,
	quickInput,
	runCommand,
	treeItem,
	useTitleAction,
	viewSection,
	webview,
} from '../support/user.ts';
import { borrowForge, giveBackForge } from '../support/sharedForge.ts';
import { useWorkbench } from '../support/workbench.ts';

/** High enough for all the rows that the tests need, because a tree renders only rows in view. */
const viewport = { width: 1280, height: 1300 } as const;
const title = 'The manual page contradicts the built-in help';
const settings = {
	'forge.filters': [
		{ name: 'Open work', filter: 'status:open sort:updated' },
		{ name: 'Broken', filter: 'colour:red' },
	],
} as const;

export function ticketTree(dialect: Dialect): Mocha.Suite {
	return chainedSuite(`${dialect}: tickets view in the workbench`, () => {
		let forge: SampleForge;
		suiteSetup(async () => {
			forge = await borrowForge(dialect);
		});
		const workbench = useWorkbench(() => ({
			name: `ticket-tree-${dialect}`,
			env: knowing(forge, 'alice'),
			settings,
			viewport,
		}));
		suiteTeardown(() => giveBackForge(forge));
		teardown(() => forge.clearFaults());

		function tickets(): Locator {
			return viewSection(workbench().page, 'Tickets');
		}

		suiteSetup(async () => {
			const { page } = workbench();
			await openOnly(page, 'Tickets');
			await expand(page, /^Tracker website/);
			await treeItem(page, new RegExp(title)).waitFor();
		});

		function checkForNews(): Promise<void> {
			return useTitleAction(workbench().page, 'Tickets', 'Refresh');
		}

		/** Another user comments on a ticket. */
		async function bobComments(text: string): Promise<void> {
			const token = await forge.token('bob', dialect === 'field' ? ['todo.sr.ht/tickets:write'] : ['tickets:write']);
			const path = '/api/user/~alice/trackers/website/tickets/31';
			const answer = await forge.call('todo', 'PUT', path, { token, body: { comment: text } });
			assert.equal(answer.status, 200, answer.text);
		}

		testInProve('chooses a tracker’s order from a list with the current one selected', async () => {
			const { page } = workbench();
			await chooseFromMenu(page, /^Tracker website/, 'Sort Tickets…');
			await quickInput(page)
				.getByRole('option', { name: /^Number, highest first, current/ })
				.waitFor();
			await pick(page, 'Number, lowest first');
			const first = page.getByRole('treeitem', { name: / #\d+, / }).first();
			await first.and(page.getByRole('treeitem', { name: / #1, / })).waitFor();
		});

		testInProve('groups its tickets the same way', async () => {
			const { page } = workbench();
			await chooseFromMenu(page, /^Tracker website/, 'Group Tickets…');
			await pick(page, 'Label');
			await treeItem(page, /^Label documentation, \d+\+? tickets/).waitFor();
			await treeItem(page, /^No label, \d+\+? tickets/).waitFor();
		});

		testInProve('a tracker shows its number of open tickets', async () => {
			await treeItem(
				workbench().page,
				// Without a total from the server, the count may be partial.
				dialect === 'field' ? /^Tracker website of ~alice, \d+ open of \d+/ : /^Tracker website of ~alice, \d+\+ open/,
			).waitFor();
		});

		testInProve('the age of the data shows next to the view’s title', async () => {
			await tickets()
				.getByText(/^updated /)
				.waitFor();
		});

		testInProve('a saved filter is one queue over all trackers, and its rows name theirs', async () => {
			const { page } = workbench();
			await treeItem(page, /^Filter Broken, Unknown filter "colour:"\./).waitFor();
			await expand(page, /^Filter Open work, \d+\+? tickets/);
			await treeItem(page, / website#\d+, /).waitFor();
			await treeItem(page, / lantern-plugins#\d+, /).waitFor();
			await collapse(page, /^Filter Open work/);
			await treeItem(page, /^Tracker website/).waitFor();
		});

		testInProve('keeps order, groups and unfolded rows after a reload', async () => {
			const { page } = workbench();
			await isKept(page, String.raw`grouping\":\"label\",\"order\":{\"key\":\"number\",\"isReversed\":true`);
			await page.reload();
			await treeItem(page, /^Tracker website/)
				.and(page.locator('[aria-expanded="true"]'))
				.waitFor();
			await expand(page, /^Label documentation, \d+\+? tickets/);
			const first = page.getByRole('treeitem', { name: / #\d+, / }).first();
			await first.and(page.getByRole('treeitem', { name: / #[1-5], / })).waitFor();
		});

		test('another user’s comment marks the ticket until the user opens it', async () => {
			const { page } = workbench();
			await chooseFromMenu(page, /^Tracker website/, 'Group Tickets…');
			await pick(page, 'Nothing');
			await treeItem(page, new RegExp(title)).waitFor();
			const changed = new RegExp(`^${title} #31, changed,`);
			const marked = treeItem(page, changed);
			assert.equal(await marked.count(), 0);
			await bobComments('I see this too.');
			await checkForNews();
			await marked.waitFor();
			await clickRow(page, changed);
			await webview(page).getByRole('heading', { name: title }).waitFor();
			await treeItem(page, new RegExp(`^${title} #31, (?!changed)`)).waitFor();
			assert.equal(await marked.count(), 0);
		});

		testInProve('marks a ticket as unread and as read by command', async () => {
			const { page } = workbench();
			const row = new RegExp(`^${title} #31, (?!changed)`);
			const unread = new RegExp(`^${title} #31, changed,`);
			// An open page would mark its ticket as seen again and again.
			await runCommand(page, 'View: Close All Editors');
			await editorTab(page, /^#31 /).waitFor({ state: 'detached' });
			await chooseFromMenu(page, row, 'Mark as Unread');
			await treeItem(page, unread).waitFor();
			await chooseFromMenu(page, unread, 'Mark as Read');
			await treeItem(page, row).waitFor();
		});

		testInProve('a failed refresh keeps the rows, below a notice with a way out', async () => {
			const { page } = workbench();
			await forge.fault({ area: 'todo' }, { kind: 'status', status: 500 }, 100);
			await checkForNews();
			const notice = treeItem(page, /^The forge failed – showing data from .*Try Again$/);
			await notice.waitFor();
			await treeItem(page, new RegExp(`^${title} #31, (?!changed)`)).waitFor();
			await forge.clearFaults();
			await notice.click();
			await notice.waitFor({ state: 'detached' });
			await treeItem(page, new RegExp(`^${title} #31, (?!changed)`)).waitFor();
		});
	});
}
