import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chainedSuite } from '../support/chain.ts';
import { eventRows } from '../support/contractEvents.ts';
import { askAs, makeEventPlaces, type EventWorld } from '../support/eventCauses.ts';
import { eventually } from '../support/eventually.ts';
import { limitMs } from '../support/pace.ts';
import { startSampleForge, type SampleForge } from '../support/sampleForge.ts';
import { testInProve } from '../support/testInProve.ts';
import { heardBy, type HeardBy } from './support/heardDeliveries.ts';
import { isWatched, keptEvents } from './support/keptInbox.ts';
import { dialectsOf } from './support/sharedForge.ts';
import { addedSteps, missingSteps, shownOf, stepsOf, type Desk, type Shown, type Step } from './support/shownEvents.ts';
import { signInWithToken } from './support/sampleWindow.ts';
import {
	chooseFromMenu,
	expand,
	notification,
	openBeside,
	openContainer,
	openOnly,
	pick,
	refreshInbox,
	runCommand,
	viewSection,
} from './support/user.ts';
import { useWorkbench } from './support/workbench.ts';

/** Named resources are read at most at the fastest polling rate. */
const followsMs = 240_000;

for (const dialect of dialectsOf('document')) {
	// The tests share their resources, and the last one counts all events.
	chainedSuite(`${dialect}: each event in a window that receives webhooks`, function () {
		this.timeout(limitMs(2 * followsMs));
		let forge: SampleForge;
		let directory: string;
		let heard: HeardBy;
		let count = 0;
		let view: Shown['view'] | undefined;
		const expected: string[] = [];

		suiteSetup(async () => {
			forge = await startSampleForge({ dialect });
			heard = heardBy(forge);
			directory = await mkdtemp(join(tmpdir(), 'forge-desk-events-'));
			await makeEventPlaces(forge);
		});
		const workbench = useWorkbench(() => ({
			name: `webhook-events-${dialect}`,
			// High enough for all rows of two views, because a tree renders only rows in view.
			viewport: { width: 1400, height: 2000 },
			settings: {
				'forge.index.requestsPerHour': 3600,
				'forge.forges': [
					// A regular forge, because the extension stores nothing for the sample forge.
					{ name: 'Lantern Forge', areas: forge.areas, signIn: { kind: 'tokenOnly' }, webhookKey: forge.webhookKey },
				],
			},
		}));
		suiteTeardown(async () => {
			await forge.stop();
			await rm(directory, { recursive: true, force: true });
		});

		suiteSetup(async () => {
			const { page, dataFolder } = workbench();
			await openContainer(page, 'Forge');
			await signInWithToken(page, forge.tokens.alice);
			await openOnly(page, 'Tickets');
			await expand(page, /^Tracker workshop/);
			await chooseFromMenu(page, /The lamp smokes/, 'Watch…');
			await pick(page, /^Everything/);
			await openOnly(page, 'Repositories');
			await chooseFromMenu(page, /^Repository lantern-plugins/, 'Watch…');
			await pick(page, /^Everything/);
			await runCommand(page, 'Forge: Webhooks…', 'Receive Webhooks…');
			await notification(page, 'Webhooks are received at 127.0.0.1').waitFor();
			await eventually(() => heard.families(), [...heard.all], 2 * followsMs);
			for (const place of [
				'tracker ~alice/workshop',
				'list ~alice/workshop-devel',
				'repository ~alice/lantern-plugins',
			]) {
				await eventually(async () => isWatched(dataFolder, place), true, followsMs);
			}
		});

		function worldOf(by: EventWorld['by']): EventWorld {
			return { sample: forge, by, directory, next: () => ++count, ask: askAs(forge, by) };
		}

		function desk(): Desk {
			return { page: workbench().page, forge, timeoutMs: limitMs(followsMs) };
		}

		/** Opens a view, with the inbox beside it. */
		async function show(wanted: Shown['view']): Promise<void> {
			if (view !== wanted) {
				const { page } = workbench();
				await openOnly(page, wanted);
				await shownOf(wanted, page);
				await openBeside(page, 'Inbox');
				view = wanted;
			}
		}

		async function inInbox({ thing, says }: NonNullable<ReturnType<NonNullable<Shown['inbox']>>>): Promise<void> {
			const inbox = viewSection(workbench().page, 'Inbox');
			const told = inbox.getByRole('treeitem', { name: says }).first();
			const folded = inbox.getByRole('treeitem', { name: thing, expanded: false }).first();
			await told
				.or(folded)
				.first()
				.waitFor({ timeout: limitMs(followsMs) });
			if (!(await told.isVisible())) {
				await folded.locator('.monaco-tl-twistie').first().click();
			}
			await told.waitFor({ timeout: limitMs(followsMs) });
		}

		/** Causes the event, and waits for its display. */
		async function happens({ cause, prepare, sent, shown }: Step): Promise<void> {
			await show(shown.view);
			const world = worldOf(shown.by);
			await prepare?.(world);
			await shown.prepared?.(desk());
			const news = sent === 'gone' ? undefined : await heard.from(sent.family);
			await forge.forgetRequests();
			await cause(world);
			if (sent === 'gone') {
				await forge.webhooksDelivered();
			} else if (sent.event === undefined) {
				assert.deepEqual(await news?.(), [], 'told by a delivery');
				await refreshInbox(workbench().page);
				// The command leaves the inbox folded.
				await openBeside(workbench().page, 'Inbox');
			} else {
				// A patch is also a mail, so the webhook gets an additional event.
				const told = (await news?.()) ?? [];
				assert.deepEqual(
					told.filter((each) => each.startsWith(`${sent.event} `)),
					[`${sent.event} taken`],
				);
				assert.ok(
					told.every((each) => each.endsWith(' taken')),
					told.join(),
				);
			}
			await shown.follows(desk(), count);
			const entry = shown.inbox?.(count);
			if (entry) {
				expected.push(entry.kind, ...(entry.besides ?? []));
				await inInbox(entry);
			}
		}

		for (const step of stepsOf(eventRows, dialect)) {
			testInProve(step.title, () => happens(step));
		}
		if (dialect === 'field') {
			for (const step of [...addedSteps, ...missingSteps]) {
				testInProve(step.title, () => happens(step));
			}
		}

		testInProve('the inbox has all expected entries, and no others', async () => {
			await forge.webhooksDelivered();
			await eventually(async () => keptEvents(workbench().dataFolder), expected.toSorted());
			assert.deepEqual(await forge.crashes(), []);
		});
	});
}
