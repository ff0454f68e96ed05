import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import type { Connection } from '../../../../src/store/connection.ts';
import type { CommandId } from '../../../../src/commands/table.ts';
import { ForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import { abortReason, isAbort } from '@forge-desk/base/abort.ts';
import { nextTurn } from '@forge-desk/base/timeSlice.ts';
import { forEachArea, type ForgeInstance } from 'sourcehut/port/instance.ts';
import type { WebhookDelivery } from 'sourcehut/port/webhook.ts';
import type { WebhookAccount, WebhookContext } from '../../../../src/features/webhooks/webhookContext.ts';
import type { WebhookApi } from 'sourcehut/port/forge.ts';
import type { ListeningState, ListeningRequest } from '../../../../src/store/listening/listening.ts';
import type { PostDelivery } from '../../../../src/store/listening/probeAddress.ts';
import { addressFor, readPublicAddress } from '../../../../src/store/listening/publicAddress.ts';
import type { KnownWebhook, WebhookState } from '../../../../src/store/webhooks/accountWebhooks.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import type { FollowedRefs } from '../../../../src/store/shared/followedRefs.ts';
import { fake } from '../../../support/fake.ts';
import { fakeAccountWebhooks, type FakeAccountWebhooks } from '../../../support/fakeAccountWebhooks.ts';
import { fakeClock, type FakeClock } from '../../../support/fakeClock.ts';
import { makeInstance } from '../../../support/makeSession.ts';
import { makeRepository } from '../../../support/fakeRepositories.ts';
import { eventually } from '../../../support/eventually.ts';
import { quietLog } from '../../../support/quietLog.ts';
import { stubbedDocuments } from '../../../support/stubbedDocuments.ts';
import { resetStub, stubbed, ThemeIcon } from '../../../support/vscodeValues.ts';

type Own = WebhookAccount['repositories']['own'];

function repositoriesOf(own: Partial<Own>, followed: readonly RepositoryRef[]): WebhookAccount['repositories'] {
	return fake<WebhookAccount['repositories']>({
		own: fake<Own>(own),
		followed: fake<FollowedRefs>({ all: () => followed }),
	});
}

const { webhooksFeature } = await import('../../../../src/features/webhooks/webhooksFeature.ts');
const { removeAllWebhooks, removeBeforeTokenGoes } =
	await import('../../../../src/features/webhooks/removeWebhooks.ts');
const { pushMessages } = await import('../../../../src/features/webhooks/webhooksFeature.ts');
const { problems } = await import('../../../../src/editor/ask/problems.ts');

const never = new AbortController().signal;
const place = { port: 4711, address: '127.0.0.1' };
const lamp = { owner: '~alice', name: 'lamp' };
const here = makeInstance({ name: 'Here', areas: forEachArea(() => 'http://127.0.0.1:5000') });

function known(state: WebhookState, family: KnownWebhook['family'] = { kind: 'repository', ref: lamp }): KnownWebhook {
	const path = `/${family.kind}`;
	return { family, events: ['repo:post-update'], path, url: `https://hooks.example${path}`, isSync: false, state };
}

const made: WebhookState = { kind: 'made', id: 7, verifiedMs: 0 };

/** A window with one account, and scripted webhooks and listener. */
interface Window {
	readonly account: FakeAccountWebhooks;
	readonly parts: WebhookContext;
	readonly clock: FakeClock;
	/** Calls to the listener's address and the delivery log. */
	readonly calls: string[];
	readonly run: (command: CommandId, signal?: AbortSignal) => Promise<void>;
	/** Sets the listener's state. */
	readonly become: (state: ListeningState) => void;
	readonly dispose: () => void;
	instance: ForgeInstance;
	deliveries: readonly WebhookDelivery[];
	canSendAgain: boolean;
	canAnswerPushes: boolean;
	/** Times of unsigned requests by path. */
	readonly forged: Map<string, number>;
	isOn: boolean;
	publicAddress: string;
	/** State of the listener after switching it on. */
	opens: ListeningState;
	answer: PostDelivery;
}

function openWindow(): Window {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<void>());
	const account = fakeAccountWebhooks();
	const clock = fakeClock();
	const calls: string[] = [];
	let state: ListeningState = { kind: 'off' };
	const become = (next: ListeningState): void => {
		state = next;
		changed.fire();
	};
	const listens = (): boolean => state.kind === 'open' || (state.kind === 'elsewhere' && state.place.port !== 0);
	const wish = (): ListeningRequest => ({
		isOn: window.isOn,
		port: 0,
		address: '127.0.0.1',
		publicAddress: readPublicAddress(window.publicAddress),
		pushMessage: '',
	});
	const redeliver = (): never => assert.fail('The journal sends deliveries again');
	const log = () =>
		fake<WebhookApi>({
			async *deliveries(family, id) {
				calls.push(`deliveries ${family.kind} ${id}`);
				yield await Promise.resolve({ items: window.deliveries, seen: 0, completeness: { kind: 'complete' } });
			},
			offers: () => ({
				events: { all: [], doubtful: [] },
				isSyncPossible: window.canAnswerPushes,
				areOfPerson: false,
				...(window.canSendAgain ? { redeliver } : {}),
			}),
		});
	const connection = (): WebhookAccount => ({
		me: '~alice',
		instance: window.instance,
		webhooks: {
			...account.webhooks,
			log: log(),
			sendAgain: async (family, { webhookId, delivery }) =>
				void calls.push(`send again ${family.kind} ${webhookId} ${delivery.id}`),
		},
		repositories: repositoriesOf(
			{
				first: async () => ({
					items: [makeRepository('lamp', { owner: undefined })],
					completeness: { kind: 'complete' },
				}),
				more: () => Promise.reject(new Error('there are no more')),
			},
			[{ owner: '~bob', name: 'shed' }],
		),
	});
	const parts: WebhookContext = {
		connections: { all: () => [connection()] },
		listening: {
			get state() {
				return state;
			},
			onDidChange: changed.event,
			beginProbe: async () => (listens() ? { path: '/probe', text: '/secret', dispose: () => undefined } : undefined),
			takeAgain: async ({ path, id }) => void calls.push(`take again ${path} ${id}`),
			addressFor: (instance) =>
				listens()
					? addressFor(instance, { publicAddress: wish().publicAddress, ownAddress: 'http://127.0.0.1:4711' })
					: undefined,
			lastArrivalMs: (path) => (path === '/list' ? clock.nowMs() - 180_000 : undefined),
			lastForgedMs: (path) => window.forged.get(path),
			dispose: () => undefined,
		},
		settings: {
			current: wish,
			onDidChange: () => ({ dispose: () => undefined }),
			async setOn(isOn) {
				window.isOn = isOn;
				become(isOn ? window.opens : { kind: 'off' });
			},
			setPublicAddress: async (address) => void (window.publicAddress = address),
		},
		post(call, signal) {
			calls.push(`${call.origin}${call.path}`);
			return window.answer(call, signal);
		},
		problems: problems(quietLog(), () => undefined, clock),
		clock,
	};
	const feature = owned.add(webhooksFeature(parts));
	const window: Window = {
		account,
		parts,
		clock,
		calls,
		run: async (command, signal = never) => feature.commands[command]?.(undefined, signal, []),
		become,
		dispose: () => owned.dispose(),
		instance: makeInstance({ name: 'Example' }),
		deliveries: [],
		canSendAgain: true,
		canAnswerPushes: true,
		forged: new Map(),
		isOn: false,
		publicAddress: 'https://hooks.example',
		opens: { kind: 'open', place },
		answer: async ({ headers }) => ({ status: 200, text: `/${headers['X-Webhook-Delivery']}` }),
	};
	return window;
}

