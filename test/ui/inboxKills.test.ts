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
import {
	gitIsThere,
	notification,
	openContainer,
	question,
	refreshInbox,
	runCommand,
	treeItem,
} from './support/user.ts';
import { useWorkbench } from './support/workbench.ts';

const kills = counts({ small: 3, full: 50 });
/** The time that a busy machine may take to reload a window. */
const loadMs = 60_000;
/** The time that the last event may take: one poll, and a second one after it. */
const inboxMs = 240_000;
const trackers = ['announce', 'lantern', 'lantern-plugins', 'website', 'workshop'];
const tickets = ['The lamp smokes', 'The wick is short', 'The oil smells'];

/**
 * One dialect suffices: a kill can lose or duplicate entries only between window and disk. webhooks.test.ts covers
 * each dialect.
 */
suite('inbox when extension hosts die', function () {
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
				// A regular forge, because the extension stores nothing for the sample forge.
				{ name: 'Lantern Forge', areas: forge.areas, signIn: { kind: 'tokenOnly' }, webhookKey: forge.webhookKey },
			],
			'forge.inbox.notify': inboxReasons,
			// Windows that reload continuously read everything continuously.
			'forge.index.requestsPerHour': 3600,
		},
	}));
	suiteTeardown(() => forge.stop());

	/** The number of trackers with a webhook of ours; alice follows all of hers. */
	async function trackersWithWebhook(): Promise<number> {
		return (await forge.webhooks()).filter((hook) => hook.startsWith('todoTracker ')).length;
	}

	/** Triggers an event on one of the tickets. */
	async function happens(text: string): Promise<string> {
		const id = 1 + Math.floor(random() * tickets.length);
		const path = `/api/user/~alice/trackers/workshop/tickets/${id}`;
		const { status } = await forge.call('todo', 'PUT', path, { token: forge.tokens.bob, body: { comment: text } });
		assert.equal(status, 200);
		return text;
	}

	testInProve(`loses no entry, repeats no notification and leaves no webhook in ${kills} kills`, async () => {
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
			// Moments of processing an event: a notification follows two seconds after the entry is stored.
			const moments: readonly (() => Promise<void>)[] = [
				() => Promise.resolve(),
				() => forge.webhooksDelivered(),
				async () => {
					await refresh(windows);
					await eventually(async () => keptComments(dataFolder).includes(happened.at(-1) ?? ''), true, inboxMs);
				},
			];
			await moments[Math.floor(random() * moments.length)]?.();
			// The previous window's host may still be shutting down.
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
		// New events arrive as before the first kill: none waits for a dead host.
		const last = await happens('After the last kill it smokes.');
		happened.push(last);
		await eventually(async () => toasts.tells(last), true, inboxMs);
		await eventually(async () => keptComments(dataFolder).toSorted(), happened.toSorted(), inboxMs);
		toasts.tellNothingTwice(happened);

		// Each start lists the webhooks: each object has one, and the window has no other.
		const hooks = await forge.webhooks();
		const subjects = hooks.map((hook) => hook.slice(0, hook.lastIndexOf(' ')));
		assert.deepEqual(subjects.toSorted(), [...new Set(subjects)].toSorted());
		assert.ok(hooks.length > 0);
		await runCommand(page, 'Forge: Webhooks…', 'Remove All Webhooks…');
		await question(page, 'Remove all webhooks').getByRole('button', { name: 'Remove Webhooks' }).click();
		await eventually(() => forge.webhooks(), [], inboxMs);
	});
});

/** Events without a listener arrive with the next poll, up to a quarter of an hour later, or by Refresh. */
async function refresh(windows: readonly Page[]): Promise<void> {
	for (const window of windows) {
		await refreshInbox(window);
	}
}

async function isReceiving(page: Page): Promise<void> {
	await notification(page, 'Webhooks are received at 127.0.0.1').waitFor();
}

async function isLoaded(page: Page): Promise<void> {
	await treeItem(page, /workshop/).waitFor({ timeout: limitMs(loadMs) });
}

/** Collects the inbox notifications of windows, also those before a reload. */
class Toasts {
	readonly texts: string[] = [];

	/** Reloads the window and records all notifications from then on. */
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

	/** True if a notification contains the text. */
	tells(text: string): boolean {
		return this.texts.some((each) => each.includes(text));
	}

	/**
	 * A notification may combine several entries and give only their number. Entries that arrived without an open
	 * window have none.
	 */
	tellNothingTwice(happened: readonly string[]): void {
		const single = this.texts.filter((text) => text.includes('smokes.'));
		for (const each of happened) {
			assert.ok(single.filter((text) => text.includes(each)).length <= 1, `${each} in ${this.texts.join('\n')}`);
		}
		const told = this.texts.map((text) => Number(/^(\d+) new entries/.exec(text)?.[1] ?? 1));
		assert.ok(told.reduce((sum, count) => sum + count, 0) <= happened.length, this.texts.join('\n'));
	}
}
