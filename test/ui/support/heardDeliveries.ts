import assert from 'node:assert/strict';
import type { EventFamily } from '../../support/contractEvents.ts';
import { fieldsOf, partOf, type Area, type SampleForge } from '../../support/sampleForge.ts';

/** The forge's webhook routes per family (docs/protocol.md#webhook-routes). */
const places: Readonly<Record<EventFamily, { readonly area: Area; readonly path: string }>> = {
	listsUser: { area: 'lists', path: '/api/user/webhooks' },
	list: { area: 'lists', path: '/api/user/~alice/lists/workshop-devel/webhooks' },
	gitUser: { area: 'git', path: '/api/user/webhooks' },
	repository: { area: 'git', path: '/api/~alice/repos/lantern-plugins/webhooks' },
	todoUser: { area: 'todo', path: '/api/user/webhooks' },
	tracker: { area: 'todo', path: '/api/user/~alice/trackers/workshop/webhooks' },
	ticket: { area: 'todo', path: '/api/user/~alice/trackers/workshop/tickets/1/webhooks' },
};

const families: readonly EventFamily[] = [
	'listsUser',
	'list',
	'gitUser',
	'repository',
	'todoUser',
	'tracker',
	'ticket',
];

function rowsIn(value: unknown): readonly unknown[] {
	assert.ok(Array.isArray(value));
	return value;
}

/** The forge's data about the webhooks of alice's window, from its delivery logs. */
export interface HeardBy {
	/** All families. */
	readonly all: readonly EventFamily[];
	/** Families that have one webhook now. */
	families(): Promise<readonly EventFamily[]>;
	/** Returns a function for the deliveries to a family's webhook from now on, as `ticket:create taken`. */
	from(family: EventFamily): Promise<() => Promise<readonly string[]>>;
}

export function heardBy(forge: SampleForge): HeardBy {
	async function rows(family: EventFamily, below = ''): Promise<readonly unknown[]> {
		const { area, path } = places[family];
		const { json, status, text } = await forge.call(area, 'GET', `${path}${below}`);
		assert.equal(status, 200, text);
		return rowsIn(Array.isArray(json) ? json : fieldsOf(json)['results']);
	}

	async function log(family: EventFamily): Promise<ReadonlyMap<unknown, string>> {
		await forge.webhooksDelivered();
		const [hook] = await rows(family);
		const deliveries = await rows(family, `/${String(partOf(hook, ['id']))}/deliveries`);
		return new Map(
			deliveries.map((delivery) => {
				const { id, event, response_status: status } = fieldsOf(delivery);
				const isTaken = typeof status === 'number' && status >= 200 && status < 300;
				return [id, `${String(event)} ${isTaken ? 'taken' : String(status)}`];
			}),
		);
	}

	return {
		all: families,
		async families() {
			const counts = await Promise.all(families.map(async (family) => (await rows(family)).length));
			return families.filter((_, at) => counts[at] === 1);
		},
		async from(family) {
			const before = await log(family);
			return async () => [...(await log(family))].filter(([id]) => !before.has(id)).map(([, text]) => text);
		},
	};
}
