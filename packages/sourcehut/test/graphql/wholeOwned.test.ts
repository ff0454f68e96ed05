import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { ListApi, RepositoryApi, TrackerApi } from '../../src/port/forge.ts';
import type { Pages } from '../../src/port/page.ts';
import { graphqlRepositories } from '../../src/graphql/git/graphqlRepositories.ts';
import { graphqlLists } from '../../src/graphql/lists/graphqlLists.ts';
import { graphqlTrackers } from '../../src/graphql/todo/graphqlTrackers.ts';
import { wanted } from '../../../../test/support/contractForge.ts';
import { inRounds } from '../../../../test/support/counts.ts';
import { graphqlServer, type Answered, type AskedQuery } from '../../../../test/support/graphqlServer.ts';
import { onOnePage, pagedWorlds, pageOf, type PagedWorld } from '../support/pagedWorlds.ts';

const alice = { __typename: 'User', canonicalName: '~alice' };

/** The APIs that list the user's own things. */
interface Services {
	readonly trackers: Pick<TrackerApi, 'trackers'>;
	readonly lists: Pick<ListApi, 'lists' | 'subscriptions'>;
	readonly repositories: Pick<RepositoryApi, 'repositories' | 'search'>;
}

function serve(world: PagedWorld, isHidden: (number: number) => boolean = () => false): Services {
	const at = (number: number): string => new Date(Date.UTC(2026, 10, 1) + number * world.stepMs).toISOString();
	const owned = (id: number): object => ({
		id,
		created: at(id),
		updated: at(id),
		name: `thing-${id}`,
		owner: alice,
		visibility: 'PUBLIC',
		acl: null,
	});
	const subscription = (id: number): object => ({ id, created: at(id), list: owned(id) });
	const ofUser = (field: string, cursor: string | undefined): Answered => ({
		data: { user: { [field]: pageOf(world, cursor, owned) } },
	});
	// One hidden list makes the whole page null; without its lists the page loads (docs/protocol.md#hidden-things).
	const subscriptions = ({ query }: AskedQuery, cursor: string | undefined): Answered => {
		const isWithLists = /\blist\s*\{/.test(query);
		const page = pageOf(world, cursor, (id) => id);
		if (isWithLists && page.results.some(isHidden)) {
			const message = 'the requested element is null which the schema does not allow';
			const path = ['subscriptions', 'results', page.results.findIndex(isHidden), 'list'];
			return { data: { subscriptions: null }, errors: [{ message, path }] };
		}
		const results = page.results.map((id) => (isWithLists ? subscription(id) : { id, created: at(id) }));
		return { data: { subscriptions: { ...page, results } } };
	};
	const { caller, files } = graphqlServer((asked): Answered => {
		const { name, variables } = asked;
		const cursor = typeof variables['cursor'] === 'string' ? variables['cursor'] : undefined;
		switch (name) {
			case 'Trackers':
				return ofUser('trackers', cursor);
			case 'Lists':
				return ofUser('lists', cursor);
			case 'Repositories':
				return ofUser('repositories', cursor);
			case 'Subscriptions':
				return subscriptions(asked, cursor);
			case 'SubscribedLists':
				// Every second visible list is the user's own.
				return {
					data: {
						user: {
							lists: {
								cursor: null,
								results: world.numbers
									.filter((id) => !isHidden(id) && id % 2 === 0)
									.map((id) => ({ ...owned(id), subscription: { id, created: at(id) } })),
							},
						},
					},
				};
			default:
				return { errors: [{ message: `${name} was not expected` }] };
		}
	});
	return {
		trackers: graphqlTrackers(caller),
		lists: graphqlLists(caller, files),
		repositories: graphqlRepositories(caller, files),
	};
}

/** Some services omit the number. */
interface Numbered {
	readonly id?: number | undefined;
}

interface Read {
	readonly ids: readonly number[];
	readonly isWhole: boolean;
}

async function readAll(pages: Pages<Numbered>): Promise<Read> {
	const ids: number[] = [];
	let isWhole = false;
	for await (const { items, completeness } of pages) {
		ids.push(...items.map(({ id }) => id ?? assert.fail('it has no number')));
		isWhole = completeness.kind === 'complete';
	}
	return { ids, isWhole };
}

const listings: readonly (readonly [string, (services: Services) => Pages<Numbered>])[] = [
	['trackers', ({ trackers }) => trackers.trackers(undefined, wanted())],
	['lists', ({ lists }) => lists.lists(undefined, wanted())],
	['subscriptions', ({ lists }) => lists.subscriptions([], wanted())],
	['repositories', ({ repositories }) => repositories.repositories(undefined, wanted())],
	[
		'repositories with a word',
		({ repositories }) => repositories.search?.('~alice', 'thing', wanted()) ?? assert.fail(),
	],
];

suite('completeness of one’s own things over GraphQL', function () {
	this.timeout(600_000);

	for (const [name, read] of listings) {
		test(`${name} are complete or marked as incomplete, for any change between pages`, async () => {
			const seen = { whole: 0, part: 0 };
			await fc.assert(
				fc.asyncProperty(pagedWorlds, async (world) => {
					const got = await readAll(read(serve(world)));
					const isMany = world.numbers.length > onOnePage;
					// Subscriptions beyond the first page are read from their lists.
					const isPrefix = got.isWhole || name !== 'subscriptions';
					const expected = isPrefix
						? world.numbers.slice(0, got.isWhole ? undefined : got.ids.length)
						: world.numbers.filter((id) => got.ids.includes(id));
					assert.deepEqual(got.ids, expected);
					assert.equal(got.isWhole, !isMany || world.flaw === 'none');
					seen[got.isWhole ? 'whole' : 'part'] += 1;
				}),
				inRounds({ least: 60, small: 60, full: 10_000 }),
			);
			assert.ok(seen.whole > 0 && seen.part > 0);
		});
	}

	test('subscriptions to hidden lists are complete or marked as incomplete', async () => {
		const seen = { whole: 0, part: 0 };
		const every = fc.constantFrom(2, 3, 30, 1000);
		await fc.assert(
			fc.asyncProperty(pagedWorlds, every, async (world, nth) => {
				const isHidden = (id: number): boolean => id % nth === 1;
				const got = await readAll(serve(world, isHidden).lists.subscriptions([], wanted()));
				const visible = new Set(world.numbers.filter((id) => !isHidden(id)));
				assert.equal(new Set(got.ids).size, got.ids.length);
				assert.ok(got.ids.every((id) => visible.has(id)));
				assert.ok(!got.isWhole || got.ids.length === world.numbers.length, `${got.ids.length} are called all`);
				seen[got.isWhole ? 'whole' : 'part'] += 1;
			}),
			inRounds({ least: 60, small: 60, full: 10_000 }),
		);
		assert.ok(seen.whole > 0 && seen.part > 0);
	});
});
