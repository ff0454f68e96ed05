import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { inboxReasons } from '../../src/store/inbox/inboxEntry.ts';
import { counts, seed } from '../support/counts.ts';
import { eventually } from '../support/eventually.ts';
import { limitMs } from '../support/pace.ts';
import { randomFrom } from '../support/randomFrom.ts';
import { startSampleForge, type SampleForge } from '../support/sampleForge.ts';
import { testInProve } from '../support/testInProve.ts';
import { isWatched, keptComments } from './support/keptInbox.ts';
import { signInWithToken } from './support/sampleWindow.ts';
import { gitIsThere, openContainer, question, refreshInbox, runCommand, treeItem } from './support/user.ts';
import { useWorkbench } from './support/workbench.ts';

const kills = counts({ small: 3, full: 50 });
/** How long a busy machine may take to load a window anew. */
const loadMs = 60_000;
/** How long the last of what happened may take: a reading, and another one after it. */
const inboxMs = 240_000;
const trackers = ['announce', 'lantern', 'lantern-plugins', 'website', 'workshop'];
const tickets = ['The lamp smokes', 'The wick is short', 'The oil smells'];

/**
 * Over one dialect only: what a kill can lose or double lies between the windows and the disk. Each dialect receives
 * webhooks in webhooks.test.ts.
 */
suite('the inbox when extension hosts die', function () {
	this.timeout(kills * 90_000 + 600_000);
	const random = randomFrom(seed());
	let forge: SampleForge;
	suiteSetup(async () => {
		forge = await startSampleForge({ dialect: 'field' });
		await forge.call('todo', 'POST', '/api/trackers', { body: { name: 'workshop', visibility: 'PUBLIC' } });
		for (const title of tickets) {
			await forge.call('todo', 'POST', '/api/trackers/workshop/tickets', {
				body: { title, description: 'In the wind.' },
			});
		}
	});
	const workbench = useWorkbench(() => ({
		name: 'inbox-kills',
		settings: {
			'forge.forges': [
				// A forge like any other: of the sample forge itself nothing is kept.
				{ name: 'Lantern Forge', areas: forge.areas, signIn: { kind: 'tokenOnly' }, webhookKey: forge.webhookKey },
			],
			'forge.inbox.notify': inboxReasons,
			// Windows that are loaded all the time read everything all the time.
			'forge.index.requestsPerHour': 3600,
		},
	}));
	suiteTeardown(() => forge.stop());

	/** How many trackers have one of ours: each of alice's is watched. */
	async function trackersWithWebhook(): Promise<number> {
		return (await forge.webhooks()).filter((hook) => hook.startsWith('todoTracker ')).length;
	}

	/** Something happens to one of the tickets. */
	async function happens(text: string): Promise<string> {
		const id = 1 + Math.floor(random() * tickets.length);
		const path = `/api/user/~alice/trackers/workshop/tickets/${id}`;
		const { status } = await forge.call('todo', 'PUT', path, { token: forge.tokens.bob, body: { comment: text } });
		assert.equal(status, 200);
		return text;
	}

	testInProve(`loses nothing, tells nothing twice and leaves no webhook in ${kills} kills`, async () => {
		const desk = workbench();
		const { page, dataFolder } = desk;
		await openContainer(page, 'Forge');
		await signInWithToken(page, forge.tokens.alice);
		await treeItem(page, /workshop/).waitFor();
		await eventually(async () => isWatched(dataFolder, 'tracker ~alice/workshop'), true);
		await runCommand(page, 'Forge: Webhooks…', 'Receive Webhooks…');
		await isReceiving(page);
		const other = await desk.openWindow();
		await gitIsThere(other);
		await openContainer(other, 'Forge');
		await treeItem(other, /workshop/).waitFor();
		await eventually(trackersWithWebhook, trackers.length, inboxMs);
		const windows = [page, other];
		const toasts = new Toasts();
		for (const window of windows) {
			await toasts.watch(window);
			await isLoaded(window);
		}

		const happened: string[] = [];
		happened.push(await happens('Before the first kill it smokes.'));
		await eventually(async () => toasts.tells(happened[0] ?? ''), true, inboxMs);
		for (let round = 1; round <= kills; round += 1) {
			happened.push(await happens(`In round ${round} it smokes.`));
			// At any moment of what comes of it: a notice waits for two seconds after the entry is kept.
			const moments: readonly (() => Promise<void>)[] = [
				() => Promise.resolve(),
				() => forge.webhooksDelivered(),
				async () => {
					await refresh(windows);
					await eventually(async () => keptComments(dataFolder).includes(happened.at(-1) ?? ''), true, inboxMs);
				},
			];
			await moments[Math.floor(random() * moments.length)]?.();
			// The host of the window before may still be about to end.
			assert.ok(desk.killExtensionHosts() > 0);
			if (random() < 0.5) {
				happened.push(await happens(`After kill ${round} it smokes.`));
			}
			for (const window of random() < 0.5 ? windows : windows.toReversed()) {
				await window.reload();
				await isLoaded(window);
			}
		}

		await refresh(windows);
		await eventually(async () => keptComments(dataFolder).toSorted(), happened.toSorted(), inboxMs);
		// What happens from now on is told as before the first kill: nothing of it waits for a host that died.
		const last = await happens('After the last kill it smokes.');
		happened.push(last);
		await eventually(async () => toasts.tells(last), true, inboxMs);
		await eventually(async () => keptComments(dataFolder).toSorted(), happened.toSorted(), inboxMs);
		toasts.tellNothingTwice(happened);

		// Which of them there are is looked at again after each start: of each thing there is one, and the window has no other.
		const hooks = await forge.webhooks();
		const subjects = hooks.map((hook) => hook.slice(0, hook.lastIndexOf(' ')));
		assert.deepEqual(subjects.toSorted(), [...new Set(subjects)].toSorted());
		assert.ok(hooks.length > 0);
		await runCommand(page, 'Forge: Webhooks…', 'Remove All Webhooks…');
		await question(page, 'Remove all webhooks').getByRole('button', { name: 'Remove Webhooks' }).click();
		await eventually(() => forge.webhooks(), [], inboxMs);
	});
});

