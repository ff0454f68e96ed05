import type { RawPage } from '../../src/answers/pages.ts';
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isAbort } from '@forge-desk/base/abort.ts';
import { ForgeError } from '../../src/port/forgeError.ts';
import type { Page } from '../../src/port/page.ts';
import { pages } from '../../src/answers/pages.ts';
import { byCommit } from '../../src/answers/byCommit.ts';
import { belowNumber, byNumber } from '../../src/rest/restTrackers.ts';
import { allPages, firstPage, problemFrom, wanted } from '../../../../test/support/contractForge.ts';
import { counts, seed } from '../../../../test/support/counts.ts';

interface Item {
	readonly id: number;
}

const byId = { key: ({ id }: Item) => id };

function envelope<T>(items: readonly T[], next: string | undefined, total: number | undefined): RawPage<T> {
	return { items, next, total, isEnvelope: true };
}

function bare<T>(items: readonly T[]): RawPage<T> {
	return { items, next: undefined, total: undefined, isEnvelope: false };
}

function idsOf(list: readonly Page<Item>[]): readonly number[] {
	return list.flatMap(({ items }) => items.map(({ id }) => id));
}

/** A server with items n..1 in pages of `size`, newest first. */
function numbered(count: number, size: number, rowOf: (id: number) => number) {
	const asked: (string | undefined)[] = [];
	return {
		asked,
		fetch: (start: string | undefined): Promise<RawPage<Item>> => {
			asked.push(start);
			const from = Math.min(start === undefined ? count : Number(start), count);
			const ids = Array.from({ length: Math.max(0, Math.min(size, from)) }, (_, place) => from - place);
			const following = from - size;
			const next = following > 0 ? String(rowOf(following)) : undefined;
			return Promise.resolve(
				envelope(
					ids.map((id) => ({ id })),
					next,
					count,
				),
			);
		},
	};
}

const numRuns = counts({ small: 200, full: 5000 });

