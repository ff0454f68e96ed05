import assert from 'node:assert/strict';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import type { TicketRef } from 'sourcehut/port/ticket.ts';
import type { WebhookFamily } from 'sourcehut/port/webhook.ts';
import { busyForge } from './support/busyForge.ts';
import { protocolSuite, wanted, type Contract } from '../support/contractForge.ts';
import { fakeClock, type FakeClock } from '../support/fakeClock.ts';
import { openedListener } from '../support/openedListener.ts';
import { pushToForge } from '../support/pushToForge.ts';
import { watchingWindow } from '../support/watchingWindow.ts';

const docs = { owner: '~carol', name: 'lantern-docs' };
const lantern = { owner: '~alice', name: 'lantern' };
const wick = { owner: '~bob', name: 'wick' };
const devel = { owner: '~alice', name: 'lantern-devel' };
const minuteMs = 60_000;

/** All subscriptions of carol, as webhook families. */
const families: readonly WebhookFamily[] = [
	{ kind: 'user', area: 'todo' },
	{ kind: 'user', area: 'git' },
	{ kind: 'user', area: 'lists' },
	{ kind: 'tracker', ref: docs },
	{ kind: 'tracker', ref: lantern },
	{ kind: 'tracker', ref: wick },
	{ kind: 'list', ref: devel },
	{ kind: 'repository', ref: lantern },
	{ kind: 'repository', ref: wick },
];

/** A mail from bob, with a patch if the subject says so. */
function mailOf(id: string, subject: string, parent?: string): string {
	const diff = [
		'---',
		' f | 1 +',
		' 1 file changed, 1 insertion(+)',
		'',
		'diff --git a/f b/f',
		'index 1111111..2222222 100644',
		'--- a/f',
		'+++ b/f',
		'@@ -1 +1,2 @@',
		' one',
		'+two',
	];
	return [
		'From: Bob <bob@forge.test>',
		'To: ~alice/lantern-devel@lists.forge.test',
		`Subject: ${subject}`,
		`Message-ID: <${id}@forge.test>`,
		...(parent === undefined ? [] : [`In-Reply-To: <${parent}@forge.test>`]),
		'',
		subject.startsWith('[PATCH') && !subject.includes(' 0/')
			? ['Body', ...diff, '-- ', '2.39.5'].join('\r\n')
			: 'I see.',
		'',
	].join('\r\n');
}

// One hour of a reviewer: a list, three trackers, two repositories, about a dozen events with webhooks.
protocolSuite('an hour of watching with webhooks', { firstIn: 'graphql' }, ({ dialect, forge }) => {
	const most: Readonly<Record<Contract['dialect'], number>> = { field: 149, document: 120, graphql: 95 };

	test('takes few requests and misses no event', async function () {
		// Servers keep whole seconds, and two events within one second would save reads.
		const clock: FakeClock = fakeClock(Math.ceil(Date.now() / 1000) * 1000);
		const { sample } = forge();
		const [carol, bob] = [forge().as('carol'), forge().as('bob')];
		const { forge: ports, pass: passHere } = busyForge(carol);
		/** Moves the clocks of the client and of the forge. */
		const pass = async (byMs: number): Promise<void> => {
			await sample.act('/clock', { atMs: clock.nowMs() + byMs });
			await passHere(clock, byMs);
		};
		await pass(0);
		const subscribed = await carol.lists.subscriptions([], wanted()).next();
		for (const each of subscribed.value?.items ?? []) {
			if (each.list.name !== devel.name) {
				await carol.lists.unsubscribe(each, wanted());
			}
		}
		using opened = await openedListener({ hookAt: () => ({ publicKey: undefined }) });
		const paths = new Map<string, WebhookFamily>();
		for (const [at, family] of families.entries()) {
			const path = `/${String(at).repeat(43)}`;
			paths.set(path, family);
			const { all: events, doubtful } = carol.webhooks.offers(family).events;
			const wish = { url: `http://${opened.host}${path}`, events: events.filter((each) => !doubtful.includes(each)) };
			await carol.webhooks
				.create(family, wish, wanted())
				.catch((error) => assert.ok(isForgeError(error), String(error)));
		}
		using owned = new Disposables();
		const window = owned.add(
			watchingWindow({
				forge: ports,
				me: '~carol',
				clock,
				followed: { trackers: ['~alice/lantern', '~bob/wick'], repositories: ['~alice/lantern', '~bob/wick'] },
				perHour: 300,
			}),
		);
		window.inbox.choose('tracker ~alice/lantern', 'everything');
		window.inbox.choose('tracker ~bob/wick', 'everything');
		window.inbox.choose('list ~alice/lantern-devel', 'everything');
		await pass(10 * minuteMs);
		await sample.forgetRequests();
		let taken = 0;
		/** Passes deliveries on, one moment apart. */
		const deliver = async (): Promise<void> => {
			await sample.webhooksDelivered();
			for (const { path, event, body } of opened.deliveries().slice(taken)) {
				taken += 1;
				const family = paths.get(path);
				assert.ok(family);
				window.watch.take(family, carol.webhooks.readDelivery(family, event, body));
				await pass(1000);
			}
			await pass(5 * minuteMs);
		};
		const mail = async (...mails: readonly string[]): Promise<void> => {
			for (const each of mails) {
				await sample.act('/lists/mail', { list: '~alice/lantern-devel', mail: each });
			}
			await deliver();
		};
		const ticket = async (title: string): Promise<TicketRef> => {
			const { id } = await bob.trackers.submit(lantern, { title, description: '' }, wanted());
			await deliver();
			return { tracker: lantern, id };
		};
		const comment = async (ref: TicketRef, text: string): Promise<void> => {
			await bob.trackers.updateTicket(ref, { comment: text }, wanted());
			await deliver();
		};
		await mail(
			mailOf('a0', '[PATCH 0/2] Brighter'),
			mailOf('a1', '[PATCH 1/2] One', 'a0'),
			mailOf('a2', '[PATCH 2/2] Two', 'a0'),
		);
		await mail(mailOf('r1', 'Re: [PATCH 1/2] One', 'a1'));
		const first = await ticket('It flickers');
		await comment(first, 'Here, too');
		await mail(mailOf('r2', 'Re: [PATCH 2/2] Two', 'a2'));
		await comment(first, 'And here');
		await mail(mailOf('b1', '[PATCH v2] Brighter'));
		const second = await ticket('It hums');
		await mail(mailOf('d1', 'A question'));
		await comment(second, 'Mine does not');
		await mail(mailOf('d2', 'Re: A question', 'd1'));
		pushToForge(sample, { repository: 'lantern', branch: 'master', message: 'Push', files: { f: 'f' } });
		await deliver();
		const requests = await sample.requests();
		/** Requests of the client alone, without bob's writes and the push. */
		const own = requests.filter(
			({ hasToken, method, path, question }) =>
				hasToken && !path.startsWith('/ssh/') && (method === 'GET' || question?.startsWith('query') === true),
		);
		const told = window.inbox.items().map(({ entry }) => entry.event.kind);
		const count = (kind: string): number => told.filter((each) => each === kind).length;
		assert.deepEqual(
			['patchsetReceived', 'mailArrived', 'ticketCreated', 'pushed'].map(count),
			[2, 4, 2, 1],
			told.join(' '),
		);
		assert.ok(
			own.length <= most[dialect],
			`${own.length} requests:\n${own.map(({ method, path, question }) => question ?? `${method} ${path}`).join('\n')}`,
		);
	});
});