suite('webhook commands', () => {
	let window: Window;
	setup(() => {
		resetStub();
		window = openWindow();
	});
	teardown(() => window.dispose());

	test('receiving asks for the public address that a remote forge needs, opens the listener, and tests the address', async () => {
		window.publicAddress = '';
		stubbed.answers.push('https://hooks.example/forge/');
		await window.run('forge.webhooks.receive');
		assert.deepEqual([window.isOn, window.publicAddress], [true, 'https://hooks.example/forge/']);
		assert.deepEqual(window.calls, ['https://hooks.example/forge/probe']);
		assert.deepEqual(stubbed.shown, ['https://hooks.example/forge leads to Forge Desk.']);
	});

	test('receiving changes nothing when the user closes the question', async () => {
		window.publicAddress = '';
		stubbed.answers.push(undefined);
		await assert.rejects(window.run('forge.webhooks.receive'), { name: 'AbortError' });
		assert.deepEqual([window.isOn, window.publicAddress], [false, '']);
	});

	test('receiving needs no public address for a forge on this computer', async () => {
		window.publicAddress = '';
		window.instance = here;
		await window.run('forge.webhooks.receive');
		assert.deepEqual(window.calls, ['http://127.0.0.1:4711/probe']);
		assert.deepEqual(stubbed.shown, ['Webhooks of forges on this computer arrive.']);
	});

	test('receiving waits while another window chooses its first port', async () => {
		window.opens = { kind: 'elsewhere', place: { ...place, port: 0 } };
		const receiving = window.run('forge.webhooks.receive');
		await nextTurn();
		assert.deepEqual([window.isOn, stubbed.shown], [true, []]);
		window.become({ kind: 'elsewhere', place });
		await receiving;
		assert.deepEqual(stubbed.shown, ['https://hooks.example leads to Forge Desk.']);
	});

	test('says that another window is about to receive webhooks while that window has no port', async () => {
		window.opens = { kind: 'elsewhere', place: { ...place, port: 0 } };
		const receiving = window.run('forge.webhooks.receive');
		await nextTurn();
		window.clock.advance(10_000);
		await receiving;
		await window.run('forge.webhooks.test');
		const told = 'Webhooks are about to be received by another window.';
		assert.deepEqual([stubbed.shown, window.calls], [[told, told], []]);
	});

	test('reports a taken port once, and later a refused address', async () => {
		window.opens = { kind: 'portTaken', place };
		await window.run('forge.webhooks.receive');
		window.become({ kind: 'opening', place });
		window.become({ kind: 'portTaken', place });
		assert.equal(stubbed.shown.length, 1);
		assert.match(stubbed.shown[0] ?? '', /^Webhooks are not received: another program uses 127\.0\.0\.1:4711\./);
		window.become({ kind: 'open', place });
		window.become({ kind: 'placeRefused', place: { port: 80, address: '::1' }, code: 'EACCES' });
		assert.match(stubbed.shown[1] ?? '', /not allow listening at \[::1\]:80 \(EACCES\)/);
	});

	for (const [what, answer, told] of [
		['a foreign response', async () => ({ status: 502, text: '' }), /does not lead to Forge Desk.* HTTP status 502/],
		[
			'a response under another host name',
			async () => ({ status: 200, text: '/secret upstream:8080' }),
			/leads to Forge Desk.* "upstream:8080".* hooks\.example/,
		],
		[
			'no response',
			() => Promise.reject(new ForgeError({ kind: 'unreachable', reason: 'dns', host: 'hooks.example' })),
			/^https:\/\/hooks\.example could not be reached from this computer\. /,
		],
	] satisfies readonly (readonly [string, PostDelivery, RegExp])[]) {
		test(`reports an address test that gets ${what}, and opens the settings`, async () => {
			window.become({ kind: 'open', place });
			window.answer = answer;
			stubbed.answers.push('Open Settings');
			await window.run('forge.webhooks.test');
			assert.match(stubbed.shown[0] ?? '', told);
			assert.deepEqual(stubbed.executed, ['workbench.action.openSettings']);
		});
	}

	test('testing without a listener or a usable address names the missing part', async () => {
		stubbed.answers.push(undefined, undefined);
		await window.run('forge.webhooks.test');
		window.become({ kind: 'open', place });
		window.publicAddress = 'no address';
		await window.run('forge.webhooks.test');
		assert.deepEqual(window.calls, []);
		assert.equal(stubbed.shown[0], 'Webhooks are not received.');
		assert.match(stubbed.shown[1] ?? '', /"forge\.webhooks\.publicAddress" has no usable URL/);
	});

	test('shows each webhook with its state, below the listening address', async () => {
		window.become({ kind: 'open', place });
		window.account.known = [
			known(made, { kind: 'list', ref: { owner: '~alice', name: 'de\u202evel' } }),
			known(made),
			known({ kind: 'refused', problem: { kind: 'notAllowed' }, againMs: 0 }, { kind: 'tracker', ref: lamp }),
			known({ kind: 'wanted' }, { kind: 'user', area: 'git' }),
		];
		window.account.lost = [{ family: { kind: 'user', area: 'todo' }, url: 'https://old.example/a', id: 3, lostMs: 0 }];
		stubbed.answers.push(undefined);
		await assert.rejects(window.run('forge.webhooks.show'), { name: 'AbortError' });
		assert.equal(stubbed.asked[0], 'Webhooks are received at 127.0.0.1:4711.');
		assert.deepEqual(offeredRows(), [
			'~alice on Example',
			'~alice/de⟨U+202E⟩vel: last received 3 minutes ago',
			'~alice/lamp: no delivery in this window yet',
			'~alice/lamp: not offered by the server; read regularly instead',
			'Your repositories: not created yet',
			'Your trackers: could not be removed',
		]);
	});

	test('a window that does not listen shows that another window receives the deliveries', async () => {
		window.become({ kind: 'elsewhere', place });
		window.account.known = [known(made)];
		stubbed.answers.push(undefined);
		await assert.rejects(window.run('forge.webhooks.show'), { name: 'AbortError' });
		assert.equal(stubbed.asked[0], 'Webhooks are received by another window.');
		assert.deepEqual(offeredRows(), ['~alice on Example', '~alice/lamp: received by another window']);
	});

	test('show says that webhooks are not received when the listener is off and none exist', async () => {
		await window.run('forge.webhooks.show');
		assert.deepEqual(stubbed.shown, ['Webhooks are not received.']);
	});

	test('warns about an unsigned request unless an accepted delivery proves the key', async () => {
		const list: KnownWebhook['family'] = { kind: 'list', ref: { owner: '~alice', name: 'devel' } };
		window.account.known = [known(made), known(made, list)];
		const details = async (): Promise<readonly unknown[]> => {
			stubbed.answers.push(undefined);
			await assert.rejects(window.run('forge.webhooks.show'), isAbort);
			return stubbed.offered.flatMap(({ detail }) => (detail === undefined ? [] : [detail]));
		};
		const nowMs = window.clock.nowMs();
		window.forged.set('/repository', nowMs - 120_000);
		const doubt =
			'What came 2 minutes ago was ignored: it is not signed with the key of this forge. Check "webhookKey" in the settings.';
		assert.deepEqual(await details(), ['repo:post-update', 'repo:post-update']);
		window.account.known = [known(made)];
		assert.deepEqual(await details(), [doubt]);
	});

	test('sends a lost delivery again', async () => {
		window.account.known = [known(made)];
		const delivery = { url: '', payload: '{}', createdMs: window.clock.nowMs(), extra: [] };
		window.deliveries = [
			{ ...delivery, event: 'one', id: 'a', responseStatus: 204, response: '' },
			{ ...delivery, event: 'two', id: 'b', responseStatus: -2, response: undefined },
		];
		stubbed.answers.push('~alice/lamp', 'Show Deliveries…', 'two', 'Send Again');
		await window.run('forge.webhooks.show');
		assert.deepEqual(window.calls, [
			'deliveries repository 7',
			'take again /repository b',
			'send again repository 7 b',
		]);
	});

	test('says when the list has only the newest deliveries', async () => {
		window.account.known = [known(made)];
		const delivery = {
			url: '',
			payload: '{}',
			createdMs: 0,
			event: 'one',
			responseStatus: 204,
			response: '',
			extra: [],
		};
		for (const count of [100, 101]) {
			window.deliveries = Array.from({ length: count }, (_, at) => ({ ...delivery, id: String(at) }));
			stubbed.answers.push('~alice/lamp', 'Show Deliveries…', undefined);
			await assert.rejects(window.run('forge.webhooks.show'), isAbort);
			assert.equal(stubbed.hints.at(-1) === 'The newest 100 deliveries. Older ones are not listed.', count > 100);
		}
	});

	test('gives failed deliveries a warning icon and successful ones a check', async () => {
		window.account.known = [known(made)];
		const delivery = { url: '', payload: '{}', createdMs: window.clock.nowMs(), response: '', extra: [] };
		window.deliveries = [200, 204, 302, 404, 500, -1].map((responseStatus) => ({
			...delivery,
			event: String(responseStatus),
			id: String(responseStatus),
			responseStatus,
		}));
		stubbed.answers.push('~alice/lamp', 'Show Deliveries…', undefined);
		await assert.rejects(window.run('forge.webhooks.show'), isAbort);
		assert.deepEqual(
			stubbed.offered.map(({ label, iconPath }) => [label, iconPath instanceof ThemeIcon && iconPath.id]),
			[
				['200', 'check'],
				['204', 'check'],
				['302', 'warning'],
				['404', 'warning'],
				['500', 'warning'],
				['-1', 'warning'],
			],
		);
	});

	test('opens the content of a delivery as a document, even when the forge truncated it', async () => {
		window.account.known = [known(made)];
		const delivery = { url: '', createdMs: window.clock.nowMs(), responseStatus: 204, response: '', extra: [] };
		window.deliveries = [
			{ ...delivery, event: 'whole', id: 'a', payload: '{"id":1,"name":"lamp"}' },
			{ ...delivery, event: 'cut', id: 'b', payload: '{"id":1,"na' },
		];
		stubbed.answers.push('~alice/lamp', 'Show Deliveries…', 'whole', 'Show Content');
		await window.run('forge.webhooks.show');
		stubbed.answers.push('~alice/lamp', 'Show Deliveries…', 'cut', 'Show Content');
		await window.run('forge.webhooks.show');
		const texts = stubbedDocuments.open.map((document) => document.getText());
		assert.deepEqual(texts, ['{\n\t"id": 1,\n\t"name": "lamp"\n}', '{"id":1,"na']);
	});

	test('cuts very large content at the editor’s limit, and leaves deeply nested content unindented', async () => {
		window.account.known = [known(made)];
		const delivery = { url: '', createdMs: window.clock.nowMs(), responseStatus: 204, response: '', extra: [] };
		const nested = `${'['.repeat(2000)}${']'.repeat(2000)}`;
		window.deliveries = [
			{ ...delivery, event: 'large', id: 'a', payload: JSON.stringify({ text: 'x'.repeat(3_000_000) }) },
			{ ...delivery, event: 'nested', id: 'b', payload: nested },
		];
		stubbed.answers.push('~alice/lamp', 'Show Deliveries…', 'large', 'Show Content', undefined);
		await window.run('forge.webhooks.show');
		stubbed.answers.push('~alice/lamp', 'Show Deliveries…', 'nested', 'Show Content');
		await window.run('forge.webhooks.show');
		const texts = stubbedDocuments.open.map((document) => document.getText());
		assert.deepEqual(
			texts.map((text) => text.length),
			[1_000_000, nested.length],
		);
		assert.ok(
			stubbed.shown.some((text) => text.startsWith('The content is too large.')),
			stubbed.shown.join(),
		);
	});

	test('offers only the content of a delivery when the forge cannot send it again', async () => {
		window.account.known = [known(made)];
		const delivery = { url: '', payload: '{}', createdMs: window.clock.nowMs(), responseStatus: 204, extra: [] };
		window.deliveries = [{ ...delivery, event: 'one', id: 'a', response: '' }];
		window.canSendAgain = false;
		stubbed.answers.push('~alice/lamp', 'Show Deliveries…', 'one', undefined);
		await assert.rejects(window.run('forge.webhooks.show'), isAbort);
		assert.deepEqual(
			stubbed.offered.map(({ label, detail }) => [label, detail]),
			[['Show Content', 'This forge does not send a delivery again.']],
		);
	});

	test('says when a webhook has received nothing yet', async () => {
		window.account.known = [known(made)];
		stubbed.answers.push('~alice/lamp', 'Show Deliveries…');
		await window.run('forge.webhooks.show');
		assert.deepEqual(stubbed.shown, ['The forge has sent nothing to this webhook yet.']);
	});

	test('switches push messages on for checked repositories and off for the others', async () => {
		await window.account.webhooks.setSync({ owner: '~bob', name: 'shed' }, true);
		stubbed.answers.push('~alice/lamp');
		await window.run('forge.webhooks.pushMessages');
		assert.deepEqual(window.account.asked.slice(1), ['answer ~alice/lamp', 'do not answer ~bob/shed']);
	});

	test('offers push messages for the repositories of all pages', async () => {
		const [connection] = window.parts.connections.all();
		let pages = 1;
		const read: Own['first'] = async () => ({
			items: ['one', 'two', 'three'].slice(0, pages).map((name) => makeRepository(name, { owner: undefined })),
			completeness: pages < 3 ? { kind: 'more', total: 3 } : { kind: 'complete' },
		});
		const repositories = repositoriesOf(
			{
				first: read,
				more(signal) {
					pages += 1;
					return read(signal);
				},
			},
			[],
		);
		stubbed.answers.push('~alice/three');
		await pushMessages({ ...window.parts, connections: { all: () => [{ ...connection!, repositories }] } }, never);
		assert.deepEqual(offeredRows(), ['~alice on Example', '~alice/one', '~alice/two', '~alice/three']);
		assert.deepEqual(window.account.asked, ['answer ~alice/three']);
	});

	test('offers push messages for readable accounts, and names the account that failed to load', async () => {
		const [connection] = window.parts.connections.all();
		const problem: Problem = { kind: 'unreachable', reason: 'refused', host: 'git.forge.test' };
		const away: WebhookAccount = {
			...connection!,
			me: '~bob',
			repositories: repositoriesOf({ first: () => Promise.reject(new ForgeError(problem)) }, [
				{ owner: '~bob', name: 'shed' },
			]),
		};
		stubbed.answers.push('~alice/lamp');
		const parts = (all: readonly WebhookAccount[]): WebhookContext => ({
			...window.parts,
			connections: { all: () => all },
		});
		await pushMessages(parts([away, connection!]), never);
		assert.deepEqual(offeredRows(), ['~alice on Example', '~alice/lamp', '~bob/shed']);
		assert.deepEqual(window.account.asked, ['answer ~alice/lamp']);
		assert.equal(stubbed.warned.length, 1);
		assert.match(stubbed.warned[0] ?? '', /^The repositories of ~bob on Example could not be loaded\. /);
		stubbed.answers.push('~alice/lamp');
		await assert.rejects(pushMessages(parts([away, away]), never), { problem });
	});

	test('offers no push messages for a forge that cannot print them', async () => {
		window.canAnswerPushes = false;
		window.account.known = [known(made)];
		await window.run('forge.webhooks.pushMessages');
		assert.deepEqual(stubbed.shown, ['Your forges do not print messages to those who push.']);
		stubbed.answers.push('~alice/lamp', undefined);
		await assert.rejects(window.run('forge.webhooks.show'), isAbort);
		assert.deepEqual(
			stubbed.offered.map(({ label }) => label),
			['Show Deliveries…', 'Copy URL', 'Check All Webhooks'],
		);
	});

	test('removing all stops the listener and names the webhooks left', async () => {
		window.isOn = true;
		window.account.known = [known(made)];
		const family: KnownWebhook['family'] = { kind: 'list', ref: lamp };
		window.account.removal = async () => ({
			removed: 1,
			left: [{ family, url: 'https://hooks.example/a', why: { kind: 'notAllowed' } }],
		});
		stubbed.answers.push('Remove Webhooks', 'Show', 'Copy All');
		await window.run('forge.webhooks.removeAll');
		assert.deepEqual([window.isOn, window.account.asked], [false, ['remove all, looking at everything']]);
		assert.match(
			stubbed.shown[1] ?? '',
			/^1 webhook was removed\. Example doesn't allow removing others\. Remove them on the pages of Example\.$/,
		);
		assert.match(
			stubbed.details.at(-1) ?? '',
			/^~alice\/lamp \(https:\/\/hooks\.example\/a\): The forge does not allow/,
		);
		assert.deepEqual(stubbed.copied, [stubbed.details.at(-1)]);
	});

	test('removing all says that webhooks may still exist when the forge does not respond', async () => {
		window.account.known = [known(made)];
		const why: Problem = { kind: 'unreachable', reason: 'offline', host: 'lists.forge.test' };
		const family: KnownWebhook['family'] = { kind: 'list', ref: lamp };
		window.account.removal = async () => ({ removed: 0, left: [{ family, url: 'https://hooks.example/a', why }] });
		stubbed.answers.push('Remove Webhooks', undefined);
		await window.run('forge.webhooks.removeAll');
		assert.equal(
			stubbed.shown[1],
			'0 webhooks were removed. Others may still exist on Example. Remove them on the pages of Example.',
		);
	});

	test('removing all also names webhooks that an earlier removal left behind', async () => {
		window.account.known = [known(made)];
		window.account.lost = [{ family: { kind: 'user', area: 'todo' }, url: 'https://old.example/a', id: 3, lostMs: 0 }];
		stubbed.answers.push('Remove Webhooks', 'Show', undefined);
		await window.run('forge.webhooks.removeAll');
		assert.match(
			stubbed.shown[1] ?? '',
			/^1 webhook was removed\. Example doesn't allow removing others\. Remove them on the pages of Example\.$/,
		);
		assert.match(stubbed.details.at(-1) ?? '', /^Your trackers \(https:\/\/old\.example\/a\): /);
	});

	test('removing all covers every account', async () => {
		const [first, second] = [window.account, fakeAccountWebhooks()];
		first.known = [known(made)];
		second.known = [known(made), known(made, { kind: 'list', ref: lamp })];
		const [connection] = window.parts.connections.all();
		const all = [first, second].map(({ webhooks }) => ({ ...connection!, webhooks }));
		stubbed.answers.push('Remove Webhooks', undefined);
		await removeAllWebhooks({ ...window.parts, connections: { all: () => all } }, never);
		const asked = ['remove all, looking at everything'];
		assert.deepEqual([first.asked, second.asked], [asked, asked]);
		assert.equal(stubbed.shown[1], '3 webhooks were removed.');
	});

	test('a removal cancelled in the second account counts the removed webhooks and lists the rest', async () => {
		const [first, second, third] = [window.account, fakeAccountWebhooks(), fakeAccountWebhooks()];
		first.known = [known(made)];
		second.known = [known(made), known(made, { kind: 'list', ref: lamp })];
		second.removal = () => {
			second.known = second.known.slice(1);
			return Promise.reject(new DOMException('cancelled', 'AbortError'));
		};
		third.known = [known(made, { kind: 'tracker', ref: lamp }), known({ kind: 'wanted' })].map((each, at) =>
			at === 0 ? each : { ...each, url: undefined },
		);
		const [connection] = window.parts.connections.all();
		const all = [first, second, third].map(({ webhooks }) => ({ ...connection!, webhooks }));
		stubbed.answers.push('Remove Webhooks', 'Show', undefined);
		await removeAllWebhooks({ ...window.parts, connections: { all: () => all } }, never);
		assert.match(stubbed.shown[1] ?? '', /^2 webhooks were removed\. .*cancelled.* again/);
		assert.equal(
			stubbed.details.at(-1),
			'~alice/lamp (https://hooks.example/list)\n~alice/lamp (https://hooks.example/tracker)',
		);
		assert.deepEqual(third.asked, []);
	});

	test('a removal that ends with its window shows no result', async () => {
		window.account.known = [known(made)];
		const ending = new AbortController();
		window.account.removal = () => {
			ending.abort();
			return Promise.reject(abortReason(ending.signal));
		};
		stubbed.answers.push('Remove Webhooks');
		await assert.rejects(removeAllWebhooks(window.parts, ending.signal), isAbort);
		assert.equal(stubbed.shown.length, 1);
	});

	test('removing all changes nothing without a confirmation', async () => {
		window.isOn = true;
		stubbed.answers.push(undefined);
		await window.run('forge.webhooks.removeAll');
		assert.deepEqual([window.isOn, window.account.asked], [true, []]);
	});

	test('the check command repairs the webhooks and shows progress', async () => {
		window.account.known = [known(made)];
		await window.run('forge.webhooks.check');
		assert.deepEqual([window.account.asked, stubbed.shown], [['repair'], ['Checking the webhooks…']]);
	});

	test('a check of waiting webhooks says why and how long they wait', async () => {
		const againMs = window.clock.nowMs() + 5 * 60_000;
		const problem = { kind: 'rateLimited', untilMs: againMs } as const;
		window.account.known = [known(made), known({ kind: 'failed', problem, againMs })];
		await window.run('forge.webhooks.check');
		assert.match(stubbed.shown.at(-1) ?? '', /^Webhooks that have to wait: 1\. .*[Tt]oo many requests.* after \d/);
	});

	test('a check without webhooks names the command that creates them', async () => {
		await window.run('forge.webhooks.check');
		assert.match(stubbed.shown.at(-1) ?? '', /Receive Webhooks/);
	});
});