/** What happened while nobody listened comes with the next polling, which can take a quarter of an hour, or when asked for. */
async function refresh(windows: readonly Page[]): Promise<void> {
	for (const window of windows) {
		await refreshInbox(window);
	}
}

async function isReceiving(page: Page): Promise<void> {
	await page.locator('.statusbar-item').filter({ hasText: 'Webhooks of forges on this computer arrive.' }).waitFor();
}

async function isLoaded(page: Page): Promise<void> {
	await treeItem(page, /workshop/).waitFor({ timeout: limitMs(loadMs) });
}

/** What windows tell of the inbox in notifications, also before they are loaded anew. */
class Toasts {
	readonly texts: string[] = [];

	/** Loads the window anew, and hears of each notification from then on. */
	async watch(page: Page): Promise<void> {
		await page.exposeFunction('forgeDeskToast', (text: string) => {
			if (text.includes('smokes.') || text.includes('in your inbox')) {
				this.texts.push(text);
			}
		});
		await page.addInitScript(() => {
			const told = new WeakSet<Element>();
			new MutationObserver(() => {
				for (const toast of document.querySelectorAll('.notification-toast')) {
					const text = toast.querySelector('.notification-list-item-message')?.textContent ?? '';
					if (text !== '' && !told.has(toast)) {
						told.add(toast);
						const tell: unknown = Reflect.get(window, 'forgeDeskToast');
						if (typeof tell === 'function') {
							Reflect.apply(tell, undefined, [text]);
						}
					}
				}
			}).observe(document, { childList: true, subtree: true, characterData: true });
		});
		await page.reload();
	}

	/** Whether something was told, by itself. */
	tells(text: string): boolean {
		return this.texts.some((each) => each.includes(text));
	}

	/** One notification may tell of several entries, and then only how many. What came while no window was open is not told. */
	tellNothingTwice(happened: readonly string[]): void {
		const single = this.texts.filter((text) => text.includes('smokes.'));
		for (const each of happened) {
			assert.ok(single.filter((text) => text.includes(each)).length <= 1, `${each} in ${this.texts.join('\n')}`);
		}
		const told = this.texts.map((text) => Number(/^(\d+) new entries/.exec(text)?.[1] ?? 1));
		assert.ok(told.reduce((sum, count) => sum + count, 0) <= happened.length, this.texts.join('\n'));
	}
}