suite('paging', () => {
	test('an incomplete page makes the whole list incomplete', async () => {
		const served = [
			{ ...envelope([{ id: 3 }], 'b', undefined), isPart: true as const },
			envelope([{ id: 2 }], 'c', undefined),
			envelope([{ id: 1 }], undefined, undefined),
		];
		let at = 0;
		const fetch = (): Promise<RawPage<Item>> => Promise.resolve(served[at++] ?? assert.fail('no such page'));
		const read = await allPages(pages({ ...byId, fetch }, wanted()));
		assert.deepEqual(read.at(-1)?.completeness, { kind: 'more', total: undefined, isLast: true });
	});

	for (const [what, last, completeness] of [
		['is empty', [], { kind: 'more', total: undefined, isLast: true }],
		['repeats the first page', [{ id: 2 }, { id: 1 }], { kind: 'more', total: undefined, isLast: true }],
		['repeats some items and adds one', [{ id: 3 }, { id: 1 }], { kind: 'more', total: undefined, isLast: true }],
		['adds an item', [{ id: 0 }], { kind: 'complete' }],
	] as const) {
		test(`a promised last page that ${what} ${completeness.kind === 'more' ? 'is no' : 'is the'} proof of the end`, async () => {
			const fetch = (start: string | undefined): Promise<RawPage<Item>> =>
				Promise.resolve(
					start === undefined
						? envelope([{ id: 2 }, { id: 1 }], 'x', undefined)
						: envelope<Item>(last, undefined, undefined),
				);
			const list = await allPages(pages({ ...byId, fetch }, wanted()));
			assert.deepEqual(list.at(-1)?.completeness, completeness);
		});
	}

	test('an empty last page is the end if the number of items matches the total', async () => {
		const fetch = (start: string | undefined): Promise<RawPage<Item>> =>
			Promise.resolve(
				start === undefined ? envelope([{ id: 2 }, { id: 1 }], 'x', 2) : envelope<Item>([], undefined, 2),
			);
		assert.deepEqual((await allPages(pages({ ...byId, fetch }, wanted()))).at(-1)?.completeness, { kind: 'complete' });
	});

	test('a bare array is one page of unstated completeness', async () => {
		const list = pages({ ...byId, fetch: () => Promise.resolve(bare([{ id: 2 }, { id: 1 }])) }, wanted());
		assert.deepEqual(await allPages(list), [
			{ items: [{ id: 2 }, { id: 1 }], seen: 2, completeness: { kind: 'unstated' } },
		]);
	});

	test('an envelope without a next page is complete', async () => {
		const list = pages({ ...byId, fetch: () => Promise.resolve(envelope([{ id: 1 }], undefined, 1)) }, wanted());
		assert.deepEqual((await allPages(list))[0]?.completeness, { kind: 'complete' });
	});

	test('an envelope that ends before its total is not called complete', async () => {
		const list = pages({ ...byId, fetch: () => Promise.resolve(envelope([{ id: 1 }], undefined, 312)) }, wanted());
		assert.deepEqual((await allPages(list))[0]?.completeness, { kind: 'more', total: 312 });
	});

	test('a page loads only on demand', async () => {
		const server = numbered(200, 50, (id) => id);
		const page = await firstPage(pages({ ...byId, fetch: server.fetch }, wanted()));
		assert.deepEqual([page.items.length, page.completeness], [50, { kind: 'more', total: 200 }]);
		assert.deepEqual(server.asked, [undefined]);
	});

	test('a list with cursors of any length loads in full, in order and without duplicates', async () => {
		await fc.assert(
			fc.asyncProperty(fc.nat(300), fc.integer({ min: 1, max: 60 }), async (count, size) => {
				const server = numbered(count, size, (id) => id);
				const list = await allPages(pages({ ...byId, fetch: server.fetch }, wanted()));
				assert.deepEqual(
					idsOf(list),
					Array.from({ length: count }, (_, place) => count - place),
				);
				assert.deepEqual(list.at(-1)?.completeness, { kind: 'complete' });
				assert.equal(server.asked.length, Math.max(1, Math.ceil(count / size)));
			}),
			{ numRuns, seed: seed() },
		);
	});

	test('tickets load in full even if the cursor of the server counts rows instead of numbers', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.nat(300),
				fc.integer({ min: 1, max: 60 }),
				fc.integer({ min: -50, max: 200 }),
				async (count, size, offset) => {
					const server = numbered(count, size, (id) => id + offset);
					const list = await allPages(pages({ ...byId, fetch: server.fetch, way: byNumber }, wanted()));
					assert.deepEqual(
						idsOf(list),
						Array.from({ length: count }, (_, place) => count - place),
					);
					assert.equal(server.asked.length, Math.max(1, Math.ceil(count / size)));
				},
			),
			{ numRuns, seed: seed() },
		);
	});

	for (const [name, way] of [
		['of all tickets', byNumber],
		['of tickets below a number', belowNumber],
	] as const) {
		test(`a list ${name} is not complete if a promised page brings nothing new`, async () => {
			for (const last of [[], [{ id: 9 }, { id: 8 }]]) {
				const fetch = async (start: string | undefined): Promise<RawPage<Item>> =>
					envelope(start === undefined ? [{ id: 9 }, { id: 8 }] : last, '7', undefined);
				const list = await allPages(pages({ ...byId, fetch, way }, wanted()));
				assert.deepEqual(list.at(-1)?.completeness, { kind: 'more', total: undefined });
			}
		});
	}

	test('items that move between pages appear once, and a repeated cursor ends the list', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.tuple(fc.array(fc.nat(30), { maxLength: 5 }), fc.option(fc.nat(5)), fc.option(fc.nat(40))), {
					minLength: 1,
					maxLength: 6,
				}),
				async (script) => {
					let calls = 0;
					const fetch = (start: string | undefined): Promise<RawPage<Item>> => {
						calls += 1;
						const [ids, next, total] = script[Number(start ?? 0) % script.length]!;
						return Promise.resolve(
							envelope(
								ids.map((id) => ({ id })),
								next === null ? undefined : String(next),
								total ?? undefined,
							),
						);
					};
					const list = await allPages(pages({ ...byId, fetch }, wanted()));
					const ids = idsOf(list);
					assert.equal(new Set(ids).size, ids.length);
					assert.ok(calls <= 8);
					const last = list.at(-1);
					assert.equal(last?.seen, ids.length);
					const [, , total] = script.find(([, next]) => next === null) ?? [];
					assert.ok(last.completeness.kind !== 'complete' || total === null || calls > 0);
				},
			),
			{ numRuns, seed: seed() },
		);
	});

	test('a circular cursor is not followed twice', async () => {
		let calls = 0;
		const fetch = (): Promise<RawPage<Item>> => {
			calls += 1;
			return Promise.resolve(envelope([{ id: calls }], 'back', undefined));
		};
		const list = await allPages(pages({ ...byId, fetch }, wanted()));
		assert.equal(calls, 2);
		assert.deepEqual(list.at(-1)?.completeness, { kind: 'more', total: undefined });
	});

	test('a circular cursor after the last item ends the list as complete, and an earlier one as incomplete', async () => {
		const listed = async (total: number): Promise<readonly Page<Item>[]> =>
			allPages(
				pages(
					{ ...byId, fetch: (start) => Promise.resolve(envelope([{ id: start === 'back' ? 1 : 2 }], 'back', total)) },
					wanted(),
				),
			);
		const whole = await listed(2);
		assert.deepEqual(idsOf(whole), [2, 1]);
		assert.deepEqual(whole.at(-1)?.completeness, { kind: 'complete' });
		assert.deepEqual((await listed(3)).at(-1)?.completeness, { kind: 'more', total: 3 });
	});

	test('the reader abandons a server that keeps sending old items', async () => {
		let calls = 0;
		const fetch = (): Promise<RawPage<Item>> => {
			calls += 1;
			return Promise.resolve(envelope([{ id: 1 }], `cursor-${calls}`, undefined));
		};
		const list = await allPages(pages({ ...byId, fetch }, wanted()));
		assert.deepEqual(idsOf(list), [1]);
		assert.deepEqual(list.at(-1)?.completeness, { kind: 'more', total: undefined });
		assert.ok(calls <= 4);
	});

	test('the reader abandons an endless list after 10,000 pages as incomplete', async () => {
		let calls = 0;
		const fetch = (): Promise<RawPage<Item>> => {
			calls += 1;
			return Promise.resolve(envelope([{ id: calls }], `cursor-${calls}`, undefined));
		};
		const list = await allPages(pages({ ...byId, fetch }, wanted()));
		assert.equal(calls, 10_000);
		assert.deepEqual(list.at(-1)?.completeness, { kind: 'more', total: undefined });
	});

	test('a cancelled listing fetches no further page', async () => {
		const server = numbered(200, 50, (id) => id);
		const reader = new AbortController();
		const list = pages({ ...byId, fetch: server.fetch }, reader.signal);
		await list.next();
		reader.abort();
		await assert.rejects(list.next(), isAbort);
		assert.equal(server.asked.length, 1);
	});

	test('a failure ends the listing', async () => {
		const list = pages(
			{ ...byId, fetch: () => Promise.reject(new ForgeError({ kind: 'serverError', status: 500 })) },
			wanted(),
		);
		await assert.rejects(list.next(), ForgeError);
	});
});