suite('webhook removal before sign-out', () => {
	let window: Window;
	let removings: number;
	setup(() => {
		resetStub();
		window = openWindow();
		removings = 0;
	});
	teardown(() => window.dispose());

	const leave = (signal: AbortSignal): Promise<void> =>
		removeBeforeTokenGoes(
			fake<Connection>({ webhooks: window.account.webhooks, instance: here }),
			window.parts.clock,
			window.parts.problems,
			() => (removings += 1),
			signal,
		);

	test('removes the webhooks without a message', async () => {
		window.account.known = [known(made)];
		await leave(never);
		assert.deepEqual([window.account.asked, stubbed.shown], [['remove all'], []]);
		assert.equal(removings, 1);
	});

	test('makes no request when no webhook exists on the forge', async () => {
		window.account.known = [{ ...known({ kind: 'wanted' }), url: undefined, path: undefined }];
		await leave(never);
		assert.deepEqual([window.account.asked, removings], [[], 0]);
	});

	for (const urls of [[], ['https://hooks.example/repository']]) {
		test(`names webhooks that an earlier removal left behind, beside ${urls.length} removable ones`, async () => {
			window.account.known = urls.map((url) => ({ ...known(made), url }));
			window.account.lost = [
				{ family: { kind: 'user', area: 'todo' }, url: 'https://old.example/a', id: 3, lostMs: 0 },
			];
			stubbed.answers.push('Show', undefined);
			await leave(never);
			await eventually(async () => stubbed.details.at(-1)?.startsWith('Your trackers (https://old.example/a): '), true);
			assert.equal(window.account.asked.length, urls.length);
		});
	}

	test('gives up on a slow forge and names the remaining webhooks', async () => {
		window.account.known = [known(made)];
		window.account.removal = (signal) =>
			new Promise((_, reject) => {
				signal.addEventListener('abort', () => reject(abortReason(signal)));
			});
		stubbed.answers.push('Show', undefined);
		const leaving = leave(never);
		await eventually(async () => window.account.asked.length, 1);
		window.clock.advance(20_000);
		await leaving;
		await eventually(async () => stubbed.details.at(-1), 'https://hooks.example/repository');
		assert.equal(stubbed.shown[0], 'Some webhooks may still exist on Here. Remove them on the pages of Here.');
	});

	for (const [why, text] of [
		[{ kind: 'notAllowed' }, "Here doesn't allow removing some webhooks. Remove them on the pages of Here."],
		[{ kind: 'serverError', status: 500 }, 'Some webhooks may still exist on Here. Remove them on the pages of Here.'],
	] as const) {
		test(`reports the remaining webhooks after ${why.kind}`, async () => {
			const { family } = known(made);
			window.account.known = [known(made)];
			window.account.removal = async () => ({ removed: 0, left: [{ family, url: 'https://hooks.example/a', why }] });
			stubbed.answers.push(undefined);
			await leave(never);
			assert.deepEqual(stubbed.shown, [text]);
		});
	}

	test('ends without a message when the user cancels the sign-out', async () => {
		window.account.known = [known(made)];
		const calledOff = new AbortController();
		window.account.removal = async (signal) => {
			calledOff.abort();
			signal.throwIfAborted();
			return { removed: 0, left: [] };
		};
		await assert.rejects(leave(calledOff.signal), { name: 'AbortError' });
		assert.deepEqual(stubbed.shown, []);
	});
});

/** Items of the last quick pick, each with its description. */
function offeredRows(): readonly string[] {
	return stubbed.offered.map(({ label, description }) => [label, ...(description ? [description] : [])].join(': '));
}
