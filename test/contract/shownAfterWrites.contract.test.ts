import assert from 'node:assert/strict';
import type { Clock } from '@forge-desk/base/clock.ts';
import { protocolSuite, systemClock, wanted } from '../support/contractForge.ts';
import { limitMs } from '../support/pace.ts';
import { writings } from './support/portCalls.ts';
import { throughStores, type ThroughStores } from './support/throughStores.ts';

const lantern = { owner: '~alice', name: 'lantern' };
const devel = { owner: '~alice', name: 'lantern-devel' };
/** Shortens the pauses between lookups. */
const hasty: Clock = { ...systemClock, after: (delayMs, work) => systemClock.after(delayMs / 200, work) };

/** The data of all views, read where not cached. Times may differ between a write's response and a later read. */
async function shown({ tickets, lists, repositories }: ThroughStores['stores']): Promise<unknown> {
	const ticketsOfLantern = await tickets.tickets(lantern, wanted());
	const [newest] = ticketsOfLantern.items;
	const timeline = newest ? await tickets.events({ tracker: lantern, id: newest.id }, wanted()) : undefined;
	const plain = (value: unknown): unknown =>
		JSON.parse(
			JSON.stringify(value, (name, each: unknown) => (/Ms$|^extra$|^seen$|^next$/.test(name) ? undefined : each)),
		);
	return plain({
		trackers: (await tickets.ownTrackers(wanted())).items,
		tracker: await tickets.tracker(lantern, wanted()),
		tickets: ticketsOfLantern.items.slice(0, 20),
		// Some events carry a snapshot of the ticket from their read.
		timeline: timeline?.items.map((event) => ({ ...event, ticket: undefined })),
		labels: (await tickets.trackers.labels(lantern, wanted())).toSorted((a, b) => a.name.localeCompare(b.name)),
		lists: (await lists.own.first(wanted())).items,
		list: await lists.list(devel, wanted()),
		subscriptions: (await lists.subscriptions.first(wanted())).items,
		patchsets: (await lists.patchsets(devel).first(wanted())).items,
		repositories: (await repositories.own.first(wanted())).items,
		repository: await repositories.metadata.get(lantern, wanted()),
		branch: await repositories.names.defaultBranch(lantern, wanted()),
	});
}

protocolSuite('views after a write', {}, ({ forge }) => {
	for (const { name, prepare } of writings.filter((each) => !each.name.includes('webhook'))) {
		test(`show the forge’s data: ${name}`, async function () {
			this.timeout(limitMs(60_000));
			const alice = forge().as('alice');
			const prepared = await prepare(alice, `shown-${name.replaceAll(/[^a-z]/g, '')}`);
			if (!prepared) {
				return;
			}
			const stores = throughStores(forge().as('alice'), hasty);
			await shown(stores.stores);
			await prepared.write(stores);
			const now = await shown(stores.stores);
			stores.dispose();
			const fresh = throughStores(forge().as('alice'), hasty);
			assert.deepEqual(now, await shown(fresh.stores));
			fresh.dispose();
		});
	}
});
