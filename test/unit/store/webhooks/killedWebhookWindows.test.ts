import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { eventGroupOf, webhookFamilyKey, type WebhookFamily } from 'sourcehut/port/webhook.ts';
import { webhookEvents } from 'sourcehut/rest/restWebhooks.ts';
import { counts, seed } from '../../../support/counts.ts';
import { address, WebhookWorld, type WebhookWindow } from '../../../support/webhookWorld.ts';

const minuteMs = 60_000;
const alpha: WebhookFamily = { kind: 'tracker', ref: { owner: '~alice', name: 'alpha' } };
const trackers = ['~alice/alpha', '~alice/beta', '~bob/gamma'];
const refused = ['tracker event:create', 'list list:delete', 'list patchset:update', 'todoUser event:create'];

/** A user action, or an event of a window or request. */
const steps = fc.array(
	fc.record({
		does: fc.constantFrom(
			'follow',
			'open',
			'open alone',
			'close',
			'kill',
			'lose answers',
			'keep answers',
			'spoil disk',
			'mend disk',
			'move',
			'remove all',
		),
		of: fc.nat(7),
		waitMs: fc.nat(90_000),
	}),
	{ minLength: 4, maxLength: 14 },
);

type Step = typeof steps extends fc.Arbitrary<(infer T)[]> ? T : never;

const foreign = { url: 'https://other.example/hook', events: ['label:create'] };
const signal = new AbortController().signal;

/** A world with slow requests and several open windows. */
class Story {
	readonly world = new WebhookWorld();
	place = address;
	readonly #windows = new Map<number, WebhookWindow>();

	constructor(refusedEvents: readonly string[]) {
		refusedEvents.forEach((each) => this.world.forge.refusedEvents.add(each));
		this.world.forge.before = () => this.#slowly();
		this.world.forge.afterwards = () => this.#slowly();
	}

	async take({ does, of, waitMs }: Step): Promise<void> {
		const { world } = this;
		const window = this.#windows.get(of % 3);
		switch (does) {
			case 'follow':
				world.follow({
					trackers: trackers.filter((_, at) => (of & (1 << at)) > 0),
					lists: of > 3 ? ['~alice/devel'] : [],
					repositories: of % 2 === 0 ? ['~bob/quill'] : [],
				});
				break;
			case 'open':
			case 'open alone':
				if (!window) {
					this.#open(of % 3, does === 'open' ? 'shared' : 'alone');
				}
				break;
			case 'close':
			case 'kill':
				window?.end(does === 'kill');
				this.#windows.delete(of % 3);
				break;
			case 'lose answers':
				world.forge.afterwards = () =>
					Promise.reject(new ForgeError({ kind: 'unreachable', reason: 'reset', host: 'forge.example' }));
				break;
			case 'keep answers':
				world.forge.afterwards = () => this.#slowly();
				break;
			case 'spoil disk':
				world.disk = (['full', 'unsure', 'unreadable'] as const)[of % 3] ?? 'full';
				break;
			case 'mend disk':
				world.disk = 'good';
				break;
			case 'move':
				this.place = of > 3 ? address : 'https://elsewhere.example';
				this.#windows.forEach(({ webhooks }) => webhooks.listenAt(this.place));
				break;
			case 'remove all':
				window?.webhooks.removeAll('watched', signal).catch(() => undefined);
		}
		await world.pass(waitMs);
	}

	/** Closes all windows but one, and makes every request succeed. */
	async rest(): Promise<WebhookWindow> {
		this.#windows.forEach((window) => window.end());
		this.world.forge.afterwards = () => Promise.resolve();
		this.world.disk = 'good';
		const last = this.#open(0, 'shared');
		await this.world.pass(20 * minuteMs);
		await this.world.pass(26 * 60 * minuteMs, 10 * minuteMs);
		return last;
	}

	#open(at: number, lease: 'shared' | 'alone'): WebhookWindow {
		const opened = this.world.open(lease);
		opened.webhooks.listenAt(this.place);
		this.#windows.set(at, opened);
		return opened;
	}

	/** Lets windows end in the middle of a request. */
	#slowly(): Promise<void> {
		return new Promise((resolve) => void this.world.clock.after(4000, resolve));
	}
}

suite('webhooks despite failing windows, requests and disks', function () {
	this.timeout(300_000);

	test('end as exactly the wanted ones, without duplicates, at their recorded paths', async () => {
		await fc.assert(
			fc.asyncProperty(steps, fc.subarray(refused), async (all, refusedEvents) => {
				const story = new Story(refusedEvents);
				const { world } = story;
				world.forge.hooks = [{ ...foreign, id: 0, createdMs: 0, family: alpha, token: world.forge.token }];
				for (const step of all) {
					await story.take(step);
				}
				const last = await story.rest();
				const [first, ...ours] = world.forge.hooks;
				assert.equal(first?.url, foreign.url);
				const book = world.book();
				const wants = [
					'user todo',
					'user git',
					'user lists',
					...world.trackers.map(({ owner, name }) => `tracker ${owner}/${name}`),
					...world.lists.map(({ owner, name }) => `list ${owner}/${name}`),
					...(world.repositories.length > 0 ? ['repository ~bob/quill'] : []),
				];
				assert.deepEqual(book.webhooks.map(({ family }) => webhookFamilyKey(family)).toSorted(), wants.toSorted());
				const shouldHave = book.webhooks.map(({ family, path, url }) => {
					assert.equal(url, `${story.place}${path}`);
					const group = eventGroupOf(family);
					const events = webhookEvents[group].all.filter((event) => !refusedEvents.includes(`${group} ${event}`));
					return `${webhookFamilyKey(family)} ${url} ${events.join(',')}`;
				});
				assert.deepEqual(
					ours.map((hook) => `${webhookFamilyKey(hook.family)} ${hook.url} ${hook.events.join(',')}`).toSorted(),
					shouldHave.toSorted(),
				);
				assert.deepEqual(
					last.webhooks.all().map(({ state }) => state.kind),
					wants.map(() => 'made'),
				);
				last.end();
			}),
			{ numRuns: counts({ small: 20, full: 500 }), seed: seed() },
		);
	});
});