interface Node {
	readonly id: string;
	readonly parents: readonly string[];
}

/** Histories: each commit has up to two earlier parents, so there are merges, side branches and several roots. */
const history = fc.array(fc.tuple(fc.nat(), fc.option(fc.nat())), { minLength: 1, maxLength: 160 }).map((links) =>
	links.map(([first, second], place): Node => {
		const parents =
			place === 0 ? [] : [place - 1 - (first % Math.min(place, 3)), second === null ? -1 : second % place];
		return { id: `c${place}`, parents: [...new Set(parents.filter((parent) => parent >= 0))].map((p) => `c${p}`) };
	}),
);

type Generation = 'older' | 'later' | 'bare';

/** The log of the newest commit in pages: the commits below the cursor, newest first. */
function logServer(commits: readonly Node[], generation: Generation) {
	const byName = new Map(commits.map((commit) => [commit.id, commit]));
	return (start: string | undefined): Promise<RawPage<Node>> => {
		const tip = start ?? commits.at(-1)?.id ?? '';
		const below = new Set<string>();
		const open = [tip];
		for (let id = open.pop(); id !== undefined; id = open.pop()) {
			if (!below.has(id)) {
				below.add(id);
				open.push(...(byName.get(id)?.parents ?? []));
			}
		}
		const all = commits.toReversed().filter(({ id }) => below.has(id));
		const hasMore = all.length > 50;
		return Promise.resolve(
			generation === 'older'
				? envelope(all.slice(0, hasMore ? 51 : 50), hasMore ? all[50]?.id : undefined, undefined)
				: { ...envelope(all.slice(0, 50), undefined, undefined), isEnvelope: generation === 'later' },
		);
	};
}

