import assert from 'node:assert/strict';
import { Emitter } from '@forge-desk/base/event.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { webhookFamilyKey, type WebhookFamily } from 'sourcehut/port/webhook.ts';
import { isHookPath } from '../../../../src/machine/listener/hookPath.ts';
import { makeRepository } from '../../../support/fakeRepositories.ts';
import { address, turns, WebhookWorld } from '../../../support/webhookWorld.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const alpha: WebhookFamily = { kind: 'tracker', ref: { owner: '~alice', name: 'alpha' } };
const quill: WebhookFamily = { kind: 'repository', ref: { owner: '~bob', name: 'quill' } };
const userKeys = ['user git', 'user lists', 'user todo'];
const signal = new AbortController().signal;

/** Webhook families of the forge, without URLs. */
function families(world: WebhookWorld): readonly string[] {
	return world.forge.there().map((each) => each.slice(0, each.lastIndexOf(' ')));
}

function follows(): WebhookWorld {
	const world = new WebhookWorld();
	world.follow({ trackers: ['~alice/alpha'], lists: ['~alice/devel'], repositories: ['~bob/quill'] });
	return world;
}

const followedKeys = [...userKeys, 'list ~alice/devel', 'repository ~bob/quill', 'tracker ~alice/alpha'].toSorted();

