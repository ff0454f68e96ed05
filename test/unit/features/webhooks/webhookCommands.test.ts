import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import type { Connection } from '../../../../src/store/connection.ts';
import type { CommandId } from '../../../../src/commands/table.ts';
import type { Problem } from 'sourcehut/port/forgeError.ts';
import { abortReason, isAbort } from '@forge-desk/base/abort.ts';
import { nextTurn } from '@forge-desk/base/timeSlice.ts';
import { forEachArea, type ForgeInstance } from 'sourcehut/port/instance.ts';
import type { WebhookAccount, WebhookContext } from '../../../../src/features/webhooks/webhookContext.ts';
import type { ListeningState, ListeningRequest } from '../../../../src/store/listening/listening.ts';
import { addressFor, readPublicAddress } from '../../../../src/store/listening/publicAddress.ts';
import type { KnownWebhook, WebhookState } from '../../../../src/store/webhooks/accountWebhooks.ts';
import { fake } from '../../../support/fake.ts';
import { fakeAccountWebhooks, type FakeAccountWebhooks } from '../../../support/fakeAccountWebhooks.ts';
import { fakeClock, type FakeClock } from '../../../support/fakeClock.ts';
import { makeInstance } from '../../../support/makeSession.ts';
import { eventually } from '../../../support/eventually.ts';
import { quietLog } from '../../../support/quietLog.ts';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';

const { webhooksFeature } = await import('../../../../src/features/webhooks/webhooksFeature.ts');
const { removeAllWebhooks, removeBeforeTokenGoes } =
	await import('../../../../src/features/webhooks/removeWebhooks.ts');
const { problems } = await import('../../../../src/editor/ask/problems.ts');

const never = new AbortController().signal;
const place = { port: 4711, address: '127.0.0.1' };
const lamp = { owner: '~alice', name: 'lamp' };
const here = makeInstance({ name: 'Here', areas: forEachArea(() => 'http://127.0.0.1:5000') });

function known(state: WebhookState, family: KnownWebhook['family'] = { kind: 'repository', ref: lamp }): KnownWebhook {
	const path = `/${family.kind}`;
	return { family, events: ['repo:post-update'], path, url: `https://hooks.example${path}`, state };
}

const made: WebhookState = { kind: 'made', id: 7, verifiedMs: 0 };

/** A window with one account, and scripted webhooks and listener. */
interface Window {
	readonly account: FakeAccountWebhooks;
	readonly parts: WebhookContext;
	readonly clock: FakeClock;
	readonly run: (command: CommandId, signal?: AbortSignal) => Promise<void>;
	/** Sets the listener's state. */
	readonly become: (state: ListeningState) => void;
	readonly dispose: () => void;
	instance: ForgeInstance;
	/** Times of unsigned requests by path. */
	readonly forged: Map<string, number>;
	isOn: boolean;
	publicAddress: string;
	/** State of the listener after switching it on. */
	opens: ListeningState;
}

function openWindow(): Window {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<void>());
	const account = fakeAccountWebhooks();
	const clock = fakeClock();
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
	});
	const connection = (): WebhookAccount => ({
		me: '~alice',
		instance: window.instance,
		webhooks: account.webhooks,
	});
	const parts: WebhookContext = {
		connections: { all: () => [connection()] },
		listening: {
			get state() {
				return state;
			},
			onDidChange: changed.event,
			beginProbe: () => assert.fail('the command makes no call'),
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
		problems: problems(quietLog(), () => undefined, clock),
		clock,
	};
	const feature = owned.add(webhooksFeature(parts));
	const window: Window = {
		account,
		parts,
		clock,
		run: async (command, signal = never) => feature.commands[command]?.(undefined, signal, []),
		become,
		dispose: () => owned.dispose(),
		instance: makeInstance({ name: 'Example' }),
		forged: new Map(),
		isOn: false,
		publicAddress: 'https://hooks.example',
		opens: { kind: 'open', place },
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

	test('receiving asks for the public address that a remote forge needs, opens the listener, and leads to a test', async () => {
		window.publicAddress = '';
		stubbed.answers.push('https://hooks.example/forge/', 'Check Connection');
		await window.run('forge.webhooks.receive');
		assert.deepEqual([window.isOn, window.publicAddress], [true, 'https://hooks.example/forge/']);
		assert.deepEqual(stubbed.shown, ['Webhooks are received at 127.0.0.1:4711.']);
		assert.deepEqual(stubbed.executed, ['forge.checkConnection']);
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
		assert.deepEqual(stubbed.shown, ['Webhooks are received at 127.0.0.1:4711.']);
	});

	test('receiving waits while another window chooses its first port', async () => {
		window.opens = { kind: 'elsewhere', place: { ...place, port: 0 } };
		const receiving = window.run('forge.webhooks.receive');
		await nextTurn();
		assert.deepEqual([window.isOn, stubbed.shown], [true, []]);
		window.become({ kind: 'elsewhere', place });
		await receiving;
		assert.deepEqual(stubbed.shown, ['Webhooks are received by another window.']);
	});

	test('says that another window is about to receive webhooks while that window has no port', async () => {
		window.opens = { kind: 'elsewhere', place: { ...place, port: 0 } };
		const receiving = window.run('forge.webhooks.receive');
		await nextTurn();
		window.clock.advance(10_000);
		await receiving;
		assert.deepEqual(stubbed.shown, ['Webhooks are about to be received by another window.']);
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