suite('paging of the log', () => {
	for (const generation of ['older', 'later', 'bare'] satisfies readonly Generation[]) {
		test(`finds every ancestor of the tip once, from servers of the ${generation} kind`, async () => {
			await fc.assert(
				fc.asyncProperty(history, async (commits) => {
					const whole = new Set<string>();
					const byName = new Map(commits.map((commit) => [commit.id, commit]));
					const open = [commits.at(-1)!.id];
					for (let id = open.pop(); id !== undefined; id = open.pop()) {
						whole.add(id);
						open.push(...byName.get(id)!.parents.filter((parent) => !whole.has(parent)));
					}
					const list = await allPages(
						pages({ key: ({ id }) => id, fetch: logServer(commits, generation), way: byCommit }, wanted()),
					);
					const found = list.flatMap(({ items }) => items.map(({ id }) => id));
					assert.equal(found.length, new Set(found).size);
					assert.deepEqual(new Set(found), whole);
					assert.deepEqual(list.at(-1)?.completeness, { kind: 'complete' });
				}),
				{ numRuns, seed: seed() },
			);
		});
	}

	test('a linear history needs no request beyond its pages', async () => {
		const commits = Array.from({ length: 120 }, (_, place): Node => ({
			id: `c${place}`,
			parents: place === 0 ? [] : [`c${place - 1}`],
		}));
		let calls = 0;
		const serve = logServer(commits, 'older');
		const fetch = (start: string | undefined): Promise<RawPage<Node>> => {
			calls += 1;
			return serve(start);
		};
		await allPages(pages({ key: ({ id }) => id, fetch, way: byCommit }, wanted()));
		assert.equal(calls, 3);
	});

	test('a shallow history ends without an error, as incomplete', async () => {
		const fetch = (start: string | undefined): Promise<RawPage<Node>> =>
			start === undefined
				? Promise.resolve(envelope([{ id: 'b', parents: ['a'] }], undefined, undefined))
				: Promise.reject(new ForgeError({ kind: 'serverError', status: 500 }));
		const list = await allPages(pages({ key: ({ id }) => id, fetch, way: byCommit }, wanted()));
		assert.deepEqual(list.at(-1)?.completeness, { kind: 'more', total: undefined });
	});

	test('an unavailable server is an error, not the end of the history', async () => {
		const fetch = (start: string | undefined): Promise<RawPage<Node>> =>
			start === undefined
				? Promise.resolve(envelope([{ id: 'b', parents: ['a'] }], undefined, undefined))
				: Promise.reject(new ForgeError({ kind: 'serverError', status: 503 }));
		const list = pages({ key: ({ id }) => id, fetch, way: byCommit }, wanted());
		await list.next();
		assert.deepEqual(await problemFrom(list.next()), { kind: 'serverError', status: 503 });
	});

	test('a server with a single page gets one more request, and the log is incomplete', async () => {
		let calls = 0;
		const commits = Array.from({ length: 50 }, (_, place): Node => ({ id: `c${place}`, parents: [`c${place + 1}`] }));
		const fetch = (): Promise<RawPage<Node>> => {
			calls += 1;
			return Promise.resolve(bare(commits));
		};
		const list = await allPages(pages({ key: ({ id }) => id, fetch, way: byCommit }, wanted()));
		assert.equal(calls, 2);
		assert.deepEqual(list.at(-1), { items: [], seen: 50, completeness: { kind: 'more', total: undefined } });
	});

	test('an empty history is complete', async () => {
		const fetch = (): Promise<RawPage<Node>> => Promise.resolve(envelope<Node>([], undefined, undefined));
		const list = await allPages(pages({ key: ({ id }) => id, fetch, way: byCommit }, wanted()));
		assert.deepEqual(list, [{ items: [], seen: 0, completeness: { kind: 'complete' } }]);
	});
});