suite('webhook sync', () => {
	test('changes nothing until it knows whether a listener runs', async () => {
		const world = follows();
		const window = world.open();
		await world.pass(10 * minuteMs);
		assert.deepEqual([world.forge.calls, world.kept.read(), window.webhooks.all()], [[], undefined, []]);
		window.end();
	});

	test('ignores webhooks of another computer, even with the same address and token', async () => {
		const one = follows();
		const other = new WebhookWorld(one.forge.api, 'other');
		other.follow({ trackers: ['~alice/alpha'] });
		const [window, otherWindow] = [one.open(), other.open()];
		[window, otherWindow].forEach(({ webhooks }) => webhooks.listenAt(address));
		await one.pass(10 * minuteMs);
		await other.pass(10 * minuteMs);
		await window.webhooks.repair();
		await otherWindow.webhooks.repair();
		await one.pass(10 * minuteMs);
		await other.pass(10 * minuteMs);
		assert.deepEqual(families(one).toSorted(), [...followedKeys, ...userKeys, 'tracker ~alice/alpha'].toSorted());
		assert.equal((await otherWindow.webhooks.removeAll('watched', signal)).removed, 4);
		assert.deepEqual(families(one), followedKeys);
		window.end();
		otherWindow.end();
	});

	test('makes all polls due after possibly missed deliveries', async () => {
		const world = follows();
		const window = world.open();
		assert.equal(window.hurried(), 0);
		window.webhooks.deliveries.missed();
		assert.equal(window.hurried(), 1);
		window.end();
	});

	test('creates webhooks for everything followed, and records each before its request', async () => {
		const world = follows();
		world.forge.before = (call) => {
			const booked = world.book().webhooks.map(({ url }) => url);
			assert.ok(!call.startsWith('create') || booked.length === world.forge.hooks.length + 1, call);
			return Promise.resolve();
		};
		const window = world.open();
		window.webhooks.listenAt(address);
		assert.deepEqual(
			window.webhooks.all().map(({ state }) => state.kind),
			Array.from({ length: 6 }, () => 'wanted'),
		);
		await world.pass(5 * minuteMs);
		assert.deepEqual(families(world), followedKeys);
		for (const { url, events, family } of world.forge.hooks) {
			assert.ok(url.startsWith(`${address}/`) && isHookPath(url.slice(address.length)), url);
			const known = window.webhooks.at(url.slice(address.length));
			assert.deepEqual([known?.family, known?.state.kind, known?.events], [family, 'made', events]);
		}
		assert.equal(new Set(world.forge.hooks.map(({ url }) => url)).size, 6);
		assert.equal(window.webhooks.at('/nothing'), undefined);
		window.end();
	});

	test('creates webhooks for watched things too, own, followed or neither, until the choice ends', async () => {
		const world = follows();
		const window = world.open();
		window.webhooks.listenAt(address);
		const chosen = [
			'tracker ~bob/Gamma',
			'list ~bob/talk',
			'thread ~carol/letters 7',
			'repository ~alice/wick',
			'ticket ~bob/Delta#3',
		];
		chosen.forEach((name) => world.inbox.choose(name, 'everything'));
		world.inbox.choose('ticket ~alice/alpha#1', 'concerns');
		world.inbox.choose('ticket ~bob/Delta#4', 'nothing');
		await world.pass(5 * minuteMs);
		assert.deepEqual(
			families(world).filter((each) => !followedKeys.includes(each)),
			['list ~bob/talk', 'list ~carol/letters', 'repository ~alice/wick', 'ticket ~bob/delta#3', 'tracker ~bob/gamma'],
		);
		chosen.forEach((name) => world.inbox.choose(name, 'usual'));
		await world.pass(5 * minuteMs);
		assert.deepEqual(families(world), followedKeys);
		window.end();
	});

	test('deletes webhooks for unfollowed or muted things, and without a listener', async () => {
		const world = follows();
		const foreign = { url: 'https://other.example/hook', events: ['label:create'] };
		await world.forge.api.create(alpha, foreign, signal);
		const window = world.open();
		window.webhooks.listenAt(address);
		await world.pass(5 * minuteMs);
		world.follow({ lists: [] });
		await world.pass(minuteMs);
		assert.deepEqual(
			families(world).filter((each) => each.startsWith('list')),
			[],
		);
		world.inbox.choose('repository ~bob/quill', 'nothing');
		await world.pass(minuteMs);
		assert.deepEqual(
			families(world).filter((each) => each.startsWith('repository')),
			[],
		);
		window.webhooks.listenAt(undefined);
		assert.deepEqual([...new Set(window.webhooks.all().map(({ state }) => state.kind))], ['leaving']);
		await world.pass(5 * minuteMs);
		assert.deepEqual(world.forge.there(), ['tracker ~alice/alpha https://other.example/hook']);
		assert.deepEqual([window.webhooks.all(), world.book().webhooks], [[], []]);
		window.end();
	});

	test('keeps webhooks while the followed things are still loading', async () => {
		const world = follows();
		const first = world.open();
		first.webhooks.listenAt(address);
		await world.pass(5 * minuteMs);
		first.end();
		world.isReading = true;
		world.trackers = [];
		const second = world.open();
		second.webhooks.listenAt(address);
		await world.pass(30 * minuteMs);
		assert.deepEqual(families(world), followedKeys);
		world.isReading = false;
		world.follow({});
		await world.pass(5 * minuteMs);
		assert.deepEqual(
			families(world),
			followedKeys.filter((key) => !key.startsWith('tracker')),
		);
		second.end();
	});

	test('lists webhooks once in a new window and once a day, and keeps their paths', async () => {
		const world = follows();
		const first = world.open();
		first.webhooks.listenAt(address);
		await world.pass(5 * minuteMs);
		const made = world.forge.there();
		first.end();
		world.forge.calls.length = 0;
		const second = world.open();
		second.webhooks.listenAt(address);
		await world.pass(30 * minuteMs);
		assert.deepEqual(
			world.forge.calls.toSorted(),
			followedKeys.map((key) => `list ${key}`),
		);
		await world.pass(dayMs, minuteMs);
		assert.equal(world.forge.calls.length, 12);
		assert.deepEqual(world.forge.there(), made);
		second.end();
	});

	test('creates webhooks at a new address before it deletes the old ones', async () => {
		const world = follows();
		const window = world.open();
		window.webhooks.listenAt(address);
		await world.pass(5 * minuteMs);
		const before = world.forge.there();
		const counts: number[] = [];
		world.forge.before = () => {
			counts.push(families(world).length);
			return Promise.resolve();
		};
		window.webhooks.listenAt('https://elsewhere.example');
		await world.pass(5 * minuteMs);
		assert.deepEqual(
			world.forge.there(),
			before.map((each) => each.replace(address, 'https://elsewhere.example')),
		);
		assert.equal(Math.min(...counts), 6);
		window.end();
	});

	test('changes nothing in a window that doesn’t know about the listener', async () => {
		const world = follows();
		const first = world.open();
		first.webhooks.listenAt(address);
		await world.pass(5 * minuteMs);
		first.end();
		const [asked, text] = [world.forge.calls.length, world.kept.read()];
		const second = world.open();
		await world.pass(30 * minuteMs);
		assert.deepEqual([world.forge.calls.length, world.kept.read()], [asked, text]);
		assert.ok(second.webhooks.all().every(({ state }) => state.kind === 'made'));
		second.end();
	});

	test('does not repeat a creation after a lost response', async () => {
		const world = follows();
		world.forge.afterwards = (call) =>
			call.startsWith('create')
				? Promise.reject(new ForgeError({ kind: 'serverError', status: 502 }))
				: Promise.resolve();
		const window = world.open();
		window.webhooks.listenAt(address);
		await world.pass(5 * minuteMs);
		assert.deepEqual(families(world), followedKeys);
		assert.ok(window.webhooks.all().every(({ state }) => state.kind === 'made'));
		window.end();
	});

	test('finds and deletes an unwanted webhook that a killed window created late', async () => {
		const world = follows();
		const late = Promise.withResolvers<void>();
		world.forge.before = (call) => (call.startsWith('create tracker') ? late.promise : Promise.resolve());
		const first = world.open();
		first.webhooks.listenAt(address);
		await world.pass(minuteMs);
		first.end(true);
		world.follow({ trackers: [] });
		const second = world.open();
		second.webhooks.listenAt(address);
		await world.pass(3 * minuteMs);
		late.resolve();
		await world.pass(10 * minuteMs);
		assert.deepEqual(
			families(world),
			followedKeys.filter((key) => !key.startsWith('tracker')),
		);
		assert.deepEqual(world.book().webhooks.length, 5);
		second.end();
	});

	test('deletes webhooks created while another window deleted all', async () => {
		const world = follows();
		const late = Promise.withResolvers<void>();
		world.forge.before = (call) => (call.startsWith('create tracker') ? late.promise : Promise.resolve());
		const [window, other] = [world.open(), world.open()];
		window.webhooks.listenAt(address);
		await world.pass(5 * minuteMs);
		await other.webhooks.removeAll('watched', signal);
		late.resolve();
		await world.pass(10 * minuteMs);
		assert.deepEqual([world.forge.there(), world.book().webhooks], [[], []]);
		window.end();
		other.end();
	});

	/** One window creates a webhook while another deletes all and signs out. */
	async function removedMeanwhile(answersAfterMs: number, { removing = signal, takesOver = false } = {}) {
		const world = follows();
		const late = Promise.withResolvers<void>();
		const asked: string[] = [];
		world.forge.before = (call) => {
			asked.push(call);
			return call.startsWith('create tracker') ? late.promise : Promise.resolve();
		};
		const holder = new Emitter<void>();
		let held = 0;
		const windows = [0, 1].map((at) =>
			world.open({ isOwner: () => held === at, onDidChange: holder.event, dispose: () => undefined }),
		);
		const [window, other] = windows;
		window?.webhooks.listenAt(address);
		for (let turn = 0; turn < 600 && !asked.some((call) => call.startsWith('create tracker')); turn += 1) {
			await world.pass(500, 500);
		}
		if (takesOver) {
			held = 1;
			holder.fire();
		}
		const beganMs = world.clock.nowMs();
		let endedMs: number | undefined;
		const removal = other?.webhooks.removeAll('watched', removing).finally(() => {
			endedMs = world.clock.nowMs();
			windows.forEach((each) => each.end(true));
		});
		const ended = Promise.allSettled([removal]);
		await turns();
		await world.pass(answersAfterMs, 500);
		late.resolve();
		await world.pass(2 * minuteMs, 500);
		const [{ status }] = await ended;
		return { status, there: world.forge.there(), tookMs: (endedMs ?? Number.NaN) - beganMs };
	}

	test('waits for a pending creation in another window before it deletes all, because the token may disappear', async () => {
		for (const takesOver of [false, true]) {
			const { there, tookMs } = await removedMeanwhile(4000, { takesOver });
			assert.deepEqual(there, [], `${takesOver}`);
			assert.ok(tookMs < 6000, `${tookMs} ms`);
		}
	});

	test('waits only briefly for a missing response, and not at all after a cancel', async () => {
		const { status, tookMs } = await removedMeanwhile(minuteMs);
		assert.equal(status, 'fulfilled');
		assert.ok(tookMs >= 9000 && tookMs <= 11_000, `${tookMs} ms`);
		const cancelled = await removedMeanwhile(minuteMs, { removing: AbortSignal.abort() });
		assert.deepEqual([cancelled.status, cancelled.tookMs], ['rejected', 0]);
	});

	test('lists webhooks recreated by another window and adds no duplicate', async () => {
		const world = follows();
		const window = world.open();
		window.webhooks.listenAt(address);
		await world.pass(5 * minuteMs);
		const url = `${address}/${'n'.repeat(43)}`;
		const isAlpha = ({ family }: { readonly family: WebhookFamily }): boolean => family.kind === 'tracker';
		world.forge.hooks = world.forge.hooks.map((hook) => (isAlpha(hook) ? { ...hook, id: 99, url } : hook));
		const book = world.book();
		const webhooks = book.webhooks.map((each) =>
			isAlpha(each) ? { ...each, id: 99, url, path: url.slice(address.length) } : each,
		);
		await world.kept.write(JSON.stringify({ ...book, webhooks }));
		world.forge.calls.length = 0;
		await world.pass(5 * minuteMs);
		assert.deepEqual(world.forge.calls, ['list tracker ~alice/alpha']);
		window.end();
	});

	test('lists webhooks again in a window that did not watch for a while', async () => {
		const world = follows();
		const changed = new Emitter<void>();
		let isHeld = true;
		const window = world.open({ isOwner: () => isHeld, onDidChange: changed.event, dispose: () => undefined });
		window.webhooks.listenAt(address);
		await world.pass(5 * minuteMs);
		world.forge.calls.length = 0;
		isHeld = false;
		changed.fire();
		await world.pass(5 * minuteMs);
		assert.equal(world.forge.calls.length, 0);
		isHeld = true;
		changed.fire();
		await world.pass(5 * minuteMs);
		assert.deepEqual(
			world.forge.calls.toSorted(),
			followedKeys.map((key) => `list ${key}`),
		);
		window.end();
	});

	test('records existing webhooks when the earlier address returns', async () => {
		const world = follows();
		const window = world.open();
		window.webhooks.listenAt(address);
		await world.pass(5 * minuteMs);
		const before = world.forge.there();
		// Requests for the other address fail.
		world.forge.problems.set('create', { kind: 'serverError', status: 503 });
		window.webhooks.listenAt('https://elsewhere.example');
		await world.pass(minuteMs);
		world.forge.problems.clear();
		window.webhooks.listenAt(address);
		await world.pass(5 * minuteMs);
		assert.deepEqual(world.forge.there(), before);
		assert.deepEqual(
			world
				.book()
				.webhooks.map(({ url }) => url)
				.toSorted(),
			world.forge.hooks.map(({ url }) => url).toSorted(),
		);
		window.end();
	});

	test('omits unsupported events, found once per kind and tried again after days', async () => {
		const world = new WebhookWorld();
		['tracker event:create', 'list list:delete', 'list patchset:update'].forEach((each) =>
			world.forge.refusedEvents.add(each),
		);
		world.follow({ trackers: ['~alice/alpha', '~alice/beta'], lists: ['~alice/devel', '~alice/users'] });
		const window = world.open();
		window.webhooks.listenAt(address);
		await world.pass(5 * minuteMs);
		const eventsOf = (kind: string): readonly string[] =>
			world.forge.hooks.filter(({ family }) => family.kind === kind).map(({ events }) => events.join(' '));
		assert.deepEqual(
			eventsOf('tracker'),
			Array.from({ length: 2 }, () => 'label:create label:delete ticket:create'),
		);
		assert.deepEqual(
			eventsOf('list'),
			Array.from({ length: 2 }, () => 'patchset:received post:received list:update'),
		);
		const creations = world.forge.calls.filter((call) => call.startsWith('create'));
		assert.deepEqual(
			[
				creations.filter((call) => call.includes('tracker')).length,
				creations.filter((call) => call.includes('list ')).length,
			],
			[2 + 1, 4 + 1],
		);
		assert.ok(window.webhooks.all().every(({ state }) => state.kind === 'made'));
		world.forge.refusedEvents.delete('tracker event:create');
		await world.pass(2 * dayMs, minuteMs);
		assert.ok(!eventsOf('tracker').some((events) => events.includes('event:create')));
		await world.pass(2 * dayMs, minuteMs);
		assert.deepEqual(
			eventsOf('tracker').map((events) => events.includes('event:create')),
			[true, true],
		);
		assert.equal(families(world).length, 7);
		window.end();
	});

	test('retries a rejected webhook after days or by hand', async () => {
		const world = follows();
		world.forge.problems.set('create tracker ~alice/alpha', { kind: 'notAllowed' });
		world.forge.problems.set('list list ~alice/devel', { kind: 'notFound' });
		const window = world.open();
		window.webhooks.listenAt(address);
		await world.pass(dayMs / 2, minuteMs);
		const calls = world.forge.calls.filter((call) => /alpha|devel/.test(call));
		assert.deepEqual(calls.toSorted(), [
			'create tracker ~alice/alpha',
			'list list ~alice/devel',
			'list tracker ~alice/alpha',
		]);
		const refused = window.webhooks
			.all()
			.flatMap(({ state }) => (state.kind === 'refused' ? [state.problem.kind] : []));
		assert.deepEqual(refused.toSorted(), ['notAllowed', 'notFound']);
		world.forge.problems.clear();
		await window.webhooks.repair();
		await world.pass(minuteMs);
		assert.deepEqual(families(world), followedKeys);
		world.forge.problems.set('create', { kind: 'notAllowed' });
		world.follow({ trackers: ['~alice/alpha', '~alice/beta'] });
		await world.pass(minuteMs);
		world.forge.problems.clear();
		await world.pass(2 * dayMs, minuteMs);
		assert.deepEqual(families(world), followedKeys);
		await world.pass(2 * dayMs, minuteMs);
		assert.ok(families(world).includes('tracker ~alice/beta'));
		window.end();
	});

	test('makes a webhook of an earlier version with a message on push again', async () => {
		const world = follows();
		const window = world.open();
		window.webhooks.listenAt(address);
		await world.pass(5 * minuteMs);
		window.end();
		const ofQuill = (): readonly string[] =>
			world.forge.hooks.filter(({ family }) => family.kind === 'repository').map(({ url }) => url);
		const [before] = ofQuill();
		const { webhooks, ...book } = world.book();
		const withMessage = webhooks.map((each) => ({ ...each, isSync: each.family.kind === 'repository' }));
		await world.kept.write(JSON.stringify({ ...book, webhooks: withMessage }));
		const next = world.open();
		next.webhooks.listenAt(address);
		await world.pass(5 * minuteMs);
		const [after, ...others] = ofQuill();
		assert.ok(before !== undefined && after !== undefined && before !== after);
		assert.deepEqual(others, []);
		assert.ok(world.book().webhooks.every(({ isSync }) => isSync !== true));
		next.end();
	});

	test('deletes unwanted webhooks with our address, and no others', async () => {
		const world = follows();
		const ours = world.forgottenUrl();
		const elsewhere = ours.replace(address, 'https://desk.example');
		const foreign = `${address}/${'o'.repeat(43)}`;
		for (const url of [ours, `${address}/short`, elsewhere, `${ours}/more`, foreign]) {
			await world.forge.api.create(alpha, { url, events: ['label:create'] }, signal);
		}
		const window = world.open();
		window.webhooks.listenAt(address);
		await world.pass(5 * minuteMs);
		const left = world.forge.hooks.filter(({ family }) => family.kind === 'tracker').map(({ url }) => url);
		assert.equal(left.length, 5);
		assert.ok(!left.includes(ours));
		window.end();
	});

	test('reports webhooks of a replaced token with their URLs and recreates them', async () => {
		const world = follows();
		const window = world.open();
		window.webhooks.listenAt(address);
		await world.pass(5 * minuteMs);
		const before = world.forge.hooks.map(({ url }) => url).toSorted();
		world.forge.token = 'second';
		await window.webhooks.tokenReplaced();
		await world.pass(5 * minuteMs);
		assert.deepEqual(
			window.webhooks
				.lost()
				.map(({ url }) => url)
				.toSorted(),
			before,
		);
		assert.deepEqual(families(world), followedKeys);
		assert.equal(world.forge.hooks.length, 12);
		assert.equal(window.webhooks.at(before[0]!.slice(address.length)), undefined);
		await window.webhooks.forgetLost();
		assert.deepEqual(window.webhooks.lost(), []);
		window.end();
	});

	test('recreates webhooks visible to a new token, because a delivery has the permissions of its token', async () => {
		const world = follows();
		world.forge.areOfPerson = true;
		const window = world.open();
		window.webhooks.listenAt(address);
		await world.pass(5 * minuteMs);
		const before = world.forge.hooks.map(({ url }) => url).toSorted();
		world.forge.token = 'second';
		await window.webhooks.tokenReplaced();
		await world.pass(5 * minuteMs);
		assert.deepEqual(window.webhooks.lost(), []);
		assert.deepEqual(world.forge.hooks.map(({ url }) => url).toSorted(), before);
		assert.deepEqual(new Set(world.forge.hooks.map(({ token }) => token)), new Set(['second']));
		world.forge.calls.length = 0;
		await window.webhooks.repair();
		await world.pass(5 * minuteMs);
		assert.deepEqual(new Set(world.forge.calls.map((call) => call.split(' ')[0])), new Set(['list']));
		window.end();
	});

	test('reads webhooks missing from a list, recreates deleted ones and gives up those of another token', async () => {
		const world = follows();
		const window = world.open();
		window.webhooks.listenAt(address);
		await world.pass(5 * minuteMs);
		world.forge.hooks = world.forge.hooks
			.filter(({ family }) => family.kind !== 'tracker')
			.map((hook) => (hook.family.kind === 'list' ? { ...hook, token: 'other' } : hook));
		await window.webhooks.repair();
		await world.pass(5 * minuteMs);
		assert.deepEqual(families(world), followedKeys);
		assert.deepEqual(
			window.webhooks.lost().map(({ family }) => family.kind),
			['list'],
		);
		window.end();
	});

	test('deletes all webhooks on request, and recreates them only when a listener starts again', async () => {
		const world = follows();
		const [window, other] = [world.open(), world.open()];
		window.webhooks.listenAt(address);
		other.webhooks.listenAt(address);
		await world.pass(5 * minuteMs);
		world.forge.problems.set('remove list ~alice/devel', { kind: 'serverError', status: 503 });
		// A webhook without a record on this computer.
		await world.forge.api.create(quill, { url: world.forgottenUrl(), events: [] }, signal);
		const { removed, left } = await other.webhooks.removeAll('watched', signal);
		assert.equal(removed, 6);
		assert.deepEqual(
			left.map(({ family, why }) => [family.kind, why.kind]),
			[['list', 'serverError']],
		);
		world.forge.problems.clear();
		await world.pass(30 * minuteMs);
		assert.deepEqual(world.forge.there(), []);
		window.webhooks.listenAt(address);
		await world.pass(5 * minuteMs);
		assert.deepEqual(families(world), followedKeys);
		window.end();
		other.end();
	});

	test('finds webhooks without a record or a watched thing in a full search', async () => {
		const world = follows();
		world.ownRepositories = [makeRepository('wick'), makeRepository('pen', { owner: undefined })];
		const window = world.open();
		window.webhooks.listenAt(address);
		await world.pass(5 * minuteMs);
		const muted = ['tracker ~alice/alpha', 'list ~alice/devel', 'repository ~bob/quill'];
		muted.forEach((name) => world.inbox.choose(name, 'nothing'));
		await world.pass(5 * minuteMs);
		assert.deepEqual(families(world), userKeys);
		const wick: WebhookFamily = { kind: 'repository', ref: { owner: '~alice', name: 'wick' } };
		const pen: WebhookFamily = { kind: 'repository', ref: { owner: '~alice', name: 'pen' } };
		const devel: WebhookFamily = { kind: 'list', ref: { owner: '~alice', name: 'devel' } };
		for (const family of [alpha, devel, quill, wick, pen]) {
			await world.forge.api.create(family, { url: world.forgottenUrl(), events: [] }, signal);
		}
		await window.webhooks.removeAll('watched', signal);
		assert.equal(world.forge.hooks.length, 5);
		assert.deepEqual(await window.webhooks.removeAll('everything', signal), { removed: 5, left: [] });
		assert.deepEqual(world.forge.there(), []);
		window.end();
	});

	test('recreates webhooks in a window that has not seen the deletion by another one', async () => {
		const world = follows();
		const [window, other] = [world.open(), world.open()];
		window.webhooks.listenAt(address);
		await world.pass(5 * minuteMs);
		await other.webhooks.removeAll('watched', signal);
		world.forge.token = 'second';
		// As after a token change, before the window reads the file again.
		window.webhooks.listenAt(address);
		await world.pass(5 * minuteMs);
		assert.deepEqual(families(world), followedKeys);
		assert.deepEqual(new Set(world.forge.hooks.map(({ token }) => token)), new Set(['second']));
		window.end();
		other.end();
	});

	test('recreates webhooks in a repair after the deletion of all, if a listener runs', async () => {
		const world = follows();
		const [window, other] = [world.open(), world.open()];
		window.webhooks.listenAt(address);
		await world.pass(5 * minuteMs);
		await other.webhooks.removeAll('watched', signal);
		await world.pass(5 * minuteMs);
		assert.deepEqual(world.forge.there(), []);
		await other.webhooks.repair();
		await world.pass(5 * minuteMs);
		assert.deepEqual(families(world), followedKeys);
		window.webhooks.listenAt(undefined);
		await world.pass(5 * minuteMs);
		await window.webhooks.removeAll('watched', signal);
		await window.webhooks.repair();
		await world.pass(5 * minuteMs);
		assert.deepEqual(world.forge.there(), []);
		window.end();
		other.end();
	});

	test('recreates webhooks if the reason for their deletion fell through', async () => {
		const world = follows();
		const [window, other] = [world.open(), world.open()];
		window.webhooks.listenAt(address);
		await world.pass(5 * minuteMs);
		await other.webhooks.removeAll('watched', signal);
		await world.pass(5 * minuteMs);
		assert.deepEqual(world.forge.there(), []);
		await other.webhooks.makeAgain();
		await world.pass(5 * minuteMs);
		assert.deepEqual(families(world), followedKeys);
		const called = new AbortController();
		world.forge.before = (call) => {
			if (call === 'remove list ~alice/devel') {
				called.abort();
				throw called.signal.reason;
			}
			return Promise.resolve();
		};
		await assert.rejects(other.webhooks.removeAll('watched', called.signal), { name: 'AbortError' });
		world.forge.before = () => Promise.resolve();
		await other.webhooks.makeAgain();
		await world.pass(10 * minuteMs);
		assert.deepEqual(families(world), followedKeys);
		window.end();
		other.end();
	});

	test('keeps the record of a webhook that the forge does not delete, and reports it', async () => {
		const world = follows();
		const window = world.open();
		window.webhooks.listenAt(address);
		await world.pass(5 * minuteMs);
		const count = world.forge.hooks.length;
		world.forge.problems.set('remove', { kind: 'notAllowed' });
		const { removed, left } = await window.webhooks.removeAll('watched', signal);
		assert.deepEqual([removed, left.map(({ why }) => why.kind)], [0, left.map(() => 'notAllowed')]);
		assert.deepEqual([left.length, world.forge.hooks.length, world.book().webhooks.length], [count, count, count]);
		window.end();
	});

	test('reports an unwanted webhook as lost if the forge does not delete it', async () => {
		const world = follows();
		const window = world.open();
		window.webhooks.listenAt(address);
		await world.pass(5 * minuteMs);
		world.forge.problems.set('remove list ~alice/devel', { kind: 'notAllowed' });
		world.follow({ lists: [] });
		await world.pass(30 * minuteMs);
		assert.deepEqual(
			window.webhooks.lost().map(({ family }) => webhookFamilyKey(family)),
			['list ~alice/devel'],
		);
		assert.ok(families(world).includes('list ~alice/devel'));
		const tries = (): number => world.forge.calls.filter((call) => call === 'remove list ~alice/devel').length;
		assert.ok(tries() <= 2, `${tries()} tries`);
		window.end();
	});

	for (const how of ['with the next listing', 'with all others'] as const) {
		test(`no longer reports a lost webhook after its deletion ${how}`, async () => {
			const world = follows();
			const window = world.open();
			window.webhooks.listenAt(address);
			await world.pass(5 * minuteMs);
			world.forge.problems.set('remove list ~alice/devel', { kind: 'notAllowed' });
			window.webhooks.listenAt('https://other.example');
			await world.pass(10 * minuteMs);
			const named = (): readonly string[] => window.webhooks.lost().map(({ family }) => webhookFamilyKey(family));
			assert.deepEqual(named(), ['list ~alice/devel']);
			world.forge.problems.clear();
			if (how === 'with all others') {
				await window.webhooks.removeAll('watched', signal);
			} else {
				await world.pass(dayMs, minuteMs);
			}
			assert.deepEqual(
				world.forge.hooks.filter(({ url }) => url.startsWith(address)),
				[],
			);
			assert.deepEqual(named(), []);
			window.end();
		});
	}

	test('retries failed deletions for unfollowed things with all others', async () => {
		const world = follows();
		const window = world.open();
		window.webhooks.listenAt(address);
		await world.pass(5 * minuteMs);
		world.forge.problems.set('remove list ~alice/devel', { kind: 'notAllowed' });
		world.follow({ lists: [] });
		await world.pass(30 * minuteMs);
		assert.equal(window.webhooks.lost().length, 1);
		world.forge.problems.clear();
		await window.webhooks.removeAll('watched', signal);
		assert.deepEqual([world.forge.hooks, window.webhooks.lost()], [[], []]);
		window.end();
	});

	test('neither duplicates a webhook missing from an incomplete list nor reports it as deleted', async () => {
		const { forge } = follows();
		const world = new WebhookWorld({
			...forge.api,
			async *webhooks(family) {
				forge.calls.push(`list ${webhookFamilyKey(family)}`);
				yield await Promise.resolve({
					items: [],
					seen: 0,
					completeness: { kind: 'more', total: undefined, isLast: true },
				});
			},
		});
		forge.afterwards = async (call) => {
			if (call.startsWith('create')) {
				throw new ForgeError({ kind: 'unreachable', reason: 'reset', host: 'lists.forge.test' });
			}
		};
		world.follow({ lists: ['~alice/devel'] });
		const window = world.open();
		window.webhooks.listenAt(address);
		await world.pass(30 * minuteMs);
		assert.equal(forge.calls.filter((call) => call === 'create list ~alice/devel').length, 1);
		assert.deepEqual(
			window.webhooks
				.all()
				.map(({ family, state }) => [webhookFamilyKey(family), state.kind === 'failed' && state.problem?.kind])
				.filter(([key]) => key === 'list ~alice/devel'),
			[['list ~alice/devel', 'incomplete']],
		);
		const { left } = await window.webhooks.removeAll('watched', signal);
		assert.ok(
			left.some(({ family, why }) => webhookFamilyKey(family) === 'list ~alice/devel' && why.kind === 'incomplete'),
		);
		window.end();
	});

	test('lists webhooks up to a limit if the list never ends', async () => {
		const world = follows();
		const { api } = world.forge;
		let asked = 0;
		const endless = new WebhookWorld({
			...api,
			async *webhooks(family) {
				for (let id = 1; asked < 1000; id += 1) {
					asked += 1;
					const items = [{ id, createdMs: 0, url: `https://elsewhere.example/${id}`, events: [] }];
					yield { items, seen: id, completeness: { kind: 'more', total: undefined } };
				}
				assert.fail(`no end of ${family.kind}`);
			},
		});
		endless.follow({ lists: ['~alice/devel'] });
		const window = endless.open();
		window.webhooks.listenAt(address);
		await endless.pass(5 * minuteMs);
		assert.ok(world.forge.calls.includes('create list ~alice/devel'), `${asked}`);
		await window.webhooks.removeAll('watched', signal);
		assert.ok(asked < 400, `${asked}`);
		window.end();
	});

	test('waits longer after each failure, a whole area while it is unavailable, and recovers with the forge', async () => {
		const world = follows();
		world.forge.problems.set('list', { kind: 'unreachable', reason: 'refused', host: 'todo.example' });
		const window = world.open();
		window.webhooks.listenAt(address);
		await world.pass(60 * minuteMs);
		// Three areas, after 0, 1, 3, 7, 15 and 31 minutes.
		assert.equal(world.forge.calls.length, 18);
		assert.deepEqual([...new Set(window.webhooks.all().map(({ state }) => state.kind))], ['failed']);
		world.forge.problems.clear();
		await world.pass(60 * minuteMs);
		assert.deepEqual([...new Set(window.webhooks.all().map(({ state }) => state.kind))], ['made']);
		window.end();
	});

	test('ignores a back-off in a repair', async () => {
		const world = follows();
		world.forge.problems.set('list', { kind: 'unreachable', reason: 'refused', host: 'todo.example' });
		const window = world.open();
		window.webhooks.listenAt(address);
		await world.pass(20 * minuteMs);
		world.forge.problems.clear();
		await window.webhooks.repair();
		await world.pass(minuteMs);
		assert.deepEqual(families(world), followedKeys);
		window.end();
	});

	test('lists webhooks again in a repair before it retries a rejected one', async () => {
		const world = follows();
		world.forge.problems.set('create', { kind: 'notAllowed' });
		const window = world.open();
		window.webhooks.listenAt(address);
		await world.pass(5 * minuteMs);
		world.forge.problems.clear();
		world.forge.calls.length = 0;
		await window.webhooks.repair();
		await world.pass(minuteMs);
		assert.deepEqual(
			world.forge.calls.toSorted(),
			followedKeys.flatMap((key) => [`create ${key}`, `list ${key}`]).toSorted(),
		);
		window.end();
	});

	test('creates no webhook that it cannot record', async () => {
		const world = follows();
		world.kept.write = () => Promise.reject(new Error('The disk is full'));
		const window = world.open();
		window.webhooks.listenAt(address);
		await world.pass(5 * minuteMs);
		assert.deepEqual(world.forge.hooks, []);
		await turns();
		window.end();
	});
});
